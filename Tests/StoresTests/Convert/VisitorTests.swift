@Suite("Convert's visitor id") struct VisitorTests {
  private let keychain = MemoryDataStore(label: "keychain")
  private let mirror = MemoryDataStore(label: "mirror")

  private func lookup(_ keychain: any ByteStore, _ mirror: any ByteStore) -> IdentityLookup {
    .convert(keychain: keychain, mirror: mirror) { "FRESH" }
  }

  private func put(_ id: String, in store: MemoryDataStore, _ name: String) throws {
    try store.set(Array(id.utf8), for: name)
  }

  private func held() throws -> [String?] {
    try [keychain.data(for: ConvertNames.visitorAccount), mirror.data(for: ConvertNames.visitorMirror)].map {
      $0.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test(arguments: ["u-1", " ", "é\u{0}"])
  func `an id that is given is taken as it is, and no store is touched (C1)`(_ id: String) {
    let stores = [CountingStore(over: keychain), CountingStore(over: mirror)]
    let touched = Noted<String?>()
    for store in stores {
      store.fail { _, name in
        touched.add(name)
        return false
      }
    }
    let identity = lookup(stores[0], stores[1]).resolve(given: id)
    #expect(identity.id == id && identity.origin == .given)
    #expect(touched.all.isEmpty)
  }

  @Test(arguments: [nil, ""])
  func `an empty id counts as none, given or kept (C1)`(_ given: String?) throws {
    try put("", in: keychain, ConvertNames.visitorAccount)
    try put("M", in: mirror, ConvertNames.visitorMirror)
    let identity = lookup(keychain, mirror).resolve(given: given)
    #expect(identity.id == "M" && identity.origin == .kept(1) && identity.filled == [0])
    #expect(try held() == ["M", "M"])
  }

  @Test func `the keychain comes before the mirror, which keeps another id that it has (C1)`() throws {
    try put("K", in: keychain, ConvertNames.visitorAccount)
    try put("M", in: mirror, ConvertNames.visitorMirror)
    let identity = lookup(keychain, mirror).resolve()
    #expect(identity.id == "K" && identity.differing == [1] && identity.filled == [])
    #expect(try held() == ["K", "M"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `whoever is told that the id was written may look it up there and then (C1)`() throws {
    let seen = Noted<String>()
    let store = CountingStore(over: mirror)
    let lookup = lookup(keychain, store)
    store.failAfterwards {
      seen.add(lookup.resolve().id)
      return false
    }
    defer { store.failAfterwards(nil) }
    #expect(lookup.resolve().id == "FRESH")
    #expect(!seen.all.isEmpty && Set(seen.all) == ["FRESH"])
    #expect(try held() == ["FRESH", "FRESH"])
  }

  @Test func `the mirror fills a keychain that lost the id, and the other way round (C1)`() throws {
    try put("M", in: mirror, ConvertNames.visitorMirror)
    #expect(lookup(keychain, mirror).resolve().filled == [0])
    try mirror.remove(ConvertNames.visitorMirror)
    let identity = lookup(keychain, mirror).resolve()
    #expect(identity.id == "M" && identity.origin == .kept(0) && identity.filled == [1])
    #expect(try held() == ["M", "M"])
  }

  @Test func `where nobody has one, a new id goes to both, and is the same from then on (C1)`() throws {
    let first = lookup(keychain, mirror).resolve()
    #expect(first.id == "FRESH" && first.origin == .fresh && first.filled == [0, 1])
    #expect(IdentityLookup.convert(keychain: keychain, mirror: mirror) { "OTHER" }.resolve().id == "FRESH")
    #expect(try held() == ["FRESH", "FRESH"])
  }

  @Test func `a keychain that is locked is neither believed empty nor written (C1)`() throws {
    try put("K", in: keychain, ConvertNames.visitorAccount)
    let locked = CountingStore(over: keychain)
    locked.fail(as: .locked) { operation, _ in operation == .read }
    let identity = lookup(locked, mirror).resolve()
    #expect(identity.id == "FRESH" && identity.failures.keys.sorted() == [0] && identity.filled == [1])
    #expect(try held() == ["K", "FRESH"])
    #expect(lookup(keychain, mirror).resolve().id == "K")
  }

  @Test func `looking without making an id writes nothing (C1)`() throws {
    #expect(lookup(keychain, mirror).current() == nil)
    try put("M", in: mirror, ConvertNames.visitorMirror)
    #expect(lookup(keychain, mirror).current()?.id == "M")
    #expect(try held() == [nil, "M"])
  }

  @Test func `a thousand first look-ups at once come to one id (C1)`() async throws {
    let made = Noted<Void>()
    let lookup = IdentityLookup.convert(keychain: keychain, mirror: mirror) {
      made.add(())
      return "id-\(made.all.count)"
    }
    let ids = await withTaskGroup(of: String.self) { group in
      for _ in 0..<1000 { group.addTask { lookup.resolve().id } }
      return await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(ids == ["id-1"])
  }

  /// The keychain can look and write at once; `UserDefaults` cannot.
  private static func lookup(
    _ process: OtherProcess, _ keychain: MemoryDataStore, _ mirror: MemoryDataStore, _ id: String
  ) -> IdentityLookup {
    .convert(keychain: process.store(keychain), mirror: process.store(mirror, isAtomic: false)) { id }
  }

  @Test(
    "the first look-ups of two processes come to one id, whatever each of them does first, and so do both stores (C1)",
    arguments: [nil, 1, 2, 3, 4, 5, 6, 7, 8])
  func twoProcesses(killedAt: Int?) throws {
    var isWhole = false
    for number in 1..<20 where !isWhole {
      let (keychain, mirror) = (MemoryDataStore(), MemoryDataStore())
      let (one, other) = (OtherProcess(), OtherProcess())
      if let killedAt { other.kill(at: killedAt, .after) }
      let others = Noted<IdentityLookup.Identity>()
      one.before(number) { others.add(Self.lookup(other, keychain, mirror, "OTHER").resolve()) }
      let identity = Self.lookup(one, keychain, mirror, "ONE").resolve()
      isWhole = one.count < number
      if killedAt == nil { #expect(isWhole || others.all.map(\.id) == [identity.id], "operation \(number)") }
      #expect(identity.differing.isEmpty && identity.failures.isEmpty, "operation \(number)")
      for (store, name) in [(keychain, ConvertNames.visitorAccount), (mirror, ConvertNames.visitorMirror)] {
        #expect(try store.data(for: name) == Array(identity.id.utf8), "operation \(number)")
      }
    }
    #expect(isWhole)
  }
}
