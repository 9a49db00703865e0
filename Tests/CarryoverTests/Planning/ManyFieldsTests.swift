import Carryover
import CarryoverSystem
import CarryoverTestSupport
import PropertyLists
import Testing

@Suite("A plan of very many fields")
struct ManyFieldsTests {
  enum Shape: CaseIterable {
    case lost, lostTogether, ofAnotherUser, absent, notConverted, disagreeing, inConflict, alreadyThere, sharingAKey
  }

  private static func rule(_ number: Int, _ shape: Shape) -> FieldRule {
    let source = Candidate(SourceKey("acme_\(number)"), shape == .notConverted ? [.integerFromText] : [.exactText])
    let shared = Candidate(SourceKey("acme_json", member: "m\(number)"))
    var rule = FieldRule(
      target: "f\(number)", group: .other, form: shape == .notConverted ? .integer : .string,
      candidates: [source] + (shape == .sharingAKey ? [shared] : []))
    if shape == .lostTogether { rule.loss = .lost("the flags") }
    if shape == .ofAnotherUser { rule.describes = "user" }
    if shape == .absent {
      rule.otherwise = OwnFinding("acme.none", .note, title: "none", message: "There is none.", remedy: "None.")
    }
    return rule
  }

  static func recipe(_ count: Int, _ shape: Shape) -> Recipe {
    // The field that the others need comes last: a search from the front would meet all of them.
    let user = FieldRule(
      target: "user", group: .identity, form: .string, candidates: [Candidate(SourceKey("acme_user"))],
      loss: .loggedOut)
    return Recipe(
      reference: RecipeReference(id: "acme", version: 1, title: "Acme 1 → 2"), legacySDK: "Acme's SDK",
      target: .suite(["Acme"]), sources: [.suite(.app), .plist([["Library/acme.plist"]])],
      rules: (0..<count).map { rule($0, shape) } + [user], legacyPrefixes: ["acme_"], marks: ["acme_user"])
  }

  static func container(_ count: Int, _ shape: Shape) throws -> Container {
    func keys(_ prefix: String, _ value: String) -> [PropertyListDictionary.Entry] {
      (0..<count).map { .init(key: "\(prefix)\($0)", value: .string("\(value) \($0)")) }
    }
    let members = (0..<count).map { #""m\#($0)":"v""# }.joined(separator: ",")
    let user = [PropertyListDictionary.Entry(key: "acme_user", value: "u-1")]
    var stores = ["Library/Preferences/com.acme.shop.plist": user + (shape == .absent ? [] : keys("acme_", "v"))]
    switch shape {
    case .disagreeing: stores["Library/acme.plist"] = keys("acme_", "other")
    case .ofAnotherUser: stores["Library/Preferences/Acme.plist"] = [.init(key: "user", value: "u-2")]
    case .inConflict: stores["Library/Preferences/Acme.plist"] = keys("f", "other")
    case .alreadyThere: stores["Library/Preferences/Acme.plist"] = keys("f", "v") + [.init(key: "user", value: "u-1")]
    case .sharingAKey:
      stores["Library/Preferences/com.acme.shop.plist"] =
        user + [.init(key: "acme_json", value: .string("{\(members)}"))]
    default: break
    }
    return Container(
      kind: .folder, root: "/box", dataFolder: "", bundleID: "com.acme.shop",
      stores: try stores.sorted { $0.key < $1.key }.map { path, entries in
        let dictionary = PropertyListValue.dictionary(PropertyListDictionary(entries: entries))
        let bytes = try PropertyListDocument.encode(dictionary, as: .binary)
        return Store(path: path, content: .document(try PropertyListDocument(bytes: bytes)))
      }, stateDirectory: "/box/.carryover")
  }

  private static func plan(_ count: Int, _ shape: Shape) throws -> Plan {
    Planner(recipe(count, shape)).plan(try container(count, shape), now: LegacyApp.now)
  }

  @Test("planning takes time in proportion to the fields", arguments: Shape.allCases)
  func planning(_ shape: Shape) throws {
    let factor = try Growth.factor(from: 1000) { count in
      (recipe: Self.recipe(count, shape), container: try Self.container(count, shape))
    } _: { given in
      #expect(Planner(given.recipe).plan(given.container, now: LegacyApp.now).fields.count > 1000)
    }
    #expect(factor < Growth.most)
  }

  @Test(
    "the verdict, what repairs it and the timeline take time in proportion to the fields", arguments: Shape.allCases)
  func diagnosing(_ shape: Shape) throws {
    let factor = try Growth.factor(from: 1000) {
      try Self.plan($0, shape)
    } _: { plan in
      let verdict = plan.definition.verdict(on: plan)
      #expect(Mending(verdict, plan).blockers.isEmpty)
      #expect(plan.definition.timeline(of: plan).isEmpty)
      #expect(plan.definition.missed(plan.fields.map(\.id), in: plan).count <= plan.fields.count)
    }
    #expect(factor < Growth.most)
  }

  @Test("a decision for each field takes time in proportion to the fields", arguments: Shape.allCases)
  func deciding(_ shape: Shape) throws {
    let factor = try Growth.factor(from: 1000) {
      try Self.plan($0, shape)
    } _: { plan in
      let decisions: Decisions = plan.fields.reduce(into: [:]) { $0[$1.id] = .skip }
      let completed = plan.completed(decisions)
      #expect(plan.fields.allSatisfy { plan.field($0.id)?.resolution(completed[$0.id]) == .leave(.skipped) })
      #expect(plan.undecided(decisions).isEmpty && plan.changes(decisions).isEmpty)
    }
    #expect(factor < Growth.most)
  }

  @Test("what a cleanup can remove takes time in proportion to the fields")
  func cleanup() throws {
    let factor = try Growth.factor(from: 1000) { count in
      (recipe: Self.recipe(count, .alreadyThere), container: try Self.container(count, .alreadyThere))
    } _: { given in
      #expect(Planner(given.recipe).cleanupPlan(given.container, now: LegacyApp.now).removable.count > 1000)
    }
    #expect(factor < Growth.most)
  }

  @Test("keys that no field can have take time in proportion to them, and a * in one of them is a character")
  func unusable() throws {
    var recipe = Self.recipe(0, .lost)
    recipe.rules += ["a", "b", "c", "d"].map { name in
      FieldRule(
        target: name + FieldRule.each, group: .other, form: .string,
        candidates: [Candidate(SourceKey("acme_\(name)" + FieldRule.each))], forEach: "acme_\(name)*")
    }
    let factor = try Growth.factor(from: 250) { count in
      let entries = ["a", "b", "c", "d"].flatMap { name in
        (0..<count).map { PropertyListDictionary.Entry(key: "acme_\(name)\u{200B}\($0)*", value: "v") }
      }
      var container = try Self.container(0, .lost)
      let bytes = try PropertyListDocument.encode(
        .dictionary(PropertyListDictionary(entries: entries)), as: .binary)
      container.stores = [
        Store(
          path: "Library/Preferences/com.acme.shop.plist", content: .document(try PropertyListDocument(bytes: bytes)))
      ]
      return container
    } _: { container in
      let plan = Planner(recipe).plan(container, now: LegacyApp.now)
      #expect(plan.fields.map(\.id) == ["user"])
      #expect(plan.dropped.count == plan.basis.count { $0.key.hasSuffix("*") && $0.value != nil })
      #expect(plan.definition.timeline(of: plan).isEmpty)
    }
    #expect(factor < Growth.most)
  }
}
