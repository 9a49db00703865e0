import Carryover
import CarryoverEncryption
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Crypto
import Foundation
import PropertyLists
import Testing

@Suite("Encrypted files that cannot be opened")
struct EncryptedFileStoreTests {
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

  @Test("bytes that cannot be opened are refused for their reason, and neither read nor write changes them (E6)")
  func refused() throws {
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

  @Test("another key and another name are refused, and nothing is overwritten (E6)")
  func keysAndNames() throws {
    let files = MemoryDataStore()
    try store(files).set([1], for: "token")
    let sealed = try #require(try files.data(for: "token"))
    for operation in [
      { try store(files, Self.other).set([2], for: "token") }, { _ = try store(files, Self.other).data(for: "token") },
    ] as [() throws -> Void] {
      let error = #expect(throws: DataStoreError.self) { try operation() }
      #expect(error?.reason == .wrongKey)
    }
    try files.set(sealed, for: "other")
    let moved = #expect(throws: DataStoreError.self) { try store(files).data(for: "other") }
    #expect(moved?.reason == .tampered)
    #expect(try files.data(for: "token") == sealed && files.data(for: "other") == sealed)
  }

  @Test("what cannot be opened is set aside, and put back when its key is found (E6)")
  func setAside() throws {
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

  @Test("a provider that fails, or gives a key of another size, is an error and no missing value (E6)")
  func providers() throws {
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

  @Test("a provider that gives another key later overwrites nothing of the former key's (E6)")
  func changingProvider() throws {
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

  @Test("everything is brought to another key; what fails stands, and a second call goes on (E6)")
  func rekeying() throws {
    let files = CountingStore()
    for number in 0..<20 { try store(files).set([UInt8(number)], for: "name\(number)") }
    try files.set(Array("damaged".utf8), for: "name7")
    files.fail { operation, name in operation == .write && name == "name9" }
    let new = store(files, Self.other)
    let first = try new.rekeying(from: Self.key)
    #expect(first.rekeyed.count == 18 && first.current.isEmpty)
    #expect(Set(first.failures.compactMap(\.name)) == ["name7", "name9"])
    #expect(try store(files).data(for: "name9") == [9])
    files.fail(nil)
    let second = try new.rekeying(from: Self.key)
    #expect(second.rekeyed == ["name9"] && second.current.count == 18 && second.failures.count == 1)
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

  @Test("what somebody writes while the key is changed is not replaced by what was there before (E6)")
  func rekeyingMeanwhile() throws {
    let (other, files) = (MemoryDataStore(), Interfering())
    try store(files.memory).set([1], for: "token")
    try store(other).set([2], for: "token")
    files.writes = [1: try #require(try other.data(for: "token"))]
    let new = store(files, Self.other)
    #expect(try new.rekeying(from: Self.key).rekeyed == ["token"])
    #expect(try new.data(for: "token") == [2])
  }

  @Test("a name that others write again and again is a failure, and theirs stands (E6)")
  func rekeyingBusyName() throws {
    let files = Interfering()
    try store(files.memory).set([0], for: "token")
    for read in 1...100 {
      let other = MemoryDataStore()
      try store(other).set([UInt8(read)], for: "token")
      files.writes[read] = try other.data(for: "token")
    }
    let rekeying = try store(files, Self.other).rekeying(from: Self.key)
    #expect(rekeying.rekeyed.isEmpty && rekeying.failures.map(\.reason) == [.occupied])
    #expect(try store(files.memory).data(for: "token").map { $0[0] > 1 } == true)
  }

  @Test("what was set aside keeps its key, and is named so that the key is kept too (E6)")
  func rekeyingSetAside() throws {
    let files = MemoryDataStore()
    let (old, new) = (store(files), store(files, Self.other))
    try old.set([1], for: "token")
    let aside = try #require(try new.setAside("token"))
    try old.set([2], for: "token")
    let rekeying = try new.rekeying(from: Self.key)
    #expect(rekeying.rekeyed == ["token"] && rekeying.setAside == [aside] && rekeying.failures.isEmpty)
    try new.remove("token")
    try old.putBack(aside)
    #expect(try old.data(for: "token") == [1])
    #expect(try new.rekeying(from: Self.key).setAside.isEmpty)
  }

  @Test("a name of the form that is given to what is set aside is refused, and one that is like it is not (E6)")
  func reservedNames() throws {
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
