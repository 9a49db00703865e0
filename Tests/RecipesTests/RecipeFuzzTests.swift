import Carryover
import CarryoverRecipes
import CarryoverSystem
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("Recipes with hostile values")
struct RecipeFuzzTests {
  /// Values of every type: empty, huge, deep, not a number, with NUL.
  private static let values: [PropertyListValue] = PropertyListValue.Kind.allCases.flatMap {
    kind -> [PropertyListValue] in
    switch kind {
    case .string:
      [
        "", "\u{0}", .string(String(repeating: "9", count: 1 << 16)), "NaN", "-0", "1e400", "{", "[]", "null", "true",
        #"{"alias":"","age":1e400,"email":"\u0000"}"#,
        .string(String(repeating: "[", count: 5000)), #"{"userId":null,"anonymousId":{},"id":[]}"#,
        .string(#"{"userId":"# + String(repeating: "[", count: 5000)), "{\"userId\":1e400,\"plan\":\"\\u0000\"}",
      ]
    case .integer:
      ["0", "-1", "9223372036854775808", "-9223372036854775809", "340282366920938463463374607431768211455"].compactMap {
        PropertyListInteger($0).map(PropertyListValue.integer)
      }
    case .real:
      [0, -0.0, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e18, -1.5].map {
        .real(PropertyListReal($0))
      }
    case .boolean: [true, false]
    case .date:
      ["2001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"].compactMap {
        PropertyListDate(iso8601: $0).map(PropertyListValue.date)
      }
    case .data: [.data([]), .data([0]), .data(Array("bplist00".utf8)), .data([UInt8](repeating: 0xFF, count: 1 << 16))]
    case .array: [.array([]), deep, .array([PropertyListValue](repeating: "", count: 1000))]
    case .dictionary:
      [
        .dictionary(PropertyListDictionary(entries: [])),
        .dictionary(PropertyListDictionary(entries: [.init(key: "\u{0}", value: deep), .init(key: "", value: .null)])),
      ]
    case .uid: [.uid(0), .uid(.max)]
    case .set: [.set([]), .set([deep])]
    case .null: [.null]
    }
  }

  private static let deep = (0..<500).reduce(PropertyListValue.array([])) { value, _ in .array([value]) }

  @Test(
    "no value of any key crashes a plan, and a value that did not pass every step is not written",
    arguments: BuiltIn.all)
  func holds(_ builtIn: BuiltIn) throws {
    try check(builtIn.recipe.filled(["token": "ff", "namespace": "shop"]))
  }

  @Test("the same is true of the steps that no built-in recipe has")
  func others() throws {
    let path = BuiltIn.repository.appendingPathComponent("Tests/Fixtures/Recipes/steps.recipe.yaml")
    try check(try #require(RecipeFile.read(Array(try Data(contentsOf: path)), vendors: vendors).file).recipe)
  }

  private func check(_ recipe: Recipe) throws {
    #expect(Set(Self.values.map(\.kind)) == Set(PropertyListValue.Kind.allCases))
    var recipe = recipe
    // The values are as a reader gives them: some types have no form in a file.
    let table = KeyValueTable("fuzz", key: "key", value: "value")
    recipe.sources = [.table(["Library/fuzz.sqlite"], table)]
    let keys = recipe.knownKeys.union(bytesOf: recipe.optOutKeys).sorted().map(\.text)
    let options = PlannerOptions(parameters: ["write-key": "WK"])
    var count = 0
    for key in keys + ["*"] {
      for value in Self.values {
        let entries = (key == "*" ? keys : [key]).map { PropertyListDictionary.Entry(key: $0, value: value) }
        let tables: PropertyListDictionary = [table.label: .dictionary(PropertyListDictionary(entries: entries))]
        let container = Container(
          kind: .folder, root: "/fuzz", dataFolder: "", bundleID: "com.example.app",
          stores: [Store(path: "Library/fuzz.sqlite", content: .database(tables), bytes: [])],
          stateDirectory: "/fuzz/.carryover")
        let plan = Planner(recipe).plan(container, now: Moment(secondsSince1970: 1_763_640_300), options: options)
        let written = Set(plan.changes([:]).map(\.key))
        count += written.count
        for (rule, field) in zip(recipe.rules, plan.fields) where written.contains(field.id) {
          let comment = "\(key): \(value.kind) → \(field.id)"
          let proposed = try #require(field.proposed, "\(comment)")
          #expect(
            field.form.mismatch(proposed) == nil
              && field.steps.allSatisfy { $0.result != nil || $0.omittedBytes != nil }, "\(comment)")
          guard let origin = field.origin, origin.source.member == nil else { continue }
          let candidate = try #require(rule.candidates.first { $0.source == origin.source })
          #expect(throws: Never.self, "\(comment)") {
            try candidate.transforms.reduce(value) { try $1($0, now: plan.now) }
          }
        }
      }
    }
    #expect(count > 0, "some of the values are migrated")
  }
}
