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

/// The versioned person of the example, as the recipe `person` has it, with a marker or without.
enum Person {
  struct Current: Codable, Hashable {
    var alias: String
    var email: String
  }

  static let fixtures = ModelFixtures.of("person")

  static func migrator(marker: String? = nil) throws -> ModelMigrator {
    let person = try #require(Recipe.person.rules.first?.model).migrator
    let shapes = person.versioning.shapes
    return try ModelMigrator(
      model: person.model, version: person.version,
      versioning: marker.map { ModelVersioning(marker: $0, shapes: shapes) } ?? ModelVersioning(shapes: shapes),
      steps: person.steps)
  }

  static func migration(
    in store: any ByteStore, marker: String? = nil, backups: (any ByteStore)? = nil,
    observe: @escaping @Sendable (ModelEvent) -> Void = { _ in }
  ) throws -> ModelMigration<Current> {
    ModelMigration(
      Current.self, try migrator(marker: marker), of: "person", in: store, backups: backups, observe: observe)
  }
}
