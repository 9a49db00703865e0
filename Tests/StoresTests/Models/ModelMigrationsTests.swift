import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("Several models at an app's start")
struct ModelMigrationsTests {
  @Test("all models are migrated once at start, with one report, and a second start writes nothing (B9)")
  func all() throws {
    let store = CountingStore([
      "person": Array(try #require(Person.fixtures[1]).utf8),
      "user_profile": Array(try #require(UserProfile.fixtures[1]).utf8),
    ])
    let start = ModelMigrations([
      try Person.migration(in: store).erased(), try UserProfile.migration(in: store).erased(),
    ])
    #expect(start.isPending)
    let report = start.run()
    #expect(report.failures.isEmpty && report.migrated == ["person", "user_profile"])
    #expect(!start.isPending)
    let writes = store.writes
    #expect(start.run().migrated.isEmpty)
    #expect(store.writes == writes)
  }

  @Test("a model that fails keeps its data and does not hold up the others (B9, B6)")
  func failing() throws {
    let store = CountingStore([
      "person": Array("garbage".utf8), "user_profile": Array(try #require(UserProfile.fixtures[2]).utf8),
    ])
    let report = ModelMigrations([
      try Person.migration(in: store).erased(), try UserProfile.migration(in: store).erased(),
      try Person.migration(in: MemoryDataStore()).erased(),
    ]).run()
    #expect(report.failures.count == 1 && report.migrated == ["user_profile"])
    #expect(report.failures.first?.model == "person")
    #expect(report.results.map(\.model) == ["person", "user_profile", "person"])
    #expect(try store.data(for: "person") == Array("garbage".utf8))
  }

  @Test("a model that UserDefaults holds as text stays text, one that is data stays data (B7)")
  func text() throws {
    let suite = "carryover-models-\(UUID().uuidString)"
    defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
    let defaults = try #require(UserDefaults(suiteName: suite))
    let store = DefaultsDataStore(defaults, label: suite)
    let fixture = try #require(Person.fixtures[0])
    defaults.set(fixture, forKey: "text")
    defaults.set(Data(fixture.utf8), forKey: "data")
    for name in ["text", "data"] {
      let report = try ModelMigration(Person.Current.self, try Person.migrator(), of: name, in: store).run()
      #expect(report.value == Person.Current(alias: "John Doe", email: "---"))
    }
    #expect(defaults.string(forKey: "text") == Person.fixtures[3])
    #expect(defaults.object(forKey: "data") is Data)
  }

  @Test("the app's own decoder decides whether the result is the type in use (D9)")
  func decoder() throws {
    struct Visit: Codable { var seenAt: Date }
    let migrator = try ModelMigrator(
      model: "visit", version: 1, versioning: ModelVersioning(marker: "v", unmarked: 0),
      steps: [ModelStep(from: 0, [.rename("seen", to: "seen_at")])])
    let store = CountingStore(["visit": Array(#"{"seen":"2025-11-20T12:00:00Z"}"#.utf8)])
    let error = #expect(throws: ModelMigrationError.self) {
      try ModelMigration(Visit.self, migrator, of: "visit", in: store).run()
    }
    #expect("\(try #require(error))".hasPrefix("The model in “visit” in “counting” does not decode as the type in use"))
    #expect(error?.cause is DecodingError && store.writes == 0)
    let visit = try ModelMigration(
      Visit.self, migrator, of: "visit", in: store,
      decoder: {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        return decoder
      }
    ).run().value
    #expect(visit?.seenAt == Date(timeIntervalSince1970: 1_763_640_000))
  }

  @Test("a closure behind a migration of a Codable type receives its events (B6)")
  func trailingClosure() throws {
    let events = Noted<ModelEvent>()
    let store = MemoryDataStore(["person": Array(try #require(Person.fixtures[0]).utf8)])
    let migration = ModelMigration(Person.Current.self, try Person.migrator(), of: "person", in: store) {
      events.add($0)
    }
    #expect(try migration.run().from == 0 && !events.all.isEmpty)
  }

  @Test("what is wrong with a chain is said in a sentence (D4)")
  func sentences() {
    func sentence(_ version: Int, _ steps: [Int], _ versioning: ModelVersioning) -> String? {
      do throws(ModelChainError) {
        _ = try ModelMigrator(
          model: "m", version: version, versioning: versioning, steps: steps.map { ModelStep(from: $0, []) })
        return nil
      } catch {
        return error.description
      }
    }
    let marked = ModelVersioning(marker: "v", unmarked: 1)
    #expect(
      sentence(4, [1, 3], marked) == "The model “m” cannot be migrated: no step leads from version 2 to 3; add it.")
    #expect(
      sentence(2, [1, 1], marked)
        == "The model “m” cannot be migrated: two steps start from version 1; keep the one that was shipped.")
    #expect(
      sentence(1, [1], marked)
        == "The model “m” cannot be migrated: a step starts from version 1, and the newest is 1; raise it.")
    #expect(sentence(-1, [], marked) == "The model “m” cannot be migrated: versions are counted from 0.")
    #expect(sentence(2, [1], marked) == nil)
  }
}
