import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Testing

@Suite("Deleting a key whose removal note fails")
struct LogOutTests {
  @Test(
    "a name that fits its store is migrated and deleted, however long a note's would be (E1)",
    arguments: [("ж", 40), ("ж", 32), ("K", 83)])
  func longName(letter: String, count: Int) async throws {
    let name = String(repeating: letter, count: count)
    let place = try StorePlace(.files)
    let store = try place.open()
    let old = MemoryDataStore(["old": Array("secret".utf8)])
    let key = TextKey(
      name: name, domain: .files(folder: "new"), source: LegacyKey(name: "old", domain: .userDefaults(suite: nil)),
      policy: .replace)
    func router() -> StorageRouter { StorageRouter { if case .files = $0 { store } else { old } } }
    #expect(try await router().get(key) == "secret")
    try old.set(Array("older".utf8), for: "old")
    try await router().set("new", for: key)
    #expect(try store.names() == [name] && old.names().isEmpty)
    try await router().delete(key)
    #expect(try store.names().isEmpty)
  }

  @Test("a note that can be neither written, read nor removed does not keep a key from being deleted (E1)")
  func note() async throws {
    let bench = RouterBench(defaults: ["auth_token": "old"], keychain: ["token": "secret"])
    bench.keychain.fail { $1?.hasSuffix(".carryover-removal") == true }
    let key = TextKey.moved("token", from: "auth_token")
    try await bench.router().delete(key)
    #expect(try bench.keychain.names().isEmpty && bench.defaults.names().isEmpty)
    bench.keychain.fail(nil)
    #expect(try await bench.router().get(key) == nil)
  }
}
