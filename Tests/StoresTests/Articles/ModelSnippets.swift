import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import Testing

// snippet: model-type
/// The customer, as the newest version of the app uses it.
nonisolated struct Customer: Codable, Equatable {
  var alias: String
  var email: String
}
// end snippet

// snippet: model-history
nonisolated enum CustomerHistory {
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

  static func migration(in store: any ByteStore) throws -> ModelMigration<Customer> {
    ModelMigration(Customer.self, try migrator(), of: "customer", in: store)
  }
}
// end snippet

private func start(_ store: any ByteStore) throws -> Customer? {
  // snippet: model-run
  let report = try CustomerHistory.migration(in: store).run()
  for step in report.steps { print(step) }
  let customer = report.value
  // end snippet
  return customer
}

private func goBack(_ report: ModelReport<Customer>, _ store: any ByteStore) throws {
  // snippet: model-restore
  let migration = try CustomerHistory.migration(in: store)
  if let backup = report.backup {
    try migration.restore(backup)
  }
  // end snippet
}

private func goBackLater(_ store: any ByteStore) throws {
  let migration = try CustomerHistory.migration(in: store)
  // snippet: model-restore-version
  if let backup = try migration.listBackups().last(where: { $0.version == 1 }) {
    try migration.restore(backup)
  }
  // end snippet
}

private func prune(_ migration: ModelMigration<Customer>) throws -> [ModelBackup] {
  // snippet: model-prune
  let removed = try migration.prune(keeping: { $0.version == 1 })
  // end snippet
  return removed
}

private func readCodable(_ store: any ByteStore) throws -> Customer? {
  // snippet: model-codable
  let migration = ModelMigration(Customer.self, try CustomerHistory.migrator(), of: "customer", in: store)
  let current = try migration.run().value
  // end snippet
  return current
}

private func startSeveral(_ customer: ModelMigration<Customer>, _ guest: ModelMigration<Customer>) -> Int {
  // snippet: model-several
  let report = ModelMigrations([customer.erased(), guest.erased()]).run()
  for failure in report.failures { print(failure) }
  // end snippet
  return report.failures.count
}

private func codedStep() -> ModelStep {
  // snippet: model-coded-step
  ModelStep(from: 2, "split the alias into two names") { customer in
    let parts = (customer["alias"]?.stringValue ?? "").split(separator: " ", maxSplits: 1)
    customer["firstName"] = .string(String(parts.first ?? ""))
    customer["lastName"] = .string(String(parts.dropFirst().first ?? ""))
    customer["alias"] = nil
  }
  // end snippet
}

@MainActor private func watch(_ customer: ModelMigration<Customer>) async -> ModelMigrationProgress {
  // snippet: model-progress
  let progress = ModelMigrationProgress(ModelMigrations([customer.erased()]))
  await progress.run()  // in the `.task` of the first view
  // end snippet
  return progress
}

private func upToFirst(_ store: any ByteStore) throws -> ModelReport<[UInt8]> {
  // snippet: model-up-to
  let first = try CustomerHistory.migrator().upTo(1)
  let report = try ModelMigration(first, of: "customer", in: store) { $0 }.run()
  // end snippet
  return report
}

private func addresses() -> [ModelStep] {
  // snippet: model-elements
  let steps = [
    ModelStep(from: 0, [.wrap("address", in: "street")]),  // "Main St 1" → {"street":"Main St 1"}
    ModelStep(from: 1, [.each(of: "orders", [.rename("sum", to: "total")])]),
  ]
  // end snippet
  return steps
}

@Suite("The article about models")
struct ModelSnippetTests {
  @Test("a customer is migrated, and the old one can be put back")
  func migrated() throws {
    let old = #"{"name":"Jo Doe"}"#
    let store = MemoryDataStore(["customer": Array(old.utf8)])
    #expect(try start(store) == Customer(alias: "Jo Doe", email: "---"))
    #expect(try store.data(for: "customer") == Array(#"{"alias":"Jo Doe","email":"---","version":2}"#.utf8))
    #expect(try readCodable(store) == Customer(alias: "Jo Doe", email: "---"))
  }

  @Test func `going back restores what was replaced, or a version, and the next start migrates it again`() throws {
    let (first, second) = (#"{"name":"Jo"}"#, #"{"name":"Jo Doe","email":"jo@acme.example","version":1}"#)
    let store = MemoryDataStore(["customer": Array(first.utf8)])
    try CustomerHistory.migration(in: store).run()
    try store.set(Array(second.utf8), for: "customer")
    let migration = try CustomerHistory.migration(in: store)
    let report = try migration.run()
    #expect(try migration.listBackups().map(\.version) == [0, 1])
    try goBack(report, store)
    #expect(try store.data(for: "customer") == Array(second.utf8))
    #expect(try migration.run().value == Customer(alias: "Jo Doe", email: "jo@acme.example"))
    try goBackLater(store)
    #expect(try store.data(for: "customer") == Array(second.utf8))
    #expect(try migration.listBackups().map(\.version) == [0, 1, nil])
    #expect(try prune(migration).map(\.version) == [0, nil])
    #expect(try migration.listBackups().map(\.version) == [1])
  }

  @Test("one of several that fails holds up no other")
  func several() throws {
    let good = MemoryDataStore(["customer": Array(#"{"name":"Jo"}"#.utf8)])
    let bad = MemoryDataStore(["customer": Array("no JSON".utf8)])
    #expect(try startSeveral(CustomerHistory.migration(in: bad), CustomerHistory.migration(in: good)) == 1)
    #expect(try CustomerHistory.migration(in: good).run().hasWritten == false)
  }

  @Test("the newest version may be an earlier one, and a view may watch") @MainActor
  func upTo() async throws {
    let store = MemoryDataStore(["customer": Array(#"{"name":"Jo Doe"}"#.utf8)])
    #expect(try upToFirst(store).to == 1)
    let progress = await watch(try CustomerHistory.migration(in: store))
    #expect(!progress.isPending && progress.failures.isEmpty)
    #expect(try start(store) == Customer(alias: "Jo Doe", email: "---"))
  }

  @Test("declared steps reach elements, and make objects of strings")
  func elements() throws {
    let migrator = try ModelMigrator(
      model: "customer", version: 2, versioning: ModelVersioning(marker: "v", unmarked: 0), steps: addresses())
    let old = try JSONText(#"{"address":"Main St 1","orders":[{"sum":1}]}"#).value
    let new = #"{"address":{"street":"Main St 1"},"orders":[{"total":1}],"v":2}"#
    #expect(try migrator.migrated(old).text() == new)
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
