import Carryover
import CarryoverStorage
import CarryoverVendors
import PropertyLists
import Testing

@Suite("Recipes in words, and what changes between two")
struct RecipeDiffTests {
  private struct Check: FieldCheck {
    let name: String
    func amend(_ draft: inout FieldDraft, _ context: PlanningContext) {}
    func findings(_ rule: FieldRule, of recipe: Recipe) -> [FindingCode] { [] }
  }

  /// A recipe that says something about everything.
  private static let acme = Recipe(
    reference: RecipeReference(id: "acme-sdk", version: 1, title: "Acme 1 → 2"), about: "One.\n\nTwo,\nthree.",
    vendor: Recipe.rudderStackObjC.knowledge.vendor, legacySDK: "Acme 1", migrator: VendorMigrator("Acme's migrator"),
    parameters: [RecipeParameter("token", "project token", form: .hexadecimal)], target: .suite([.bundleID, ".acme"]),
    sources: [
      .suite(.app), .plist([["Library/a.plist"]]), .json(["Library/a.json"]), .file([["Library/b"]], as: "b"),
      .archive([["Library/c"]], as: "c"), .table(["Library/d"], KeyValueTable("t", key: "k", value: "v")),
    ],
    generations: [Generation("Acme 1", keys: ["id", "p*"], files: [.suite(.app)])],
    rules: [
      FieldRule(
        target: "user", group: .identity, form: .string,
        candidates: [
          Candidate(SourceKey("id"), [.exactText]),
          Candidate(
            SourceKey("profile", member: "id"), [.wholeNumber], when: [Condition(.oneOf([1]), key: "mode")]),
        ], requirements: [.atMostBytes(8), .nonEmpty],
        checks: [Check(name: "one"), Check(name: "two")], freshWithout: ["profile"], loss: .loggedOut, moment: "began",
        otherwise: OwnFinding("acme-sdk.lost", .error, title: "it is lost", message: "Lost.", remedy: "Find it.")),
      FieldRule(target: "profile", group: .traits, form: .string, candidates: [Candidate(SourceKey("p"))]),
    ],
    leftBehind: [LeftBehind("queue", because: "Events are not migrated.")], legacyPrefixes: ["acme_"], marks: ["id"],
    newestPrefix: "acme2_", optOutKeys: ["out"], comparedKeys: ["other"])

  private func difference(_ change: (inout Recipe) -> Void) -> RecipeDiff {
    var other = Self.acme
    change(&other)
    return RecipeDiff(Self.acme, other)
  }

  /// The properties of a value by name, which a change of each must cover.
  private func properties(_ value: Any) -> Set<String> { Set(Mirror(reflecting: value).children.compactMap(\.label)) }

  @Test("whatever changes in a recipe is a line that changes, in the part that says it")
  func recipe() {
    let changes: [(String, (inout Recipe) -> Void)] = [
      ("reference", { $0.reference.id = "acme-sdk2" }), ("reference", { $0.reference.version = 2 }),
      ("reference", { $0.reference.title = "x" }), ("about", { $0.about = "One." }), ("about", { $0.about = nil }),
      ("legacySDK", { $0.legacySDK = "Acme 0" }), ("migrator", { $0.migrator?.runs = .atEachStart }),
      ("parameters", { $0.parameters[0].name = "t" }), ("parameters", { $0.parameters[0].title = "t" }),
      ("parameters", { $0.parameters[0].form = .name }), ("target", { $0.target = .suite([.bundleID, ".acm"]) }),
      ("target", { $0.target = .plist(["Library/x.plist"]) }), ("sources", { $0.sources.swapAt(0, 1) }),
      ("sources", { $0.sources[1] = .file([["Library/a.plist"]], as: "x") }),
      ("sources", { $0.sources[2] = .plist([["Library/a.json"]]) }),
      ("sources", { $0.sources[3] = .file([["Library/b"]], as: "x") }),
      ("sources", { $0.sources[4] = .archive([["Library/c"]], as: nil) }),
      ("sources", { $0.sources[5] = .table(["Library/d"], KeyValueTable("t", key: "k", value: "w")) }),
      (
        "rules",
        {
          $0.rules.append($0.rules[1]); $0.rules[2].target = "z"
        }
      ), ("rules", { $0.rules.removeLast() }),
      ("leftBehind", { $0.leftBehind = [] }), ("legacyPrefixes", { $0.legacyPrefixes = ["acm"] }),
      ("generations", { $0.generations = [] }), ("generations", { $0.generations[0].name = "Acme 0" }),
      ("generations", { $0.generations[0].keys = ["id"] }), ("generations", { $0.generations[0].files = [] }),
      ("generations", { $0.generations[0].mayBeOlder = true }),
      ("generations", { $0.generations[0].isUnreadByMigrator = true }),
      ("sources", { $0.sources[3] = .file([["Library/b"]], as: "b", orText: true) }),
      ("marks", { $0.marks.insert("x") }), ("isOnlyByName", { $0.isOnlyByName = true }),
      ("optOutKeys", { $0.optOutKeys = [] }), ("comparedKeys", { $0.comparedKeys.append("x") }),
      ("elsewhere", { $0.elsewhere.append(Elsewhere(.files(["Library/old"]), because: "It is not read.")) }),
      ("newestPrefix", { $0.newestPrefix = nil }), ("knowledge", { $0.knowledge = Knowledge(vendor: nil) }),
    ]
    // Nothing of the rest is in a file.
    let others: Set = ["origin", "knownOptOuts", "knownOptOutFiles", "values"]
    #expect(Set(changes.map(\.0)).union(others) == properties(Self.acme))
    for (name, change) in changes {
      let found = difference(change)
      #expect(!found.isEmpty && !found.hasOtherDifference && found.changes.count == 1, "\(name): \(found)")
    }
    #expect(difference { _ in }.isEmpty)
  }

  @Test("whatever changes in a field is a line of that field")
  func field() {
    let changes: [(String, (inout FieldRule) -> Void)] = [
      ("group", { $0.group = .traits }), ("form", { $0.form = .decimalString }),
      ("candidates", { $0.candidates.swapAt(0, 1) }), ("candidates", { $0.candidates = [] }),
      ("requirements", { $0.requirements = [] }), ("requirements", { $0.requirements[0] = .atMostBytes(7) }),
      ("requirements", { $0.requirements.swapAt(0, 1) }), ("reader", { $0.reader = .text }),
      ("checks", { $0.checks.swapAt(0, 1) }), ("checks", { $0.checks = [] }),
      ("freshWithout", { $0.freshWithout = [] }),
      ("describes", { $0.describes = "profile" }), ("isMigratedByVendor", { $0.isMigratedByVendor = true }),
      ("loss", { $0.loss = nil }), ("moment", { $0.moment = "ended" }), ("otherwise", { $0.otherwise = nil }),
      ("otherwise", { $0.otherwise?.name = "acme-sdk.gone" }), ("otherwise", { $0.otherwise?.severity = .note }),
      ("otherwise", { $0.otherwise?.title = "it is gone" }), ("otherwise", { $0.otherwise?.message = "Gone." }),
      ("otherwise", { $0.otherwise?.remedy = "Look for it." }), ("forEach", { $0.forEach = "id_*" }),
    ]
    #expect(Set(changes.map(\.0)).union(["target", "place"]) == properties(Self.acme.rules[0]))
    for (name, change) in changes {
      let found = difference { change(&$0.rules[0]) }
      #expect(found.changes.map(\.part) == [.field("user")] && found.changes.first?.kind == .changed, "\(name)")
    }
    let renamed = difference { $0.rules[0].target = "who" }
    #expect(renamed.changes.map(\.part) == [.field("user"), .field("who")])
    #expect(renamed.changes.map(\.kind) == [.removed, .added] && renamed.count(.added, inFields: true) == 1)

    let sources: [(String, (inout Candidate) -> Void)] = [
      ("source", { $0.source.key = "x" }), ("source", { $0.source.member = "x" }),
      ("source", { $0.source = SourceKey("profile.id") }), ("transforms", { $0.transforms = [] }),
      ("isAbove", { $0.isAbove = true }), ("doubt", { $0.doubt = "It may be old." }),
      ("conditions", { $0.conditions = [] }), ("conditions", { $0.conditions[0].key = nil }),
      ("conditions", { $0.conditions[0].test = .oneOf(["on"]) }),
      ("conditions", { $0.conditions.append(Condition(.nonEmpty)) }),
    ]
    #expect(Set(sources.map(\.0)) == properties(Self.acme.rules[0].candidates[1]))
    for (name, change) in sources {
      #expect(difference { change(&$0.rules[0].candidates[1]) }.changes.map(\.part) == [.field("user")], "\(name)")
    }
    let losses = [
      Loss(.newUser, "the user id", ahead: "a", past: "b"), Loss(.newUser, "the user", ahead: "a", past: "b"),
      Loss(.session, "the user id", ahead: "a", past: "b"), Loss(.newUser, "the user id", ahead: "c", past: "b"),
      Loss(.newUser, "the user id", ahead: "a", past: "c"),
      Loss(.newUser, "the user id", ahead: "a", past: "b", partOf: "d"), .loggedOut, .lost("the user id", .loggedOut),
    ]
    #expect(properties(losses[0]).count == 5)
    for (index, one) in losses.enumerated() {
      for other in losses[..<index] {
        var (left, right) = (Self.acme, Self.acme)
        (left.rules[0].loss, right.rules[0].loss) = (one, other)
        #expect(RecipeDiff(left, right).changes.count == 1, "\(one) \(other)")
      }
    }
  }

  @Test("whatever changes in a key that is not migrated is a line of that key")
  func leftBehind() {
    let changes: [(String, (inout LeftBehind) -> Void)] = [
      ("reason", { $0.reason = "x" }), ("secret", { $0.secret = true }), ("moment", { $0.moment = "x" }),
      ("file", { $0.file = ["queue"] }),
    ]
    #expect(Set(changes.map(\.0)).union(["key", "isLiteral"]) == properties(Self.acme.leftBehind[0]))
    for (name, change) in changes {
      #expect(difference { change(&$0.leftBehind[0]) }.changes.map(\.part) == [.notMigrated("queue")], "\(name)")
    }
  }

  @Test("every step and every part of a model has words of its own")
  func steps() {
    func model(_ versioning: ModelVersioning, _ steps: [ModelStep], version: Int = 2) -> Transform {
      .model(ModelRule(ModelMigrator(sound: "m", version: version, versioning: versioning, steps: steps)))
    }
    let shapes = ModelVersioning(marker: "v", unmarked: 1, shapes: [1: ModelShape(required: ["a"], forbidden: ["b"])])
    let transforms: [Transform] = [
      .exactText, .numberText, .wholeNumber, .integerFromText, .boolean, .invert, .pastSecondsToMilliseconds,
      .jsonWithoutMembers(["a"]), .jsonWithoutMembers(["b"]), .archivedJSON, .jsonText, .decimalPropertyList,
      .propertyListData, .keyedArchive, .isPresent, .only(["a"]), .except(["a"]), .prefix("a"), .prefix("b"),
      .dropPrefix("a"), .lowercase, .uppercase, .map([.init("a", to: "b")]), .map([.init("b", to: "a")]),
      .map([.init(1, to: "b")]), .millisecondsToSeconds, .dateToMilliseconds, .iso8601, .jsonOnlyMembers(["a"]),
      .jsonRenamedMembers([.init("a", to: "b")]), .jsonRenamedMembers([.init("b", to: "a")]), .wrap("a"), .unwrap("a"),
      model(shapes, [ModelStep(from: 1, [.remove("a")])]),
      model(shapes, [ModelStep(from: 1, [.remove("b")])]),
      model(shapes, [ModelStep(from: 1, [.remove("a")], title: "t")]),
      model(shapes, [ModelStep(from: 1, [.remove("b")], title: "t")]),
      model(ModelVersioning(marker: "w", unmarked: 1, shapes: shapes.shapes), [ModelStep(from: 1, [.remove("a")])]),
      model(ModelVersioning(marker: "v", unmarked: 0, shapes: shapes.shapes), [ModelStep(from: 1, [.remove("a")])]),
      model(
        ModelVersioning(marker: "v", unmarked: 1, shapes: [1: ModelShape(required: ["b"], forbidden: ["a"])]),
        [ModelStep(from: 1, [.remove("a")])]),
    ]
    let words = transforms.map { transform in
      var recipe = Self.acme
      recipe.rules[0].candidates = [Candidate(SourceKey("id"), [transform])]
      return recipe.sections.flatMap(\.lines).map(\.text)
    }
    for index in words.indices {
      for other in words[..<index] { #expect(words[index] != other, "\(transforms[index])") }
    }
  }

  @Test("lines that stay are between those that go and those that come, in the order of the new recipe")
  func lines() throws {
    let found = difference { $0.rules[0].candidates.insert(Candidate(SourceKey("new")), at: 1) }
    let rule = try #require(found.changes.first?.rules.first)
    #expect(rule.kind == .from && rule.lines.map(\.side) == [.both, .new, .both])
    #expect(rule.lines[1].text == "new")
    let swapped = difference { $0.sources.swapAt(0, 5) }
    let lines = try #require(swapped.changes.first?.rules.first?.lines)
    let sources = { (recipe: Recipe) in recipe.sections.flatMap(\.lines).filter { $0.kind == .read }.map(\.text) }
    #expect(lines.filter { $0.side != .new }.map(\.text) == sources(Self.acme))
    var other = Self.acme
    other.sources.swapAt(0, 5)
    #expect(lines.filter { $0.side != .old }.map(\.text) == sources(other))
  }

  @Test("only another order of fields is a difference without lines, and many lines are compared at once")
  func order() {
    var other = Self.acme
    other.rules.append(FieldRule(target: "z", group: .traits, form: .string, candidates: []))
    var swapped = other
    swapped.rules.swapAt(1, 2)
    swapped.rules.swapAt(0, 1)
    let moved = RecipeDiff(other, swapped)
    #expect(moved.changes.isEmpty && moved.hasOtherDifference && !moved.isEmpty)
    var (many, others) = (other, other)
    many.optOutKeys = (0..<9000).map { "a\($0)" }
    others.optOutKeys = (0..<9000).map { "b\($0)" }
    #expect(RecipeDiff(many, others).changes.first?.rules.first?.lines.count == 18_000)
  }

  @Test("the built-in recipes differ from each other, and from themselves in nothing")
  func builtIn() {
    for recipe in Recipe.builtIn {
      for other in Recipe.builtIn { #expect(RecipeDiff(recipe, other).isEmpty == (recipe == other)) }
      #expect(recipe.about != nil)
    }
  }
}
