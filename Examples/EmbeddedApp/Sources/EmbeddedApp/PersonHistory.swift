import CarryoverStorage
import CarryoverUserDefaults

/// The person of every version. Steps that were shipped never change; a new version adds one.
enum PersonHistory {
  /// What version 2 of the app reads.
  nonisolated struct WithEmail: Decodable {
    var name: String
    var age: String
    var email: String
  }

  /// What version 3 of the app reads.
  nonisolated struct Current: Decodable {
    var alias: String
    var email: String
  }

  /// Brings the person to the newest version and says what was done. A version of the app knows the steps up to its own.
  static func run(newest: Int, in store: any ByteStore) throws -> String {
    let migrator = try ModelMigrator(
      model: "person", version: 3, versioning: ModelVersioning(marker: "version", shapes: shapes), steps: steps
    ).upTo(newest)
    return newest == 3
      ? try describe(ModelMigration(Current.self, migrator, of: "person", in: store).run())
      : try describe(ModelMigration(WithEmail.self, migrator, of: "person", in: store).run())
  }

  private static func describe<Person>(_ report: ModelReport<Person>) -> String {
    guard let from = report.from, let to = report.to else { return "none" }
    return report.hasWritten
      ? "\(from) → \(to): \(report.steps.joined(separator: "; "))" : "current, version \(to)"
  }

  private static let shapes: [Int: ModelShape] = [
    0: ModelShape(required: ["name", "age"], forbidden: ["email", "alias"]),
    1: ModelShape(required: ["name", "age", "email"], forbidden: ["alias"]),
    2: ModelShape(required: ["alias", "age", "email"], forbidden: ["name"]),
    3: ModelShape(required: ["alias", "email"], forbidden: ["name", "age"]),
  ]

  private static let steps = [
    ModelStep(from: 0, [.add("email", "---")]),
    ModelStep(from: 1, [.rename("name", to: "alias")]),
    ModelStep(from: 2, [.remove("age")]),
  ]
}
