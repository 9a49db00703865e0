import Carryover
import CarryoverUserDefaults
import Foundation
import PropertyLists

/// The versioned person of the example: {name, age}, then an e-mail, then an alias for the name, then no age.
enum Person {
  struct Current: Codable, Hashable {
    var alias: String
    var email: String
  }

  static let fixtures = ModelFixtures.of("person")

  static func migrator(marker: String? = nil) throws -> ModelMigrator {
    let shapes: [Int: ModelShape] = [
      0: ModelShape(required: ["name", "age"], forbidden: ["email", "alias"]),
      1: ModelShape(required: ["name", "age", "email"], forbidden: ["alias"]),
      2: ModelShape(required: ["alias", "age", "email"], forbidden: ["name"]),
      3: ModelShape(required: ["alias", "email"], forbidden: ["name", "age"]),
    ]
    return try ModelMigrator(
      model: "person", version: 3,
      versioning: marker.map { ModelVersioning(marker: $0, shapes: shapes) } ?? ModelVersioning(shapes: shapes),
      steps: [
        ModelStep(from: 0, [.add("email", "---")]),
        ModelStep(from: 1, [.rename("name", to: "alias")]),
        ModelStep(from: 2, [.remove("age")]),
      ])
  }

  static func migration(
    in store: any DataStore, marker: String? = nil, backups: (any DataStore)? = nil,
    observe: @escaping @Sendable (ModelEvent) -> Void = { _ in }
  ) throws -> ModelMigration<Current> {
    ModelMigration(
      Current.self, try migrator(marker: marker), of: "person", in: store, backups: backups, observe: observe)
  }
}
