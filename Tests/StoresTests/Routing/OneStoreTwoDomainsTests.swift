import CarryoverEncryption
import Crypto

@Suite("Two domains that an app gives one store") struct OneStoreTwoDomainsTests {
  private static let secret = Array("SECRET".utf8)

  private func key(
    from source: StorageDomain = .files(folder: "old"), to domain: StorageDomain = .files(folder: "new"),
    _ policy: StorageConflictPolicy = .keepDestination, security: SecurityPolicy = .none
  ) -> TextKey {
    TextKey(
      name: "token", domain: domain, security: security, source: LegacyKey(name: "token", domain: source),
      policy: policy)
  }

  /// Looks at what a router does to the only copy of a value.
  /// - Parameter writes: changes with each write to the store.
  private func check(
    _ store: any ByteStore, _ router: () -> StorageRouter, _ key: (StorageConflictPolicy) -> TextKey,
    writes: () throws -> Int
  ) async throws {
    for policy in [StorageConflictPolicy.keepDestination, .keepDestinationAndRemoveSources, .replace] {
      try store.set(Self.secret, for: "token")
      let key = key(policy)
      let before = try writes()
      #expect(try await router().get(key) == "SECRET")
      let error = await #expect(throws: StorageRouterError.self) { try await router().forceMigration(for: key) }
      #expect(error?.reason == .ownSource)
      #expect(try store.data(for: "token") == Self.secret)
      #expect(try writes() == before)
      try await router().set("NEW", for: key)
      #expect(try await router().get(key) == "NEW")
      #expect(try store.data(for: "token") == Array("NEW".utf8))
      try await router().delete(key)
      #expect(try store.names().isEmpty)
    }
  }

  @Test func `where the store is one object, its value is not removed where it was just put (E1)`() async throws {
    let store = CountingStore()
    try await check(
      store, { StorageRouter { if case .files = $0 { store } else { nil } } }, { key($0) }, writes: { store.writes })
  }

  @Test(arguments: [false, true])
  func `where two stores have one folder, in any spelling, the only copy stays (E1)`(isEncrypted: Bool) async throws {
    let place = StorePlace(.files)
    let folder = place.folder.appending(path: "files").path
    let link = place.folder.appending(path: "link").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder)
    let keys = SymmetricKey(size: .bits256)
    @Sendable func store(_ path: String) -> any ByteStore {
      isEncrypted ? EncryptedFileStore(folder: path, keys: keys) : FileDataStore(folder: path)
    }
    let other = link + "/../files/."
    try await check(
      store(folder),
      { StorageRouter { domain in domain == .files(folder: "old") ? store(folder) : store(other) } }, { key($0) },
      writes: {
        let file = try FileManager.default.attributesOfItem(atPath: folder + "/token.data")
        return try #require(file[.systemFileNumber] as? Int)
      })
  }

  @Test func `the app's own defaults and the suite of its name are one store where both exist (E1)`() throws {
    let own = try DefaultsDataStore(suite: nil)
    let name = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    let suite = DefaultsDataStore(UserDefaultsDomain(.standard, label: name))
    #expect(own.identity != nil && own.identity == suite.identity)
    #if os(Linux)
      #expect(try DefaultsDataStore(suite: name).identity == own.identity)
    #endif
    #expect(own.identity != DefaultsDataStore(UserDefaultsDomain(.standard, label: name + ".other")).identity)
  }

  @Test func `values of one name move between two stores of one kind (E1)`() async throws {
    let old = MemoryDataStore(["token": Self.secret])
    let new = MemoryDataStore()
    let router = StorageRouter { $0 == .files(folder: "old") ? old : new }
    #expect(try await router.forceMigration(for: key()) == .migrated)
    #expect(try old.names().isEmpty && new.data(for: "token") == Self.secret)
  }

  @Test func `two keys that take one value by two domains of a store are refused; it stays (E8)`() async throws {
    let store = CountingStore(["old": Self.secret])
    let target = CountingStore()
    let router = StorageRouter { domain in
      if case .files = domain { store } else { target }
    }
    let keys = ["one", "two"].map { folder in
      TextKey(name: folder, source: LegacyKey(name: "old", domain: .files(folder: folder)))
    }
    let catalog = await #expect(throws: StorageCatalogError.self) {
      try await router.registerCatalog(Catalog(keys: keys))
    }
    #expect(catalog?.problems == [.sharedSource(StoragePlace(name: "old", domain: .files(folder: "two")))])
    #expect(try await router.get(keys[0]) == "SECRET")
    let error = await #expect(throws: StorageRouterError.self) { try await router.get(keys[1]) }
    guard case .sharedSource? = error?.reason else { return #expect(Bool(false), "\(error as Any)") }
    await #expect(throws: StorageRouterError.self) { try await router.delete(keys[1]) }
    #expect(try target.names() == ["one"])
  }

  @Test func `a value comes down a chain whose keys name one store by two domains (E8)`() async throws {
    let store = CountingStore(["oldest": Self.secret])
    let target = CountingStore()
    let router = StorageRouter { domain in
      if case .files = domain { store } else { target }
    }
    let middle = TextKey(
      name: "middle", domain: .files(folder: "one"),
      source: LegacyKey(name: "oldest", domain: .files(folder: "two")))
    let key = TextKey(name: "token", source: LegacyKey(name: "middle", domain: .files(folder: "two")))
    try await router.registerCatalog(Catalog(keys: [key, middle]))
    #expect(try await router.get(key) == "SECRET")
    #expect(try store.names().isEmpty && target.names() == ["token"])
  }

  @Test func `keys that are one place by two domains of one store are refused (E8)`() async throws {
    let store = CountingStore()
    let keys = ["one", "two"].map { TextKey(name: "token", domain: .files(folder: $0)) }
    let error = await #expect(throws: StorageCatalogError.self) {
      try await StorageRouter { _ in store }.registerCatalog(Catalog(keys: keys))
    }
    #expect(error?.problems == [.duplicate(keys[1].place)])
  }

  @Test func `a folder that is not there yet is told by where it will be (E1)`() throws {
    let place = StorePlace(.files)
    let link = place.folder.appending(path: "link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.folder.path)
    let folder = place.folder.appending(path: "missing").path
    let store = FileDataStore(folder: folder)
    for other in [folder + "/", link + "/missing", link + "/./missing"] {
      #expect(FileDataStore(folder: other).identity == store.identity, "\(other)")
    }
    let before = store.identity
    try store.set([1], for: "a")
    #expect(store.identity == before)
    #expect(FileDataStore(folder: folder + "2").identity != before)
  }

  @Test func `where a store does not say that it is another, the value is put back, and why (E1)`() async throws {
    let memory = MemoryDataStore()
    for policy in [StorageConflictPolicy.keepDestination, .keepDestinationAndRemoveSources, .replace] {
      for security in [SecurityPolicy.none, .protected(by: "vault")] {
        try memory.set(Self.secret, for: "token")
        let protection = EncryptedValues(keys: SymmetricKey(data: Array(repeating: 7, count: 32)))
        let router = StorageRouter(protections: ["vault": protection]) { _ in Window(memory) }
        let key = key(policy, security: security)
        #expect(Window(memory).identity == nil)
        let error = await #expect(throws: StorageRouterError.self) { try await router.forceMigration(for: key) }
        // Bytes that never were protected are none of a key that is.
        #expect(error?.reason == (security == .none ? .ownSource : .protection))
        #expect(try memory.data(for: "token") != nil)
        do {
          try await router.set("NEW", for: key)
          #expect(try await router.get(key) == "NEW")
        } catch {
          Issue.record(error)
        }
      }
      for name in try memory.names() { try memory.remove(name) }
    }
  }
}

private struct Window: ByteStore {
  let store: MemoryDataStore
  let label: String

  init(_ store: MemoryDataStore) {
    self.store = store
    label = UUID().uuidString
  }

  func data(for name: String) throws(DataStoreError) -> [UInt8]? { try store.data(for: name) }
  func set(_ data: [UInt8], for name: String) throws(DataStoreError) { try store.set(data, for: name) }
  func remove(_ name: String) throws(DataStoreError) { try store.remove(name) }
  func names() throws(DataStoreError) -> [String] { try store.names() }
}

@Suite("A value that is protected otherwise from now on, in its place") struct ProtectionChangeTests {
  private static let domain = StorageDomain.keychain(service: "com.acme.shop")
  private let store = CountingStore()

  private func values(_ number: UInt8) -> EncryptedValues {
    EncryptedValues(keys: SymmetricKey(data: Array(repeating: number, count: 32)))
  }

  private func router() -> StorageRouter {
    StorageRouter(protections: ["one": values(1), "two": values(2)]) { [store] _ in store }
  }

  private func key(_ security: SecurityPolicy, formerly former: SecurityPolicy) -> TextKey {
    TextKey(name: "token", security: security, source: LegacyKey(name: "token", domain: Self.domain, security: former))
  }

  private static let changes: [(SecurityPolicy, SecurityPolicy)] = [
    (.none, .protected(by: "one")), (.protected(by: "one"), .protected(by: "two")), (.protected(by: "one"), .none),
  ]

  @Test("a change of protection takes one write and happens once (E6)", arguments: changes)
  func changed(former: SecurityPolicy, security: SecurityPolicy) async throws {
    try await router().set("secret", for: TextKey(name: "token", security: former))
    let key = key(security, formerly: former)
    #expect(try await router().get(key) == "secret")
    #expect(store.writes == 2)
    #expect(try await router().get(key) == "secret")
    #expect(try await router().forceMigration(for: key) == .nothingToMigrate)
    #expect(store.writes == 2)
    #expect(try (store.data(for: "token") == Array("secret".utf8)) == (security == .none))
    try await router().registerCatalog(Catalog(keys: [key]), migrateImmediately: true)
    try await router().delete(key)
    #expect(try await router().get(key) == nil)
  }

  @Test func `plain text that begins as encrypted bytes do can be protected from now on (E6)`() async throws {
    let text = "COEB is what the committee is called"
    try store.set(Array(text.utf8), for: "token")
    #expect(try await router().get(key(.protected(by: "one"), formerly: .none)) == text)
    let stored = try #require(try store.data(for: "token"))
    #expect(try values(1).unprotect(stored, name: "token") == Array(text.utf8))
  }

  @Test("a change of protection that fails at any operation loses nothing (E6)", arguments: changes)
  func everyFailure(former: SecurityPolicy, security: SecurityPolicy) async throws {
    let key = key(security, formerly: former)
    for number in 1..<12 {
      try await router().set("secret", for: TextKey(name: "token", security: former))
      let count = Noted<Int>()
      store.fail { _, _ in
        count.add(0)
        return count.all.count == number
      }
      _ = try? await router().get(key)
      store.fail(nil)
      #expect(try await router().get(key) == "secret")
      try store.remove("token")
    }
  }

  @Test func `damaged bytes are no plain value, and another key's are not protected twice (E6)`() async throws {
    let key = key(.protected(by: "one"), formerly: .none)
    for bytes in [
      try values(1).protect(Array("secret".utf8), name: "token").dropLast(),
      try values(2).protect(Array("secret".utf8), name: "token")[...],
    ] {
      try store.set(Array(bytes), for: "token")
      let error = await #expect(throws: StorageRouterError.self) { try await router().get(key) }
      #expect(error?.reason == .protection)
      #expect(try store.data(for: "token") == Array(bytes))
    }
  }

  @Test func `a value protected under a new name comes from its old name and place before (E6)`() async throws {
    let old = TextKey(name: "token", source: LegacyKey(name: "oldest", domain: Self.domain))
    let key = TextKey(
      name: "protected-token", security: .protected(by: "one"), source: LegacyKey(name: "token", domain: Self.domain))
    for start in ["oldest", "token"] {
      let store = CountingStore([start: Array("secret".utf8)])
      let router = StorageRouter(protections: ["one": values(1)]) { _ in store }
      try await router.registerCatalog(Catalog(keys: [key, old]))
      #expect(try await router.get(key) == "secret")
      #expect(try store.names() == ["protected-token"])
    }
  }

  @Test func `reading the written place is refused but for a change of protection (E8)`() async throws {
    let error = await #expect(throws: StorageRouterError.self) { try await router().get(key(.none, formerly: .none)) }
    #expect(error?.reason == .ownSource)
    #expect(error?.description.contains("reads the place it writes") == true)
  }
}
