import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import Testing

@Suite("What a router carries over as it is")
struct VerbatimTests {
  private struct Profile: Codable, Equatable, Sendable {
    var name: String
  }

  private struct ProfileKey: StorageKey {
    let name = "profile"
    let domain = StorageDomain.keychain(service: "com.acme.shop")
    var security = SecurityPolicy.none
    var policy = StorageConflictPolicy.keepDestination
    let serializer = StorageSerializer.codable(Profile.self)
    var migration: AnyStorageMigration? { moved(from: "old", in: .userDefaults(suite: nil), onConflict: policy) }
  }

  @Test("a value that is moved keeps what the type in use does not know (E3)", arguments: [false, true])
  func unknownMembers(isProtected: Bool) async throws {
    let text = #"{"name":"Jo","loyalty":{"points":4.10}}"#
    let bench = RouterBench(defaults: ["old": text])
    let key = ProfileKey(security: isProtected ? .protected(by: "vault") : .none)
    #expect(try await bench.router().get(key) == Profile(name: "Jo"))
    #expect(try await bench.router().bytes(at: key.place) == Array(text.utf8))
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["profile"])
  }

  @Test("the same value in other bytes is no conflict (E3)")
  func sameValue() async throws {
    let bench = RouterBench(defaults: ["old": #"{"name" : "Jo"}"#], keychain: ["profile": #"{"name":"Jo"}"#])
    #expect(try await bench.router().forceMigration(for: ProfileKey()) == .finished)
    #expect(try bench.defaults.names().isEmpty)
  }

  @Test("a value that is to replace the same one brings what the type in use does not know (E3)")
  func replaced() async throws {
    let text = #"{"name":"Jo","loyalty":{"points":4.10}}"#
    let bench = RouterBench(defaults: ["old": text], keychain: ["profile": #"{"name":"Jo"}"#])
    #expect(try await bench.router().forceMigration(for: ProfileKey(policy: .replace)) == .migrated)
    #expect(try bench.keychain.data(for: "profile") == Array(text.utf8) && bench.defaults.names().isEmpty)
  }

  @Test("a value that is set after a move was cut off is no conflict with the one that was moved (E1)")
  func setBehindCutOff() async throws {
    let bench = RouterBench(defaults: ["old": "before"])
    let key = TextKey.moved("token", from: "old")
    bench.defaults.fail { operation, _ in operation == .remove }
    _ = try? await bench.router().get(key)
    bench.defaults.fail(nil)
    #expect(try bench.keychain.data(for: "token") != nil && bench.defaults.data(for: "old") != nil)
    try await bench.router().set("newer", for: key)
    #expect(try await bench.router().forceMigration(for: key) == .nothingToMigrate)
    #expect(try await bench.router().get(key) == "newer")
    #expect(try bench.defaults.names().isEmpty && bench.keychain.names() == ["token"])
  }

  @Test("a note from before a change of protection does not lock its value in (E6)", arguments: [false, true])
  func noteOfOldProtection(isTaken: Bool) async throws {
    let bench = RouterBench(defaults: ["old": "before"])
    let (former, new) = (SecurityPolicy.none, SecurityPolicy.protected(by: "vault"))
    let loud = LoudKey(security: former)
    bench.defaults.fail { operation, _ in operation == .remove }
    _ = try? await bench.router().get(loud)
    bench.defaults.fail(nil)
    #expect(try bench.keychain.names().count == 2)
    let key = TextKey(
      name: loud.name, security: new, source: LegacyKey(name: loud.name, domain: loud.domain, security: former))
    #expect(try await bench.router().get(key) == "before!")
    if isTaken { try await bench.router().set("newer", for: key) }
    #expect(try await bench.router().get(key) == (isTaken ? "newer" : "before!"))
  }
}

private struct LoudKey: StorageKey {
  let name = "loud"
  let domain = StorageDomain.keychain(service: "com.acme.shop")
  var security: SecurityPolicy
  let serializer = StorageSerializer.text
  var migration: AnyStorageMigration? {
    AnyStorageMigration(
      TransformingMigration(
        destinationKey: self, sourceKey: TextKey(name: "old", domain: .userDefaults(suite: nil))
      ) { $0 + "!" })
  }
}
