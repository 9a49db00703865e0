import CarryoverEncryption
import Crypto

@Suite("Every store of data") struct DataStoreConformanceTests {
  private static let names = [
    "a", "A", "person", "with space", "slash/inside", "../up", ".hidden", "percent%2f", "ünïcödé", "日本語", "🗝",
    "new\nline", "%", "a.data", String(repeating: "n", count: 60),
  ]

  @Test(arguments: StoreKind.allCases)
  func `what was put under a name comes back to the byte, also when opened again (E6)`(kind: StoreKind) throws {
    let place = StorePlace(kind)
    let values: [[UInt8]] = [
      [], [0], Array(0...255), Array("{\"a\":1}".utf8),
      Array(repeating: 0xFF, count: Extent.isFull ? 1 << 20 : 1 << 16),
    ]
    for (index, name) in Self.names.enumerated() {
      let value = values[index % values.count]
      let store = try place.open()
      #expect(try store.data(for: name) == nil)
      try store.set(value, for: name)
      #expect(try store.data(for: name) == value)
    }
    let again = try place.open()
    for (index, name) in Self.names.enumerated() {
      #expect(try again.data(for: name) == values[index % values.count], "\(name)")
    }
    let listed = try again.names()
    #expect(Set(listed).isSuperset(of: Self.names))
    #expect(listed == listed.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test(arguments: StoreKind.allCases)
  func `a second value replaces the first, and a removed name is gone (E6)`(kind: StoreKind) throws {
    let place = StorePlace(kind)
    let store = try place.open()
    try store.set([1], for: "one")
    try store.set([2], for: "two")
    try store.set([1, 1], for: "one")
    #expect(try store.data(for: "one") == [1, 1])
    try store.remove("one")
    try store.remove("one")
    #expect(try store.data(for: "one") == nil)
    #expect(try store.data(for: "two") == [2])
    #expect(try !place.open().names().contains("one"))
  }

  @Test(arguments: StoreKind.allCases)
  func `an empty name is refused (E6)`(kind: StoreKind) throws {
    let store = try StorePlace(kind).open()
    let error = #expect(throws: DataStoreError.self) { try store.set([1], for: "") }
    #expect(error?.reason == .badName(.empty))
  }

  @Test(arguments: StoreKind.allCases)
  func `names that a disk may take for one another are kept apart (E6)`(kind: StoreKind) throws {
    let place = StorePlace(kind)
    // Precomposed and decomposed, upper and lower case, and what escaping makes of another.
    let names = [
      "token", "Token", "TOKEN", "%54oken", "caf\u{e9}", "cafe\u{301}", "CAF\u{c9}", "stra\u{df}e", "strasse",
    ]
    let refused = kind.refusesEquivalentNames ? 5 : nil
    for (index, name) in names.enumerated() {
      let store = try place.open()
      do throws(DataStoreError) {
        try store.set([UInt8(index)], for: name)
        #expect(index != refused)
      } catch {
        #expect(index == refused && error.reason == .occupied)
      }
    }
    for (index, name) in names.enumerated() {
      #expect(try place.open().data(for: name) == (index == refused ? nil : [UInt8(index)]), "\(name)")
    }
    if kind == .files || kind == .encryptedFiles {
      let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.appending(path: kind.folder).path)
      #expect(Set(files.map { $0.lowercased() }).count == names.count)
      #expect(files.allSatisfy { file in file.utf8.allSatisfy { $0 < 128 } })
    }
    try place.open().remove(names[5])
    #expect(try place.open().data(for: names[5]) == nil)
    #expect(try place.open().data(for: names[4]) == [4])
    #expect(try place.open().names().contains { $0.utf8.elementsEqual(names[4].utf8) })
  }

  @Test(arguments: StoreKind.allCases)
  func `of many that write one name at once the last wins, as a whole (E6)`(kind: StoreKind) async throws {
    let place = StorePlace(kind)
    let values = (0..<8).map { number in Array(repeating: UInt8(number), count: 1 + number * 1000) }
    let stores = try values.map { _ in try place.open() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (store, value) in zip(stores, values) {
        group.addTask {
          for _ in 0..<4 {
            try store.set(value, for: "shared")
            #expect(try store.data(for: "shared").map(values.contains) == true)
            try store.set(value, for: "own\(value.count)")
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try place.open()
    #expect(try store.data(for: "shared").map(values.contains) == true)
    for value in values { #expect(try store.data(for: "own\(value.count)") == value) }
    #expect(try place.leftovers().isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `a name that is removed while others read it is there or not, and no error (E6)`(kind: StoreKind) async throws {
    let place = StorePlace(kind)
    let stores = try (0..<4).map { _ in try place.open() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, store) in stores.enumerated() {
        group.addTask {
          for _ in 0..<20 {
            switch index {
            case 0: try store.set([1, 2, 3], for: "name")
            case 1: try store.remove("name")
            default: #expect(try [nil, [1, 2, 3]].contains(store.data(for: "name")))
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

@Suite("Stores of files on a disk that fails") struct FileStoreFaultTests {
  private let place = TemporaryFolder()
  private var folder: URL { place.url }
  private static let key = SymmetricKey(data: Array(repeating: 3, count: 32))

  private func store(_ encrypted: Bool, _ fileSystem: any FileSystem = POSIXFileSystem()) -> any ByteStore {
    let path = folder.appending(path: "store").path
    return encrypted
      ? EncryptedFileStore(folder: path, keys: Self.key, fileSystem: fileSystem)
      : FileDataStore(folder: path, fileSystem: fileSystem)
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "store").path)
  }

  @Test(
    "whichever operation fails, the old bytes stand or the new ones, and the error says why (E6)",
    arguments: [false, true])
  func everyFailure(encrypted: Bool) throws {
    for number in [ENOSPC, EIO, EROFS, EDQUOT] {
      for once in [true, false] {
        var count = 0
        while true {
          try store(encrypted).set([1, 1], for: "token")
          let disk = FailingFileSystem(after: count, number, once: once)
          do throws(DataStoreError) {
            try store(encrypted, disk).set([2, 2, 2], for: "token")
          } catch {
            let cause = try #require(error.cause as? FileSystemError)
            #expect(cause.reason == .system(number))
            #expect("\(error)".contains("token"))
          }
          let found = try store(encrypted).data(for: "token")
          #expect(found == [1, 1] || found == [2, 2, 2])
          #expect(try store(encrypted).names() == ["token"])
          guard disk.hasFailed else { break }
          count += 1
        }
        #expect(count > 3)
      }
    }
  }

  @Test func `missing folders of a store are made with the first write, for their owner alone (E6)`() throws {
    let folder = folder.appending(path: "Application Support/Acme")
    let stores: [any ByteStore] = [
      FileDataStore(folder: folder.path + "/Settings"),
      EncryptedFileStore(folder: folder.path + "/Secrets", keys: Self.key),
    ]
    for store in stores {
      #expect(try store.data(for: "theme") == nil && store.names().isEmpty)
      try store.remove("theme")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    for store in stores {
      #expect(try store.setIfAbsent([1], for: "theme"))
      #expect(try store.data(for: "theme") == [1])
    }
    for path in [folder.path, folder.path + "/Settings"] {
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test func `what a killed write has left is removed by the next start; what others write is not (E6)`() throws {
    try store(false).set([1], for: "token")
    let store = folder.appending(path: "store")
    // No process has the largest number there is.
    let left = ".carryover-store-\(Int32.max)-1-1.tmp"
    let ours = ".carryover-store-\(ProcessInfo.processInfo.processIdentifier)-0-1.tmp"
    let living = ".carryover-store-1-1-1.tmp"
    for name in [left, ours, living, "not-ours.tmp"] { try Data([9]).write(to: store.appending(path: name)) }
    #expect(try self.store(false).names() == ["token"])
    try self.store(false).set([2], for: "token")
    #expect(try Set(files()) == ["token.data", living, "not-ours.tmp"])
  }

  @Test(arguments: [false, true])
  func `a folder that can only be read is read, and refuses writes without a change (E6)`(encrypted: Bool) throws {
    try store(encrypted).set([1], for: "token")
    let before = try files()
    let disk = FailingFileSystem(after: 0, EROFS)
    #expect(try store(encrypted, disk).data(for: "token") == [1])
    for operation in [
      { try store(encrypted, disk).set([2], for: "token") }, { try store(encrypted, disk).remove("token") },
    ] as [() throws -> Void] {
      let error = #expect(throws: DataStoreError.self) { try operation() }
      #expect((error?.cause as? FileSystemError)?.reason == .system(EROFS))
    }
    #expect(try files() == before)
  }

  @Test func `something else than a file under a name is an error and no missing value (E6)`() throws {
    try store(false).set([1], for: "token")
    let store = folder.appending(path: "store")
    try FileManager.default.createDirectory(at: store.appending(path: "folder.data"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: store.appending(path: "link.data"), withDestinationURL: store.appending(path: "token.data"))
    for name in ["folder", "link"] { #expect(throws: DataStoreError.self) { try self.store(false).data(for: name) } }
  }

  @Test func `a name that no file can have is refused (E6)`() throws {
    let error = #expect(throws: DataStoreError.self) {
      try store(false).set([1], for: String(repeating: "n", count: 251))
    }
    #expect(error?.reason == .badName(.tooLong))
    try store(false).set([1], for: String(repeating: "n", count: 250))
    #expect(try store(false).names().count == 1)
  }
}
