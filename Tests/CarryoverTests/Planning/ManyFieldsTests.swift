@Suite("A plan of very many fields") struct ManyFieldsTests {
  enum Shape: CaseIterable {
    case lost, lostTogether, ofAnotherUser, absent, notConverted, disagreeing, inConflict, alreadyThere, sharingAKey
  }

  private static let few = 500

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
    return try Container(stores.mapValues { PropertyListDictionary(entries: $0) })
  }

  private static func plan(_ count: Int, _ shape: Shape) throws -> Plan {
    Planner(recipe(count, shape)).plan(try container(count, shape), now: LegacyApp.now)
  }

  @Test(arguments: Shape.allCases)
  func `planning takes time in proportion to the fields`(_ shape: Shape) throws {
    let factor = try Growth.factor(from: Self.few) { count in
      (recipe: Self.recipe(count, shape), container: try Self.container(count, shape))
    } _: { given in
      #expect(Planner(given.recipe).plan(given.container, now: LegacyApp.now).fields.count > Self.few)
    }
    #expect(factor < Growth.most)
  }

  @Test(arguments: Shape.allCases)
  func `verdict, repair, timeline and decisions take time in proportion to the fields`(_ shape: Shape) throws {
    let factor = try Growth.factor(from: Self.few) {
      try Self.plan($0, shape)
    } _: { plan in
      #expect(Mending(plan.definition.verdict(on: plan), plan).blockers.isEmpty)
      #expect(plan.definition.timeline(of: plan).isEmpty)
      #expect(plan.definition.missed(plan.fields.map(\.id), in: plan).count <= plan.fields.count)
      let decisions: Decisions = plan.fields.reduce(into: [:]) { $0[$1.id] = .skip }
      let completed = plan.completed(decisions)
      #expect(plan.fields.allSatisfy { plan.field($0.id)?.resolution(completed[$0.id]) == .leave(.skipped) })
      #expect(plan.undecided(decisions).isEmpty && plan.changes(decisions).isEmpty)
    }
    #expect(factor < Growth.most)
  }

  @Test func `what a cleanup can remove takes time in proportion to the fields`() throws {
    let factor = try Growth.factor(from: Self.few) { count in
      (recipe: Self.recipe(count, .alreadyThere), container: try Self.container(count, .alreadyThere))
    } _: { given in
      #expect(Planner(given.recipe).cleanupPlan(given.container, now: LegacyApp.now).removable.count > Self.few)
    }
    #expect(factor < Growth.most)
  }

  @Test func `keys that no field can have take time in proportion, and a * in one of them is a character`() throws {
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
      return try Container(["Library/Preferences/com.acme.shop.plist": PropertyListDictionary(entries: entries)])
    } _: { container in
      let plan = Planner(recipe).plan(container, now: LegacyApp.now)
      #expect(plan.fields.map(\.id) == ["user"])
      #expect(plan.dropped.count == plan.basis.count { $0.key.hasSuffix("*") && $0.value != nil })
      #expect(plan.definition.timeline(of: plan).isEmpty)
    }
    #expect(factor < Growth.most)
  }
}

@Suite("A container with very many keys") struct ManyKeysTests {
  @Test func `planning takes time in proportion to the legacy SDK's own keys, of which each store has others`() throws {
    let factor = try Growth.factor(from: 1000) { count in
      try Self.app(count).container()
    } _: { container in
      let plan = Planner(.rudderStackObjC).plan(
        container, now: LegacyApp.now, options: PlannerOptions(writeKey: LegacyApp.writeKey))
      #expect(plan.dropped.count > 1000)
    }
    #expect(factor < Growth.most)
  }

  @Test func `planning takes time in proportion to the members of the traits`() throws {
    let factor = try Growth.factor(from: 1000) { count in
      let members = (0..<count).map { #","trait \#($0)":\#($0).50"# }.joined()
      return try LegacyApp.traits(#"{"userId":"u-42"\#(members)}"#).container()
    } _: { container in
      let plan = Planner(.rudderStackObjC).plan(
        container, now: LegacyApp.now, options: PlannerOptions(writeKey: LegacyApp.writeKey))
      #expect(plan.field("traits")?.status == .ready)
    }
    #expect(factor < Growth.most)
  }

  @Test func `of the keys that no rule names the value is shown that the legacy SDK reads`() throws {
    var app = LegacyApp.with([:])
    app.standard = PropertyListDictionary(
      entries: LegacyApp.clean.entries + [
        .init(key: "rl_b", value: "first"), .init(key: "rl_a", value: 1), .init(key: "rl_b", value: "second"),
      ])
    app.file = PropertyListDictionary(
      entries: LegacyApp.clean.entries + [
        .init(key: "rl_c", value: "first"), .init(key: "rl_a", value: 2), .init(key: "rl_c", value: "last"),
      ])
    let plan = try app.plan()
    #expect(plan.dropped.map(\.key) == ["rl_a", "rl_b", "rl_c"])
    // Foundation takes the first of several from a binary file, and the last from XML.
    #expect(plan.dropped.map(\.value) == [1, "first", "last"])
    #expect(plan.findings.contains { $0.observation == .droppedUnknownKey(["rl_a", "rl_b", "rl_c"]) })
    // It does not matter which file has a key that is not migrated.
    #expect(!plan.findings.contains { [.sourceStale, .sourcePartial].contains($0.code) })
  }

  private static func app(_ count: Int) -> LegacyApp {
    func keys(_ range: Range<Int>) -> PropertyListDictionary {
      PropertyListDictionary(
        entries: LegacyApp.clean.entries + range.map { .init(key: "rl_custom_\($0)", value: .string("value \($0)")) })
    }
    return LegacyApp(standard: keys(0..<count), file: keys(count / 2..<count + count / 2))
  }
}

@Suite("What the steps of a plan make") struct StepBudgetTests {
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

  @Test func `a field keeps what short steps make, and of a long result only the size`() throws {
    let field = try #require(try Self.plan(1, Array(repeating: .prefix(Self.piece), count: 128)).fields.first)
    #expect(field.proposed == .string(String(repeating: Self.piece, count: 128) + "v 0") && field.status == .ready)
    #expect(field.steps.count == 128)
    #expect(field.steps[33].result == .string(String(repeating: Self.piece, count: 34) + "v 0"))
    #expect(field.steps[33].omittedBytes == nil)
    #expect(field.steps[34].result == nil && field.steps[34].omittedBytes == 35 * 1_900 + 3)
    #expect(field.steps.allSatisfy { Self.size($0.result) <= 64 << 10 })
  }

  @Test func `beyond 256 MiB a field has no proposal and asks; the fields before it are as they were`() throws {
    let plan = try Self.plan(40, Array(repeating: .prefix(Self.piece), count: 128))
    let made = plan.fields.dropLast().prefix { $0.proposed != nil }
    // 128 steps make 15.7 million bytes; their titles, with the pieces, take 0.2 million.
    #expect(made.count == 16)
    #expect(made.allSatisfy { $0.status == .ready && Self.size($0.proposed) > 128 * 1_900 })
    let rest = plan.fields.dropLast().dropFirst(made.count)
    #expect(rest.allSatisfy { $0.proposed == nil && $0.status == .needsDecision })
    #expect(Set(rest.flatMap(\.findings).map(\.code)) == [.sourceNotConverted])
    let message = try #require(rest.first?.findings.first?.message)
    #expect(message.hasSuffix("The steps of this plan would produce more than 256 MiB in total."), "\(message)")
    let kept = plan.fields.reduce(0) { $0 + $1.steps.reduce(0) { $0 + Self.size($1.result) } }
    #expect(kept < 16 << 20)
    #expect(plan.field("user")?.status == .ready)
  }

  @Test func `steps without an effect cost next to nothing, however long the value is`() throws {
    let text = String(repeating: "v", count: 1 << 20)
    var recipe = ManyFieldsTests.recipe(2, .lost)
    // 384 steps on a megabyte each would be beyond what a plan's steps may make.
    for index in recipe.rules.indices {
      recipe.rules[index].candidates = [Candidate(SourceKey("acme_user"), Array(repeating: .exactText, count: 128))]
    }
    let container = try Container(["Library/Preferences/com.acme.shop.plist": ["acme_user": .string(text)]])
    let plan = Planner(recipe).plan(container, now: LegacyApp.now)
    #expect(plan.fields.allSatisfy { $0.status == .ready && $0.proposed == .string(text) })
  }

  @Test func `a cleanup still compares a long result with the target`() throws {
    let text = String(repeating: "v", count: 100_000)
    let recipe = ManyFieldsTests.recipe(1, .lost)
    let stores: [String: PropertyListDictionary] = [
      "Library/Preferences/Acme.plist": ["f0": .string(text)],
      "Library/Preferences/com.acme.shop.plist": ["acme_0": .string(text), "acme_user": "u"],
    ]
    let container = try Container(stores)
    #expect(Planner(recipe).cleanupPlan(container, now: LegacyApp.now).removable.map(\.id.key) == ["acme_0"])
  }

  @Test func `a model's step that puts a long value into each of many elements makes no text of it`() throws {
    let long = JSONValue.string(Self.piece)
    let elements = JSONValue.array(Array(repeating: ["a": 1], count: 200_000))
    let migrator = try ModelMigrator(
      model: "m", version: 2, versioning: ModelVersioning(marker: "v", unmarked: 1),
      steps: [ModelStep(from: 1, [.each(of: "list", [.add("b", long)])])])
    let transform = Transform.model(ModelRule(migrator))
    let text = JSONValue.object([JSONMember("list", elements)]).text()
    #expect(throws: TransformFailure.tooMuch) { try transform(.string(text), now: LegacyApp.now) }
  }

  @Test func `a recipe's operations run on a bounded number of elements, also on those that they add`() throws {
    let list = JSONValue.array(Array(repeating: .object([]), count: 100))
    var operation = ModelOperation.add("d", 1)
    for name in ["c", "b", "a"] { operation = .each(of: ModelPath(name), [.add(ModelPath("c"), list), operation]) }
    let step = ModelStep(
      from: 1, [.add("a", list), .each(of: "a", [.add("b", list), operation])], title: nil, onAtMost: 50)
    let migrator = try ModelMigrator(
      model: "m", version: 2, versioning: ModelVersioning(marker: "v", unmarked: 1), steps: [step])
    #expect(throws: ModelError.self) { try migrator.migrated(["v": 1]) }
  }

  @Test func `numbers that would fill the memory as decimals are refused`() throws {
    let text = #"{"a":["# + Array(repeating: "1", count: 400_001).joined(separator: ",") + "]}"
    #expect(throws: TransformFailure.tooMuch) { try Transform.decimalPropertyList(.string(text), now: LegacyApp.now) }
  }
}
