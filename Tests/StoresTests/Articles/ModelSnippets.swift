import Carryover
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

// snippet: model-type
/// The customer, as the newest version of the app uses it.
struct Customer: Codable, Equatable {
  var alias: String
  var email: String
}
// end snippet

// snippet: model-history
enum CustomerHistory {
  static func migrator() throws -> ModelMigrator {
    try ModelMigrator(
      model: "customer", version: 2,
      versioning: ModelVersioning(
        marker: "version",
        shapes: [
          0: ModelShape(required: ["name"], forbidden: ["email", "alias"]),
          1: ModelShape(required: ["name", "email"], forbidden: ["alias"]),
          2: ModelShape(required: ["alias", "email"], forbidden: ["name"]),
        ]),
      steps: [
        ModelStep(from: 0, [.add("email", "---")]),
        ModelStep(from: 1, [.rename("name", to: "alias")]),
      ])
  }

  static func migration(in store: any DataStore) throws -> ModelMigration<Customer> {
    ModelMigration(try migrator(), of: "customer", in: store) { bytes in
      try JSONDecoder().decode(Customer.self, from: Data(bytes))
    }
  }
}
// end snippet

private func start(_ store: any DataStore) throws -> Customer? {
  // snippet: model-run
  let report = try CustomerHistory.migration(in: store).run()
  for step in report.steps { print("\(step.from): \(step.title)") }
  let customer = report.value
  // end snippet
  return customer
}

private func goBack(_ store: any DataStore) throws {
  // snippet: model-restore
  let migration = try CustomerHistory.migration(in: store)
  if let backup = try migration.listBackups().first {
    try migration.restore(backup)
  }
  // end snippet
}

private func codedStep() -> ModelStep {
  // snippet: model-coded-step
  ModelStep(from: 2, "split the alias into two names") { customer in
    let parts = (customer["alias"]?.stringValue ?? "").split(separator: " ", maxSplits: 1)
    customer.set(.string(String(parts.first ?? "")), at: "firstName")
    customer.set(.string(String(parts.dropFirst().first ?? "")), at: "lastName")
    customer.remove(at: "alias")
  }
  // end snippet
}

@Suite("The article about models")
struct ModelSnippetTests {
  @Test("a customer is migrated, and the old one can be put back")
  func migrated() throws {
    let old = #"{"name":"Jo Doe"}"#
    let store = MemoryDataStore(["customer": Array(old.utf8)])
    #expect(try start(store) == Customer(alias: "Jo Doe", email: "---"))
    #expect(try store.data(for: "customer") == Array(#"{"alias":"Jo Doe","email":"---","version":2}"#.utf8))
    try goBack(store)
    #expect(try store.data(for: "customer") == Array(old.utf8))
  }

  @Test("a coded step does what it says")
  func coded() throws {
    let migrator = try ModelMigrator(
      model: "customer", version: 3, versioning: ModelVersioning(marker: "version", unmarked: 2),
      steps: [codedStep()])
    let result = try migrator.migrated(try JSONText(#"{"alias":"Jo van Doe"}"#).value)
    #expect(result.text() == #"{"firstName":"Jo","lastName":"van Doe","version":3}"#)
  }
}
