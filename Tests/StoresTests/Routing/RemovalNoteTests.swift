import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation
import Testing

@Suite("What decides that a source is removed")
struct RemovalNoteTests {
  /// Two texts with one checksum of 64 bits.
  private static let (one, other) = ("8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ")
  private static let sum = "4eac0c95540867e4"
  private static let note = "value.carryover-removal"

  private static func key(_ policy: StorageConflictPolicy = .keepDestination) -> AnyKindKey {
    AnyKindKey(kind: .transforming, policy: policy)
  }

  @Test("A source is removed when its bytes are those that were carried over, not when their checksums agree")
  func source() async throws {
    let bench = RouterBench(defaults: ["a": Self.one])
    bench.defaults.fail { operation, _ in operation == .remove }
    _ = try? await bench.router().get(Self.key())
    bench.defaults.fail(nil)
    try bench.defaults.set(Array(Self.other.utf8), for: "a")
    #expect(try await bench.router().get(Self.key()) == Self.one + "!")
    #expect(try bench.defaults.data(for: "a") == Array(Self.other.utf8))
    #expect(try bench.keychain.names() == ["value"])
  }

  @Test("A source is kept where the value that took its place is another of the same checksum")
  func value() async throws {
    var key = TextKey.moved("value", from: "a")
    key.policy = .replace
    let bench = RouterBench(defaults: ["a": "before"])
    bench.defaults.fail { operation, _ in operation == .remove }
    try await bench.router().set(Self.one, for: key)
    bench.defaults.fail(nil)
    try bench.keychain.set(Array(Self.other.utf8), for: "value")
    #expect(try await bench.router().get(key) == Self.other)
    #expect(try bench.defaults.data(for: "a") == Array("before".utf8))
  }

  @Test("A source that changes into one of the same checksum while a value is made of it is read again")
  func whileMade() async throws {
    let bench = RouterBench(defaults: ["a": Self.one])
    let key = ChangingKey {
      if try bench.defaults.data(for: "a") == Array(Self.one.utf8) {
        try bench.defaults.set(Array(Self.other.utf8), for: "a")
      }
    }
    #expect(try await bench.router().get(key) == Self.other)
    #expect(try bench.defaults.names().isEmpty)
  }

  @Test("A note of before, which has checksums, is finished where the value can be made again of its source")
  func earlierNote() async throws {
    let bench = RouterBench(defaults: ["a": Self.one])
    try bench.keychain.set(Array("\(Self.one)!".utf8), for: "value")
    try bench.keychain.set(Array("value \(Self.checksum("\(Self.one)!"))\n\(Self.sum)".utf8), for: Self.note)
    #expect(try await bench.router().get(Self.key()) == Self.one + "!")
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["value"])
  }

  @Test("By a note of before a source is not removed where it is another of the same checksum, and the value stays")
  func earlierNoteOfOther() async throws {
    for policy in [StorageConflictPolicy.keepDestination, .replace] {
      let bench = RouterBench(defaults: ["a": Self.other])
      try bench.keychain.set(Array("\(Self.one)!".utf8), for: "value")
      try bench.keychain.set(Array("value \(Self.checksum("\(Self.one)!"))\n\(Self.sum)".utf8), for: Self.note)
      #expect(try await bench.router().get(Self.key(policy)) == Self.one + "!")
      #expect(try await bench.router().forceMigration(for: Self.key(policy)) == .conflict)
      #expect(try await bench.router().get(Self.key(policy)) == Self.one + "!")
      #expect(try bench.defaults.data(for: "a") == Array(Self.other.utf8))
    }
  }

  @Test("A value that an app set with an earlier version, and that was killed then, is not replaced by a sweep")
  func earlierSet() async throws {
    let bench = RouterBench(defaults: ["a": "LEGACY"], keychain: ["value": "SET"])
    let note = "value \(Self.checksum("SET"))\n\(Self.checksum("LEGACY"))"
    try bench.keychain.set(Array(note.utf8), for: Self.note)
    #expect(try await bench.router().forceMigration(for: Self.key(.replace)) == .conflict)
    #expect(try await bench.router().get(Self.key(.replace)) == "SET")
    try await bench.router().set("NEW", for: Self.key(.replace))
    #expect(try await bench.router().get(Self.key(.replace)) == "NEW")
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["value"])
  }

  @Test("A damaged note removes nothing", arguments: ["", "carryover 2", "carryover 2\nvalue ?", "value", "\u{0}"])
  func damaged(note: String) async throws {
    let bench = RouterBench(defaults: ["a": "LEGACY"], keychain: ["value": "SET", Self.note: note])
    #expect(try await bench.router().get(Self.key()) == "SET")
    #expect(try bench.defaults.names() == ["a"] && bench.keychain.data(for: "value") == Array("SET".utf8))
  }

  /// FNV-1a over 64 bits, as notes of before have it.
  private static func checksum(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// Text whose making changes what it is made of.
private struct ChangingKey: StorageKey {
  let name = "value"
  let domain = StorageDomain.keychain(service: "com.acme.shop")
  let change: @Sendable () throws -> Void
  var serializer: StorageSerializer<String> { .text }
  var migration: AnyStorageMigration? {
    AnyStorageMigration(
      TransformingMigration(
        destinationKey: self, sourceKey: TextKey(name: "a", domain: .userDefaults(suite: nil))
      ) { text in
        try change()
        return text
      })
  }
}
