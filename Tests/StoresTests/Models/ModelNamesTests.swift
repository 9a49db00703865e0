import Carryover
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import Foundation
import PropertyLists
import Testing

@Suite("Versioned models under names of every kind")
struct ModelNamesTests {
  private static let text = #"{"name":"Jo"}"#

  private func migration(_ name: String, in store: any ByteStore) throws -> ModelMigration<[UInt8]> {
    let migrator = try ModelMigrator(
      model: "person", version: 1, versioning: ModelVersioning(marker: "version", unmarked: 0),
      steps: [ModelStep(from: 0, [.add("email", "---")])])
    return ModelMigration(migrator, of: name, in: store) { $0 }
  }

  @Test(
    "a name as long as a store takes it, and one that is escaped byte by byte, has its backup (D7)",
    arguments: [StoreKind.files, .encryptedFiles],
    [
      "p", String(repeating: "n", count: 64), String(repeating: "n", count: 65), String(repeating: "n", count: 250),
      String(repeating: "顧", count: 27),
    ])
  func long(kind: StoreKind, name: String) throws {
    let place = try StorePlace(kind)
    defer { withExtendedLifetime(place) {} }
    let store = try place.open()
    try store.set(Array(Self.text.utf8), for: name)
    let backup = try #require(try migration(name, in: store).run().backup)
    #expect(try migration(name, in: store).listBackups() == [backup] && backup.version == 0)
    #expect(try migration(name + "x", in: store).listBackups().isEmpty)
    try migration(name, in: store).restore(backup)
    #expect(try store.data(for: name) == Array(Self.text.utf8))
    #expect(try migration(name, in: store).run().hasWritten)
    #expect(try migration(name, in: store).prune { _ in false }.count == 2)
    #expect(try store.names() == [name])
  }
}
