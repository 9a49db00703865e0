import Carryover
import CarryoverEncryption
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Crypto
import Foundation
import PropertyLists
import Testing

@Suite("A value that is protected otherwise from now on, in its place")
struct ProtectionChangeTests {
  private static let domain = StorageDomain.keychain(service: "com.acme.shop")
  private let store = CountingStore()

  private func values(_ number: UInt8) -> EncryptedValues {
    EncryptedValues(keys: SymmetricKey(data: Array(repeating: number, count: 32)))
  }

  private func router() -> StorageRouter {
    StorageRouter(protections: ["one": values(1), "two": values(2)]) { [store] _ in store }
  }

  private func key(_ security: SecurityPolicy, formerly former: SecurityPolicy) -> TextKey {
    TextKey(
      name: "token", security: security, source: LegacyKey(name: "token", domain: Self.domain, security: former))
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
    let plain = Array("secret".utf8)
    #expect(try (store.data(for: "token") == plain) == (security == .none))
    try await router().registerCatalog(Catalog(keys: [key]), migrateImmediately: true)
    try await router().delete(key)
    #expect(try await router().get(key) == nil)
  }

  @Test("plain text that begins as encrypted bytes do can be protected from now on (E6)")
  func magicText() async throws {
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

  @Test("damaged bytes are no value without protection, and another key's are not protected twice (E6)")
  func damaged() async throws {
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

  @Test("a value that is protected under a new name comes from its old name and from the place before that (E6)")
  func newName() async throws {
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

  @Test("reading the place that is written is refused for everything but a change of protection (E8)")
  func ownSource() async throws {
    let error = await #expect(throws: StorageRouterError.self) {
      try await router().get(key(.none, formerly: .none))
    }
    #expect(error?.reason == .ownSource)
    #expect(error?.description.contains("reads the place it writes") == true)
  }
}
