import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import Foundation
import PropertyLists

/// A model in a file, from version 0 to the newest, with a backup.
struct ModelJob: Job {
  var isBeside = false
  private static let old = #"{"name":"John Doe","age":"23"}"#
  private var new: String {
    isBeside ? #"{"alias":"John Doe","visits":3}"# : #"{"alias":"John Doe","visits":3,"version":3}"#
  }

  private struct Person: Codable {
    var alias: String
    var visits: Int
  }

  func prepare(_ folder: String) throws {
    let models = FileDataStore(folder: folder + "/models")
    try models.set(Array(Self.old.utf8), for: "person")
    if isBeside { try models.setInteger(0, for: "person_schema_version") }
  }

  func run(_ folder: String) async throws -> String {
    let migrator = try ModelMigrator(
      model: "person", version: 3,
      versioning: isBeside ? ModelVersioning(beside: .schemaVersion) : ModelVersioning(marker: "version", unmarked: 0),
      steps: [
        ModelStep(from: 0, [.rename("name", to: "alias"), .add("visits", 1)]),
        ModelStep(from: 1, "count a visit") { try Self.countVisit(&$0) },
        ModelStep(from: 2, "count a visit") { value in
          try Self.countVisit(&value)
          value.remove(at: "age")
        },
      ])
    let report = try ModelMigration(
      migrator, of: "person", in: FileDataStore(folder: folder + "/models"),
      backups: FileDataStore(folder: folder + "/backups")
    ) { try JSONDecoder().decode(Person.self, from: Data($0)) }.run()
    return "\(report.steps.count) steps"
  }

  func check(_ folder: String) async throws -> [String] {
    func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    let backups = FileDataStore(folder: folder + "/backups")
    let names = try backups.names()
    let models = FileDataStore(folder: folder + "/models")
    let number = try models.integer(for: "person_schema_version")
    return differences([
      ("the model", text(try models.data(for: "person")), new),
      ("the version beside it", number.map(String.init), isBeside ? "3" : nil),
      (
        "the store's names", try models.names().joined(separator: " "),
        isBeside ? "person person_schema_version" : "person"
      ),
      ("the backups' count", "\(names.count)", "1"),
      ("the backup", text(try names.first.flatMap { try backups.data(for: $0) }), Self.old),
    ])
  }

  private static func countVisit(_ value: inout JSONValue) throws {
    guard let visits = value["visits"]?.numberValue?.int64 else { throw Refused(what: "no visits") }
    value.set(JSONValue(Int(visits) + 1), at: "visits")
  }
}
