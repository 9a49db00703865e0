import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation
import Testing

@Suite("A router that is killed at any operation")
struct RouterCrashTests {
  @Test(
    "whichever operation of a set is the last, a newer value that stands is not replaced by the one from before (E1)",
    arguments: LastOperation.allCases)
  func endOfSet(last: LastOperation) async throws {
    var key = TextKey.moved("token", from: "old")
    key.policy = .replace
    var isWhole = false
    for number in 1..<40 where !isWhole {
      let bench = RouterBench(defaults: ["old": "before"])
      let stores = StoppingStores([bench.defaults, bench.keychain])
      stores.stop(at: number, last)
      let isSet = (try? await bench.router().set("newer", for: key)) != nil
      isWhole = stores.count < number
      stores.goOn()
      let stands = try bench.keychain.data(for: "token") == Array("newer".utf8)
      #expect(stands || !isSet)
      #expect(try await bench.router().get(key) == (stands ? "newer" : "before"), "operation \(number)")
      #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["token"], "operation \(number)")
    }
    #expect(isWhole)
  }

  @Test("a set whose removal of the value from before fails keeps the newer value at the next start (E1)")
  func failedRemoval() async throws {
    let bench = RouterBench(defaults: ["old": "before"])
    var key = TextKey.moved("token", from: "old")
    key.policy = .replace
    bench.defaults.fail { operation, _ in operation == .remove }
    try await bench.router().set("newer", for: key)
    bench.defaults.fail(nil)
    #expect(try await bench.router().forceMigration(for: key) == .finished)
    #expect(try await bench.router().get(key) == "newer")
    #expect(try bench.defaults.names().isEmpty)
  }

  @Test("a value from before that cannot be read is superseded all the same, at the next start if need be (E1)")
  func unreadable() async throws {
    let bench = RouterBench(defaults: ["old": "before"])
    var key = TextKey.moved("token", from: "old")
    key.policy = .replace
    bench.defaults.fail { _, _ in true }
    try await bench.router().set("newer", for: key)
    bench.defaults.fail { operation, _ in operation == .read }
    #expect(try await bench.router().get(key) == "newer")
    bench.defaults.fail(nil)
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["token"])
  }

  @Test("a set that fails behind a migration that was cut off does not let it be made twice (E1)")
  func failedSetBehindCutOff() async throws {
    let bench = RouterBench(defaults: ["old": "before"])
    let key = StampedKey(policy: .replace, made: Noted())
    bench.defaults.fail { operation, _ in operation == .remove }
    _ = try? await bench.router().get(key)
    bench.defaults.fail(nil)
    bench.keychain.fail { operation, name in operation == .write && name == "stamped" }
    await #expect(throws: StorageRouterError.self) { try await bench.router().set("newer", for: key) }
    bench.keychain.fail(nil)
    #expect(try await bench.router().get(key) == "before 1")
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["stamped"])
  }

  @Test("a value that is set after a migration was cut off is no conflict with what that left (E1)")
  func setBehindCutOff() async throws {
    let bench = RouterBench(defaults: ["old": "before"])
    let key = StampedKey(policy: .keepDestination, made: Noted())
    bench.defaults.fail { operation, _ in operation == .remove }
    _ = try? await bench.router().get(key)
    bench.defaults.fail(nil)
    try await bench.router().set("newer", for: key)
    #expect(try await bench.router().get(key) == "newer")
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["stamped"])
  }

  @Test(
    "a value whose bytes are others each time it is made is carried over once, whichever operation is the last (E1)",
    arguments: LastOperation.allCases, [StorageConflictPolicy.keepDestination, .replace])
  func otherBytes(last: LastOperation, policy: StorageConflictPolicy) async throws {
    let made = Noted<Int>()
    let key = StampedKey(policy: policy, made: made)
    var isWhole = false
    for number in 1..<40 where !isWhole {
      let bench = RouterBench(defaults: ["old": "before"])
      let stores = StoppingStores([bench.defaults, bench.keychain])
      stores.stop(at: number, last)
      _ = try? await bench.router().get(key)
      isWhole = stores.count < number
      stores.goOn()
      let stands = try bench.keychain.data(for: "stamped").map { String(decoding: $0, as: UTF8.self) }
      let value = try await bench.router().get(key)
      #expect(value?.hasPrefix("before ") == true)
      if let stands { #expect(value == stands, "operation \(number)") }
      #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["stamped"], "operation \(number)")
    }
    #expect(isWhole)
  }
}

private struct StampedKey: StorageKey {
  let name = "stamped"
  let domain = StorageDomain.keychain(service: "com.acme.shop")
  var policy: StorageConflictPolicy
  var made: Noted<Int>
  var serializer: StorageSerializer<String> { .text }
  var migration: AnyStorageMigration? {
    AnyStorageMigration(
      TransformingMigration(
        destinationKey: self, sourceKey: TextKey(name: "old", domain: .userDefaults(suite: nil)),
        conflictPolicy: policy
      ) { text in
        made.add(0)
        return "\(text) \(made.all.count)"
      })
  }
}
