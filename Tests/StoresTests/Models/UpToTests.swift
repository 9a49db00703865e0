import CarryoverStorage
import Foundation
import PropertyLists
import Testing

@Suite("A model is migrated up to a chosen version")
struct UpToTests {
  @Test(
    "from each version to each later one, and no further (B11)",
    arguments: [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3), (1, 1)])
  func chosen(from: Int, to: Int) throws {
    let store = CountingStore(["person": Array(try #require(Person.fixtures[from]).utf8)])
    let migrator = try Person.migrator().upTo(to)
    let migration = ModelMigration(migrator, of: "person", in: store) { try JSONText(bytes: $0).value }
    let report = try migration.run()
    #expect(report.from == from && report.to == to && report.stages.map(\.from) == Array(from..<to))
    let value = try JSONText(bytes: try #require(try store.data(for: "person"))).value
    #expect(value["email"] != nil || to == 0)
    #expect((value["alias"] != nil) == (to >= 2) && (value["age"] != nil) == (to < 3))
    #expect(try migrator.versions == 0...to && migrator.migrated(value) == value)
    let writes = store.writes
    #expect(try migration.run().hasWritten == false)
    #expect(store.writes == writes)
  }

  @Test("in memory, too, with a marker of the chosen version; the rest of the way is open (B11)")
  func marker() throws {
    let migrator = try Person.migrator(marker: "version")
    let old = try JSONText(#"{"name":"Jo","age":"23"}"#).value
    let second = try migrator.upTo(2).migrated(old)
    #expect(second.text() == #"{"alias":"Jo","age":"23","email":"---","version":2}"#)
    #expect(try migrator.migrated(second).text() == #"{"alias":"Jo","email":"---","version":3}"#)
  }

  @Test("data of a later version is newer, with a marker and without, and nothing is written (B11)")
  func newer() throws {
    for marker in [nil, "version"] {
      let store = CountingStore(["person": Array(try #require(Person.fixtures[2]).utf8)])
      let migration = ModelMigration(try Person.migrator(marker: marker).upTo(1), of: "person", in: store) { $0 }
      let error = #expect(throws: ModelMigrationError.self) { try migration.run() }
      guard case .model(.newer(found: 2, known: 1))? = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(store.writes == 0)
    }
  }

  @Test("an unknown version is refused with its number (B11)", arguments: [-1, 4, .max])
  func unknown(version: Int) throws {
    let migrator = try Person.migrator()
    let error = #expect(throws: ModelChainError.self) { try migrator.upTo(version) }
    #expect(error?.description.contains("it has no version \(version)") == true)
  }
}
