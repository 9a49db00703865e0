@Suite("The key that seals a user's state") struct StateKeyTests {
  private static let path = "/home/me/.local/state/carryover/key"

  private func file(_ fileSystem: MemoryFileSystem, _ path: String? = path) -> StateKeyFile {
    StateKeyFile(fileSystem: fileSystem, path: path, random: { [UInt8](repeating: 9, count: StateKey.length) })
  }

  private func home() throws -> MemoryFileSystem {
    let fileSystem = MemoryFileSystem()
    fileSystem.putFolder("/home/me")
    return fileSystem
  }

  @Test func `never appears where it is printed`() throws {
    let key = try file(home()).obtain()
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(!text.contains("090909") && !text.contains("9, 9"), "\(text)")
      #expect(text.contains(key.id))
    }
  }

  @Test func `is refused where others can use it, where it is not the user's, and where it is damaged`() throws {
    let good = Array(([UInt8](repeating: 9, count: 32).hexadecimal + "\n").utf8)
    for (bytes, mode, user, expected) in [
      (good, 0o640, 501, StateKeyError.notPrivate(path: Self.path, mode: 0o640)),
      (good, 0o602, 501, .notPrivate(path: Self.path, mode: 0o602)),
      (good, 0o600, 502, .otherOwner(path: Self.path, user: 502)),
      (Array(good.dropLast()), 0o600, 501, .damaged(path: Self.path)),
      (Array(good.dropFirst(2)), 0o600, 501, .damaged(path: Self.path)),
      ([], 0o600, 501, .damaged(path: Self.path)),
      ([UInt8](repeating: 0x30, count: 5000), 0o600, 501, .damaged(path: Self.path)),
    ] as [([UInt8], UInt32, UInt32, StateKeyError)] {
      let fileSystem = try home()
      fileSystem.put(Self.path, bytes, mode: mode, user: user)
      #expect(throws: expected) { try file(fileSystem).existing() }
      #expect(throws: expected) { try file(fileSystem).obtain() }
      #expect(fileSystem.bytes(Self.path) == bytes)
    }
    #expect(throws: StateKeyError.noPlace) { try file(home(), nil).obtain() }
  }

  @Test func `that cannot be made keeps everything from being written, whatever fails on the way`() throws {
    let (fileSystem, box) = try MemoryFileSystem.sample(target: .binary)
    fileSystem.putFolder("/home/me")
    let source = file(fileSystem)
    var operation = 0
    var refused = 0
    while true {
      operation += 1
      let attempt = MemoryFileSystem(copying: fileSystem)
      attempt.arm(FaultPlan(faults: [operation: .error(ENOSPC)], only: [.makeDirectory, .create, .write]))
      let tree = attempt.tree("/box")
      let migrator = Migrator(
        fileSystem: attempt, toolVersion: "0.1.0",
        key: StateKeyFile(
          fileSystem: attempt, path: Self.path, random: { [UInt8](repeating: 9, count: StateKey.length) }),
        now: { SampleBox.moment })
      do {
        _ = try migrator.apply(box.plan(target: attempt.target), decisions: [:], in: box.container)
        break
      } catch {
        guard case .stateKey = error else { break }
        refused += 1
        #expect(attempt.tree("/box") == tree)
      }
    }
    #expect(refused >= 5)
    _ = try source.obtain()
  }
}

@Suite("SHA-256 and HMAC") struct SHA256Tests {
  @Test func `give the digests that FIPS 180-4's examples have`() {
    let vectors = [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ]
    for (text, digest) in vectors { #expect(SHA256.hexDigest(Array(text.utf8)) == digest, "\(text)") }
    let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(SHA256.hexDigest(million) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `give another digest for every length around a block's`() {
    let digests = (0...130).map { SHA256.hexDigest([UInt8](repeating: 0, count: $0)) }
    #expect(Set(digests).count == digests.count)
    #expect(digests[64] == "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b")
  }

  @Test func `give the codes that RFC 4231's test cases have`() {
    func code(_ key: [UInt8], _ data: [UInt8]) -> String { SHA256.hmac(data, key: key).hexadecimal }
    #expect(
      code([UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(
      code(Array("Jefe".utf8), Array("what do ya want for nothing?".utf8))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      code([UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50))
        == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
    #expect(
      code(Array(1...25), [UInt8](repeating: 0xcd, count: 50))
        == "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")
    let long = [UInt8](repeating: 0xaa, count: 131)
    #expect(
      code(long, Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    let text =
      "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed "
      + "before being used by the HMAC algorithm."
    #expect(code(long, Array(text.utf8)) == "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2")
  }

  @Test func `hexadecimal text reads back, and nothing else does`() {
    let bytes = Array(UInt8.min...UInt8.max)
    #expect([UInt8](hexadecimal: bytes.hexadecimal) == bytes)
    for text in ["0", "0g", "AB", " 00", "é0"] { #expect([UInt8](hexadecimal: text) == nil, "\(text)") }
  }
}
