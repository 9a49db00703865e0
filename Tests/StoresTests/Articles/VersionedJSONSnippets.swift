import CarryoverStorage
import CarryoverUserDefaults
import Foundation
import Testing

// An app that stores a Codable struct as JSON in UserDefaults, tells its version by trial decoding and migrates by one `if`
// a version, ported.

private enum Port {
  // snippet: port-person
  nonisolated struct Person: Codable, Equatable {
    let alias: String
    let email: String
  }

  @MainActor final class MigrationManager {
    let progress: ModelMigrationProgress  // isPending and failures, for the view

    init(store: any ByteStore) throws {
      let person = ModelMigration(Person.self, try Self.person(), of: "person", in: store)
      progress = ModelMigrationProgress(ModelMigrations([person.erased()]))
    }

    func applyMigration() async { await progress.run() }

    nonisolated static func person() throws -> ModelMigrator {
      try ModelMigrator(
        model: "person", version: 3,
        versioning: ModelVersioning(
          marker: "version",
          shapes: [
            0: ModelShape(required: ["name", "age"], forbidden: ["email", "alias"]),
            1: ModelShape(required: ["name", "age", "email"], forbidden: ["alias"]),
            2: ModelShape(required: ["alias", "age", "email"], forbidden: ["name"]),
            3: ModelShape(required: ["alias", "email"], forbidden: ["name", "age"]),
          ]),
        steps: [
          ModelStep(from: 0, [.add("email", "---")]),
          ModelStep(from: 1, [.rename("name", to: "alias")]),
          ModelStep(from: 2, [.remove("age")]),
        ])
    }
  }
  // end snippet
}

@Suite("A versioned JSON document in UserDefaults, ported")
struct VersionedJSONSnippetTests {
  struct PersonV0: Codable {
    let name: String
    let age: String
  }

  struct PersonV1: Codable {
    let name: String
    let age: String
    let email: String
  }

  struct PersonV2: Codable {
    let alias: String
    let age: String
    let email: String
  }

  private static let stored: [(version: Int, data: Data?)] = [
    (0, try? JSONEncoder().encode(PersonV0(name: "Jo", age: "23"))),
    (1, try? JSONEncoder().encode(PersonV1(name: "Jo", age: "23", email: "---"))),
    (2, try? JSONEncoder().encode(PersonV2(alias: "Jo", age: "23", email: "---"))),
  ]

  @Test("what each version of the app has stored becomes the newest person, seen by a view (B1, B10)") @MainActor
  func ported() async throws {
    for (version, old) in Self.stored {
      let suite = "carryover-port-\(UUID().uuidString)"
      defer { TestSuite.remove(suite) }
      let defaults = try #require(UserDefaults(suiteName: suite))
      let data = try #require(old)
      defaults.set(data, forKey: "person")
      let manager = try Port.MigrationManager(store: DefaultsDataStore(suite: suite))
      #expect(manager.progress.isPending, "version \(version)")
      await manager.applyMigration()
      #expect(!manager.progress.isPending && manager.progress.failures.isEmpty)
      let person = try JSONDecoder().decode(Port.Person.self, from: try #require(defaults.data(forKey: "person")))
      #expect(person == Port.Person(alias: "Jo", email: "---"))
    }
  }
}
