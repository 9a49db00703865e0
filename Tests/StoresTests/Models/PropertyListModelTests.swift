import CarryoverStorage
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("Models that are property lists")
struct PropertyListModelTests {
  private let suite = "carryover-models-\(UUID().uuidString)"

  private struct Visit: Codable, Equatable {
    var place: String
    var at: Date
    var photo: Data
    var score: Double
    var count: Int
    var isKept: Bool
  }

  private let visits = try? ModelMigrator(
    model: "visits", version: 1,
    versioning: ModelVersioning(
      shapes: [
        0: .init(required: ["where"], forbidden: ["place"]), 1: .init(required: ["place"], forbidden: ["where"]),
      ]
    ).ofElements(),
    steps: [ModelStep(from: 0, [.each([.rename("where", to: "place"), .add("isKept", true)])])])

  @Test("a dictionary of UserDefaults is migrated, stays a dictionary, and can be put back (B12)")
  func dictionary() throws {
    defer { TestSuite.remove(suite) }
    let defaults = try #require(UserDefaults(suiteName: suite))
    defaults.set(["name": "Jo", "age": "23"], forKey: "person")
    let store = try DefaultsDataStore(suite: suite).readingEveryType()
    let migration = try Person.migration(in: store, marker: "version")
    let report = try migration.run()
    #expect(report.value == Person.Current(alias: "Jo", email: "---") && report.from == 0)
    let stored = try #require(defaults.dictionary(forKey: "person"))
    #expect(stored["alias"] as? String == "Jo" && stored["version"] as? Int == 3 && stored.count == 3)
    #expect(try migration.run().hasWritten == false)
    try migration.restore(try #require(report.backup))
    #expect(defaults.dictionary(forKey: "person") as? [String: String] == ["name": "Jo", "age": "23"])
  }

  @Test("a list of dictionaries keeps its dates, bytes and kinds of numbers (B12)")
  func list() throws {
    defer { TestSuite.remove(suite) }
    let defaults = try #require(UserDefaults(suiteName: suite))
    // Of whole seconds: Linux's Foundation keeps no others.
    let date = Date(timeIntervalSinceReferenceDate: 86_400)
    let visit: [String: Any] = [
      "where": "Rome", "at": date, "photo": Data([0, 255]), "score": 2.0,
      "count": 2,
    ]
    defaults.set([visit], forKey: "visits")
    let store = try DefaultsDataStore(suite: suite).readingEveryType()
    let value = try ModelMigration([Visit].self, try #require(visits), of: "visits", in: store).run().value
    #expect(
      value == [Visit(place: "Rome", at: date, photo: Data([0, 255]), score: 2, count: 2, isKept: true)])
    let bytes = try #require(try store.data(for: "visits"))
    guard case .array(let elements) = try PropertyListDocument(bytes: bytes).root,
      case .dictionary(let stored)? = elements.first
    else {
      Issue.record("no list of dictionaries")
      return
    }
    #expect(stored["at"]?.kind == .date && stored["photo"]?.kind == .data && stored["score"]?.kind == .real)
    #expect(stored["count"]?.kind == .integer && stored["isKept"]?.kind == .boolean)
  }

  @Test("a file that is a property list stays one of its format (B12)", arguments: [PropertyListFormat.binary, .xml])
  func file(format: PropertyListFormat) throws {
    let at = PropertyListValue.date(PropertyListDate(secondsSince2001: format == .binary ? 0.5 : 1))
    let old: PropertyListValue = ["name": "Jo", "age": "23", "at": at, "raw": .data([1]), "one": 1.0]
    let store = MemoryDataStore(["person": try PropertyListDocument.encode(old, as: format)])
    #expect(try Person.migration(in: store).run().value == Person.Current(alias: "Jo", email: "---"))
    let document = try PropertyListDocument(bytes: try #require(try store.data(for: "person")))
    #expect(document.format == format && document.dictionary?["alias"] == "Jo")
    #expect(document.dictionary?["at"] == at && document.dictionary?["raw"] == .data([1]))
    #expect(document.dictionary?["one"] == 1.0 && document.dictionary?.entries.count == 5)
  }

  @Test("what steps cannot be given, or a property list not contain, is refused before anything is written (B12)")
  func refused() throws {
    let strange: [PropertyListValue] = [
      ["name": .null, "age": "1"], ["name": .real(PropertyListReal(.infinity)), "age": "1"],
      ["name": ["$date": "x"], "age": "1"], ["name": .set([]), "age": "1"],
    ]
    for value in strange {
      let store = CountingStore(["person": try PropertyListDocument.encode(value, as: .binary)])
      let error = #expect(throws: ModelMigrationError.self) { try Person.migration(in: store).run() }
      guard case .corrupt? = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(error?.description.contains("steps cannot read") == true && store.writes == 0)
    }
    var deep = PropertyListValue.array([])
    for _ in 0..<400 { deep = .array([deep]) }
    let deepBytes = try PropertyListDocument.encode(["name": deep, "age": "1"], as: .binary)
    #expect(throws: ModelMigrationError.self) { try Person.migration(in: MemoryDataStore(["person": deepBytes])).run() }
    let nulling = try ModelMigrator(
      model: "m", version: 1, versioning: ModelVersioning(marker: "v", unmarked: 0),
      steps: [ModelStep(from: 0, [.add("none", .null)])])
    let store = CountingStore(["m": try PropertyListDocument.encode(["a": 1], as: .binary)])
    let error = #expect(throws: ModelMigrationError.self) {
      try ModelMigration(nulling, of: "m", in: store) { $0 }.run()
    }
    guard case .unreadableResult? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(store.writes == 0)
  }
}
