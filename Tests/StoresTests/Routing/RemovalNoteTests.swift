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

  @Test("A damaged note removes nothing", arguments: ["", "carryover 2", "carryover 2\nvalue ?", "value", "\u{0}"])
  func damaged(note: String) async throws {
    let bench = RouterBench(defaults: ["a": "LEGACY"], keychain: ["value": "SET", Self.note: note])
    #expect(try await bench.router().get(Self.key()) == "SET")
    #expect(try bench.defaults.names() == ["a"] && bench.keychain.data(for: "value") == Array("SET".utf8))
  }
}

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
