import Carryover
import CarryoverStorage
import CarryoverSystem
import PropertyLists
import Testing

@Suite("What the steps of a plan make")
struct StepBudgetTests {
  private static let piece = String(repeating: "x", count: 1_900)

  private static func plan(_ count: Int, _ transforms: [Transform], form: TargetForm = .string) throws -> Plan {
    var recipe = ManyFieldsTests.recipe(count, .lost)
    for index in recipe.rules.indices.dropLast() {
      recipe.rules[index].candidates[0].transforms = transforms
      recipe.rules[index].form = form
    }
    return Planner(recipe).plan(try ManyFieldsTests.container(count, .lost), now: LegacyApp.now)
  }

  private static func size(_ value: PropertyListValue?) -> Int {
    switch value {
    case .string(let text)?: text.utf8.count
    case .data(let bytes)?: bytes.count
    default: 0
    }
  }

  @Test("a field keeps what short steps make, and of a long result only the size")
  func kept() throws {
    let field = try #require(try Self.plan(1, Array(repeating: .prefix(Self.piece), count: 128)).fields.first)
    #expect(field.proposed == .string(String(repeating: Self.piece, count: 128) + "v 0") && field.status == .ready)
    #expect(field.steps.count == 128)
    #expect(field.steps[33].result == .string(String(repeating: Self.piece, count: 34) + "v 0"))
    #expect(field.steps[33].omittedBytes == nil)
    #expect(field.steps[34].result == nil && field.steps[34].omittedBytes == 35 * 1_900 + 3)
    #expect(field.steps.allSatisfy { Self.size($0.result) <= 64 << 10 })
  }

  @Test("beyond 256 MiB a field has no proposal and asks; the fields before it are as they were")
  func bounded() throws {
    let plan = try Self.plan(40, Array(repeating: .prefix(Self.piece), count: 128))
    let made = plan.fields.dropLast().prefix { $0.proposed != nil }
    // 128 steps make 15.7 million bytes; their titles, with the pieces, take 0.2 million.
    #expect(made.count == 16)
    #expect(made.allSatisfy { $0.status == .ready && Self.size($0.proposed) > 128 * 1_900 })
    let rest = plan.fields.dropLast().dropFirst(made.count)
    #expect(rest.allSatisfy { $0.proposed == nil && $0.status == .needsDecision })
    #expect(Set(rest.flatMap(\.findings).map(\.code)) == [.sourceNotConverted])
    let message = try #require(rest.first?.findings.first?.message)
    #expect(message.hasSuffix("The steps of this plan would make more than 256 MiB together."), "\(message)")
    let kept = plan.fields.reduce(0) { $0 + $1.steps.reduce(0) { $0 + Self.size($1.result) } }
    #expect(kept < 16 << 20)
    // A field without steps makes nothing.
    #expect(plan.field("user")?.status == .ready)
  }

  @Test("steps without an effect cost next to nothing, however long the value is")
  func unchanged() throws {
    let text = String(repeating: "v", count: 1 << 20)
    var recipe = ManyFieldsTests.recipe(500, .lost)
    for index in recipe.rules.indices {
      recipe.rules[index].candidates = [Candidate(SourceKey("acme_user"), [.exactText])]
    }
    var container = try ManyFieldsTests.container(0, .lost)
    let bytes = try PropertyListDocument.encode(.dictionary(["acme_user": .string(text)]), as: .binary)
    container.stores[0].content = .document(try PropertyListDocument(bytes: bytes))
    let plan = Planner(recipe).plan(container, now: LegacyApp.now)
    #expect(plan.fields.allSatisfy { $0.status == .ready && $0.proposed == .string(text) })
  }

  @Test("a cleanup still compares a long result with the target")
  func cleanup() throws {
    let text = String(repeating: "v", count: 100_000)
    let recipe = ManyFieldsTests.recipe(1, .lost)
    let stores: [String: PropertyListDictionary] = [
      "Library/Preferences/Acme.plist": ["f0": .string(text)],
      "Library/Preferences/com.acme.shop.plist": ["acme_0": .string(text), "acme_user": "u"],
    ]
    var container = try ManyFieldsTests.container(0, .lost)
    container.stores = try stores.sorted { $0.key < $1.key }.map { path, keys in
      let bytes = try PropertyListDocument.encode(.dictionary(keys), as: .binary)
      return Store(path: path, content: .document(try PropertyListDocument(bytes: bytes)))
    }
    #expect(Planner(recipe).cleanupPlan(container, now: LegacyApp.now).removable.map(\.id.key) == ["acme_0"])
  }

  @Test("a model's step that puts a long value into each of many elements makes no text of it")
  func model() throws {
    let long = JSONValue.string(Self.piece)
    let elements = JSONValue.array(Array(repeating: ["a": 1], count: 200_000))
    let migrator = try ModelMigrator(
      model: "m", version: 2, versioning: ModelVersioning(marker: "v", unmarked: 1),
      steps: [ModelStep(from: 1, [.each(of: "list", [.add("b", long)])])])
    let transform = Transform.model(ModelRule(migrator))
    let text = JSONValue.object([JSONMember("list", elements)]).text()
    #expect(throws: TransformFailure.tooMuch) { try transform(.string(text), now: LegacyApp.now) }
  }

  @Test("a recipe's operations run on a bounded number of elements, also on those that they add")
  func elements() throws {
    let list = JSONValue.array(Array(repeating: .object([]), count: 100))
    var operation = ModelOperation.add("d", 1)
    for name in ["c", "b", "a"] { operation = .each(of: ModelPath(name), [.add(ModelPath("c"), list), operation]) }
    let step = ModelStep(
      from: 1, [.add("a", list), .each(of: "a", [.add("b", list), operation])], title: nil, onAtMost: 50)
    let migrator = try ModelMigrator(
      model: "m", version: 2, versioning: ModelVersioning(marker: "v", unmarked: 1), steps: [step])
    #expect(throws: ModelError.self) { try migrator.migrated(["v": 1]) }
  }

  @Test("numbers that would fill the memory as decimals are refused")
  func decimals() throws {
    let text = #"{"a":["# + Array(repeating: "1", count: 400_001).joined(separator: ",") + "]}"
    #expect(throws: TransformFailure.tooMuch) {
      try Transform.decimalPropertyList(.string(text), now: LegacyApp.now)
    }
  }
}
