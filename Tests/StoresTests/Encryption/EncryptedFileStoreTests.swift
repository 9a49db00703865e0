@testable import CarryoverEncryption
import Crypto

@Suite("Encrypted files that cannot be opened") struct EncryptedFileStoreTests {
  private static let key = SymmetricKey(data: Array(0..<32 as Range<UInt8>))
  private static let other = SymmetricKey(data: Array(1..<33 as Range<UInt8>))

  private func store(_ files: any ByteStore, _ key: SymmetricKey = Self.key) -> EncryptedFileStore {
    EncryptedFileStore(in: files, keys: key)
  }

  /// What is wrong with the bytes of a name, and how reading and writing it are refused.
  private static let damages: [(String, DataStoreError.Reason, @Sendable ([UInt8]) -> [UInt8])] = [
    ("changed", .tampered, { Array($0.dropLast()) + [$0[$0.count - 1] ^ 1] }),
    ("shorter", .cutOff, { Array($0.dropLast(3)) }),
    ("empty", .unrecognised, { _ in [] }),
    ("garbage", .unrecognised, { _ in Array("not what it was".utf8) }),
    ("later", .newerFormat(found: 9, known: 1), { Array($0[..<4]) + [9] + Array($0[5...]) }),
  ]

  @Test func `bytes that cannot be opened are refused for their reason; no read or write changes them (E6)`() throws {
    for (what, reason, damage) in Self.damages {
      let files = MemoryDataStore()
      try store(files).set([1, 2, 3], for: "token")
      let damaged = damage(try #require(try files.data(for: "token")))
      try files.set(damaged, for: "token")
      let read = #expect(throws: DataStoreError.self) { try store(files).data(for: "token") }
      #expect(read?.reason == reason && read?.operation == .read, "\(what)")
      let written = #expect(throws: DataStoreError.self) { try store(files).set([4], for: "token") }
      #expect(written?.reason == reason && written?.operation == .write, "\(what)")
      #expect(written?.description.contains("nothing was overwritten") == true)
      #expect(try files.data(for: "token") == damaged)
    }
  }

  @Test func `what cannot be opened is set aside, and put back when its key is found (E6)`() throws {
    let files = MemoryDataStore()
    let (old, new) = (store(files), store(files, Self.other))
    try old.set([1], for: "token")
    let aside = try #require(try new.setAside("token"))
    #expect(try new.data(for: "token") == nil)
    #expect(try new.names().isEmpty && new.setAsideNames() == [aside])
    #expect(try new.setAside("token") == nil)
    try new.set([2], for: "token")
    let occupied = #expect(throws: DataStoreError.self) { try old.putBack(aside) }
    #expect(occupied?.reason == .occupied)
    try new.remove("token")
    #expect(try old.putBack(aside) == "token")
    #expect(try old.data(for: "token") == [1])
    #expect(try old.putBack(aside) == nil && old.putBack("token") == nil)
    #expect(try old.setAsideNames().isEmpty)
  }

  @Test func `a provider that fails, or gives a key of another size, is an error and no missing value (E6)`() throws {
    struct Failing: KeyProvider {
      func key() throws -> SymmetricKey { throw CocoaError(.userCancelled) }
    }
    let files = MemoryDataStore()
    try store(files).set([1], for: "token")
    let sealed = try files.data(for: "token")
    let providers: [any KeyProvider] = [Failing(), SymmetricKey(size: .bits128)]
    for provider in providers {
      let broken = EncryptedFileStore(in: files, keys: provider)
      let read = #expect(throws: DataStoreError.self) { try broken.data(for: "token") }
      #expect(read?.reason == .keyUnavailable)
      let written = #expect(throws: DataStoreError.self) { try broken.set([2], for: "token") }
      #expect(written?.reason == .keyUnavailable)
    }
    #expect(EncryptedFileStore(in: files, keys: Failing()).label == files.label)
    #expect(try files.data(for: "token") == sealed)
  }

  @Test func `a provider that gives another key later overwrites nothing of the former key's (E6)`() throws {
    final class Changing: KeyProvider, @unchecked Sendable {
      var current = EncryptedFileStoreTests.key
      func key() -> SymmetricKey { current }
    }
    let (files, keys) = (MemoryDataStore(), Changing())
    let store = EncryptedFileStore(in: files, keys: keys)
    try store.set([1], for: "token")
    keys.current = Self.other
    let error = #expect(throws: DataStoreError.self) { try store.set([2], for: "token") }
    #expect(error?.reason == .wrongKey)
    keys.current = Self.key
    #expect(try store.data(for: "token") == [1])
  }

  @Test func `everything is brought to another key; what fails stands, and a second call goes on (E6)`() throws {
    let files = CountingStore()
    for number in 0..<20 { try store(files).set([UInt8(number)], for: "name\(number)") }
    try files.set(Array("damaged".utf8), for: "name7")
    files.fail { operation, name in operation == .write && name == "name9" }
    let new = store(files, Self.other)
    let before = files.writes
    let first = try new.rekey(from: Self.key)
    #expect(files.writes == before + 18)
    #expect(Set(first.compactMap(\.name)) == ["name7", "name9"])
    #expect(try store(files).data(for: "name9") == [9])
    files.fail(nil)
    #expect(try new.rekey(from: Self.key).map(\.name) == ["name7"] && files.writes == before + 19)
    #expect((0..<20).count { (try? new.data(for: "name\($0)")) == [UInt8($0)] } == 19)
    #expect(try new.data(for: "name9") == [9] && files.data(for: "name7") == Array("damaged".utf8))
  }

  private final class Interfering: ByteStore, @unchecked Sendable {
    let memory = MemoryDataStore()
    let label = "interfering"
    /// What is written after which read, counted from 1.
    var writes: [Int: [UInt8]] = [:]
    private var reads = 0

    func data(for name: String) throws(DataStoreError) -> [UInt8]? {
      let found = try memory.data(for: name)
      reads += 1
      if let bytes = writes[reads] { try memory.set(bytes, for: name) }
      return found
    }
    func set(_ data: [UInt8], for name: String) throws(DataStoreError) { try memory.set(data, for: name) }
    func remove(_ name: String) throws(DataStoreError) { try memory.remove(name) }
    func names() throws(DataStoreError) -> [String] { try memory.names() }
  }

  @Test func `what somebody writes while the key is changed is not replaced by what was there before (E6)`() throws {
    let (other, files) = (MemoryDataStore(), Interfering())
    try store(files.memory).set([1], for: "token")
    try store(other).set([2], for: "token")
    files.writes = [1: try #require(try other.data(for: "token"))]
    let new = store(files, Self.other)
    #expect(try new.rekey(from: Self.key).isEmpty)
    #expect(try new.data(for: "token") == [2])
  }

  @Test func `a name that others write again and again is a failure, and theirs stands (E6)`() throws {
    let files = Interfering()
    try store(files.memory).set([0], for: "token")
    for read in 1...100 {
      let other = MemoryDataStore()
      try store(other).set([UInt8(read)], for: "token")
      files.writes[read] = try other.data(for: "token")
    }
    #expect(try store(files, Self.other).rekey(from: Self.key).map(\.reason) == [.occupied])
    #expect(try store(files.memory).data(for: "token").map { $0[0] > 1 } == true)
  }

  @Test func `what was set aside keeps its key, and is named so that the key is kept too (E6)`() throws {
    let files = MemoryDataStore()
    let (old, new) = (store(files), store(files, Self.other))
    try old.set([1], for: "token")
    let aside = try #require(try new.setAside("token"))
    try old.set([2], for: "token")
    #expect(try new.rekey(from: Self.key).isEmpty)
    #expect(try new.data(for: "token") == [2] && new.setAsideNames() == [aside])
    try new.remove("token")
    try old.putBack(aside)
    #expect(try old.data(for: "token") == [1])
    #expect(try new.rekey(from: Self.key).isEmpty && new.setAsideNames().isEmpty)
  }

  @Test func `a name of the form of what is set aside is refused, and one like it is not (E6)`() throws {
    let files = MemoryDataStore()
    let store = store(files)
    let reserved = "token.set-aside-0123456789abcdef"
    let written = #expect(throws: DataStoreError.self) { try store.set([1], for: reserved) }
    #expect(written?.reason == .badName(.reserved) && written?.description.contains("choose another name") == true)
    let read = #expect(throws: DataStoreError.self) { try store.data(for: reserved) }
    #expect(read?.reason == .badName(.reserved))
    #expect(try files.names().isEmpty)
    for name in ["token.set-aside-0123456789abcde", "token.set-aside-0123456789abcdeg", ".set-aside-0123456789abcdef"] {
      try store.set([1], for: name)
      #expect(try store.data(for: name) == [1] && store.names().contains(name))
    }
  }
}

@Suite("The form of encrypted bytes") struct EncryptedFormTests {
  private static let key = SymmetricKey(data: Array(0..<32 as Range<UInt8>))
  private static let other = SymmetricKey(data: Array(1..<33 as Range<UInt8>))
  private static let plain = Array("a token, say".utf8)

  private func sealed() throws -> [UInt8] { try EncryptedBytes.seal(Self.plain, name: "token", key: Self.key) }

  private func failure(_ bytes: [UInt8], name: String = "token", key: SymmetricKey = Self.key) -> EncryptionError? {
    thrown { () throws(any Error) in try EncryptedBytes.open(bytes, name: name, key: key) } as? EncryptionError
  }

  @Test func `the form of version 1 is what it was when it was shipped (E6)`() throws {
    let nonce = try AES.GCM.Nonce(data: Array(0xA0..<0xAC as Range<UInt8>))
    let bytes = try EncryptedBytes.seal(Self.plain, name: "token", key: Self.key, nonce: nonce)
    // Made by another implementation of HMAC-SHA256 and AES-GCM.
    let known =
      "434f454201010000e13c9fef0aebee28000000000000000ca0a1a2a3a4a5a6a7a8a9aaab"
      + "873808422eae6c934216e6aad209db2ae440b3237c159438c8d8d194"
    #expect(bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined() == known)
    #expect(try EncryptedBytes.open(bytes, name: "token", key: Self.key) == Self.plain)
  }

  @Test func `text that only begins as encrypted bytes do is not taken for some, a rest of some is (E6)`() throws {
    let values = EncryptedValues(keys: Self.key)
    for text in ["COEB", "COEB is a name", "COEBRA", "COEB\n\n\n\n", "COE", ""] {
      #expect(!values.isProtected(Array(text.utf8)), "\(text)")
    }
    let sealed = try sealed()
    for count in 5...sealed.count { #expect(values.isProtected(Array(sealed.prefix(count)))) }
    var later = sealed
    later[4] = 2
    #expect(values.isProtected(later))
  }

  @Test func `no two writes share a nonce, and lengths from none up come back (E6)`() throws {
    for length in [0, 1, 15, 16, 17, 4096] {
      let plain = Array(repeating: UInt8(7), count: length)
      let (one, two) = (
        try EncryptedBytes.seal(plain, name: "", key: Self.key), try EncryptedBytes.seal(plain, name: "", key: Self.key)
      )
      #expect(one != two && one.count == length + EncryptedBytes.overhead)
      #expect(try EncryptedBytes.open(one, name: "", key: Self.key) == plain)
    }
  }

  @Test func `a change of any bit of any byte is noticed and called by its name (E6)`() throws {
    let bytes = try sealed()
    for position in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[position] ^= 1 << UInt8(bit)
        let expected: EncryptionError =
          switch position {
          case 0..<4, 5: .unrecognised
          case 4: changed[4] > 1 ? .newerFormat : .unrecognised
          default: .tampered
          }
        #expect(failure(changed) == expected, "byte \(position), bit \(bit)")
      }
    }
  }

  @Test func `bytes that end early or go on are cut off, at every length (E6)`() throws {
    let bytes = try sealed()
    #expect(failure([]) == .unrecognised)
    for length in 1..<bytes.count { #expect(failure(Array(bytes[..<length])) == .cutOff, "\(length) bytes") }
    #expect(failure(bytes + [0]) == .cutOff)
  }

  @Test func `another key, another name, another form and a key of another size are told apart (E6)`() throws {
    let bytes = try sealed()
    #expect(failure(bytes, key: Self.other) == .wrongKey)
    #expect(failure(bytes, name: "other") == .tampered)
    #expect(failure(Array("{\"a\":1}".utf8)) == .unrecognised)
    #expect(failure(Array(repeating: 0, count: 100)) == .unrecognised)
    #expect(failure(Array("COEB".utf8) + [2]) == .newerFormat)
    #expect(failure(bytes, key: SymmetricKey(size: .bits128)) == .badKey)
    #expect(throws: EncryptionError.badKey) {
      try EncryptedBytes.seal([], name: "", key: SymmetricKey(size: .bits192))
    }
  }
}

@Suite("A key in a file") struct FileKeyTests {
  private let place = TemporaryFolder()
  private var folder: URL { place.url }
  private var path: String { place.path("key") }

  @Test func `a key is made where that is asked for, for its owner alone, and is the same from then on (E6)`() throws {
    #expect(throws: FileKeyError.missing(path)) { try FileKey(path).key() }
    let key = try FileKey(path, making: true).key()
    #expect(key.bitCount == 256)
    #expect(try FileKey(path, making: true).key() == key && FileKey(path).key() == key)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
  }

  @Test func `folders of a key are made for its owner alone, and a killed process's rest is removed (E6)`() throws {
    let inner = folder.appending(path: "a/b")
    #expect(throws: FileKeyError.missing(inner.path + "/key")) { try FileKey(inner.path + "/key").key() }
    #expect(!FileManager.default.fileExists(atPath: inner.path))
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let left = inner.appending(path: ".carryover-store-\(Int32.max)-1-1.tmp")
    try Data([9]).write(to: left)
    let key = try FileKey(inner.path + "/key", making: true).key()
    #expect(try FileKey(inner.path + "/key").key() == key)
    #expect(try FileManager.default.contentsOfDirectory(atPath: inner.path) == ["key"])
    let fresh = folder.appending(path: "c/d/key").path
    _ = try FileKey(fresh, making: true).key()
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "c").path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func `many that make a key at once get the same one (E6)`() async throws {
    let path = path
    let keys = try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<32 { group.addTask { try FileKey(path, making: true).key().withUnsafeBytes { Data($0) } } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
  }

  @Test func `a key others may read, of another size or behind a link is refused, not made again (E6)`() throws {
    func write(_ count: Int, mode: Int) throws {
      try Data(repeating: 1, count: count).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    try write(32, mode: 0o640)
    #expect(throws: FileKeyError.open(path, mode: 0o640)) { try FileKey(path, making: true).key() }
    for count in [0, 31, 33] {
      try write(count, mode: 0o600)
      #expect(throws: FileKeyError.wrongSize(path, count)) { try FileKey(path, making: true).key() }
    }
    try FileManager.default.moveItem(atPath: path, toPath: path + "-real")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "-real")
    #expect(throws: FileKeyError.self) { try FileKey(path, making: true).key() }
    #expect(FileKeyError.wrongSize("/k", 3).description.contains("3 bytes instead of 32"))
  }
}
