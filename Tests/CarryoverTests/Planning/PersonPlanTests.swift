@Suite("A versioned model in a plan") struct PersonPlanTests {
  @Test(arguments: [false, true])
  func `every older version is ready, with a step for each version, as the type it has (B1, B2)`(isText: Bool) throws {
    for (version, stored) in [
      #"{"name":"J","age":"23"}"#, #"{"name":"J","age":"23","email":"---"}"#,
      #"{"alias":"J","age":"23","email":"---"}"#,
    ].enumerated() {
      let field = try field(value(stored, isText))
      #expect(field.status == .ready && field.findings.isEmpty)
      #expect(field.legacy == value(stored, isText) && field.current == field.legacy)
      #expect(field.proposed == value(#"{"alias":"J","email":"---","version":3}"#, isText))
      #expect(field.steps.map(\.version) == Array(version..<3))
      #expect(field.form.kind == field.legacy?.kind)
    }
  }

  @Test func `a plan says which version the data is in, and what every step did to which member (B1)`() throws {
    let field = try field(value(#"{"name":"J","age":"23"}"#, false))
    #expect(field.model == FieldModel(name: "person", version: 0, newest: 3))
    #expect(
      field.steps.map(\.changes) == [
        [ModelChange(.added, path: ["email"], after: "---")],
        [ModelChange(.renamed, path: ["name"], destination: ["alias"], before: "J", after: "J")],
        [ModelChange(.removed, path: ["age"], before: "23"), ModelChange(.added, path: ["version"], after: 3)],
      ])
    #expect(field.steps.map(\.operation) == [#"add email: "---""#, "rename name → alias", "remove age"])
    #expect(try self.field(value(#"{"alias":"J","email":"x"}"#, false)).model?.version == 3)
    #expect(try self.field(value("nonsense", true)).model == FieldModel(name: "person", version: nil, newest: 3))
    #expect(try self.field(nil).model?.version == nil)
  }

  @Test("What cannot be migrated is noticed without the recipe's name, and a finding says why: garbage, too (B6)")
  func findings() throws {
    let cases: [(PropertyListValue, FindingCode, FieldStatus, String)] = [
      (.string("nonsense"), .modelCorrupt, .needsDecision, "person has no proposal: it is not valid JSON."),
      (.data([0xFF, 0xFE]), .modelCorrupt, .needsDecision, "its data is not text"),
      (.integer(7), .modelCorrupt, .needsDecision, "it is an integer, not JSON in data or text."),
      (.string("{"), .modelCorrupt, .needsDecision, "it is not valid JSON."),
      (.string(#"{"hello":1}"#), .modelUnknownVersion, .needsDecision, "it has the members of no known version."),
      (
        .string(#"{"name":"J","version":3}"#), .modelUnknownVersion, .needsDecision,
        "it is marked as version 3 and does not have that version's members."
      ),
      (.string("[]"), .modelUnknownVersion, .needsDecision, "the data is of type array, and a model is an object."),
      (
        .string(#"{"alias":"J","email":"x","version":4}"#), .modelNewerVersion, .dropped,
        "person is not migrated: its version 4 is newer than 3, the newest that the recipe knows."
      ),
      (
        .string(#"{"name":"J","alias":"K","age":"1","email":"x"}"#), .modelStepFailed, .needsDecision,
        "person has no proposal: the step from version 1 to 2 (rename name → alias) failed: “alias” is there already."
      ),
    ]
    for (value, code, status, sentence) in cases {
      let container = try container(["person": value])
      let detection = Recipe.detect(in: container)
      #expect(detection.recipe == .person && detection.evidence.map(\.keys) == [["person"]], "\(value)")
      let plan = Planner(detection.recipe).plan(container, now: Moment(secondsSince1970: 0))
      let field = try #require(plan.field("person"))
      #expect(plan.findings.map(\.code) == [code] && field.findings.map(\.code) == [code])
      #expect(field.status == status && field.proposed == nil)
      #expect(field.findings.first?.message.contains(sentence) == true, "\(field.findings.first?.message ?? "")")
    }
  }

  @Test func `The history of the built-in recipe is as sound as one that is checked when it is made`() throws {
    let person = try #require(Recipe.person.rules.first?.model).migrator
    #expect(throws: Never.self) {
      try ModelMigrator(
        model: person.model, version: person.version, versioning: person.versioning, steps: person.steps)
    }
  }

  @Test func `The model is the recipe of a container only where no SDK left a key, and by its members alone`() throws {
    let person = value(#"{"name":"J","age":"23"}"#, false)
    #expect(Recipe.detect(in: try container(["person": person])).recipe == .person)
    #expect(Recipe.detect(in: try container(["theme": "dark"])).recipe == .rudderStackObjC)
    for person in [person, "somebody"] {
      let both = Recipe.detect(in: try container(["person": person, "rl_anonymous_id": "a"]))
      #expect(both.recipe == .rudderStackObjC && both.evidence.map(\.recipe.id) == ["rudderstack-objc"])
    }
  }

  @Test func `a version beside the data is never passed over: what cannot be changed stays (D1)`() throws {
    let v0 = value(#"{"name":"J","age":"23"}"#, false)
    for version: PropertyListValue in [2, "2", "two", .data([0x32])] {
      let container = try container(["person": v0, "person_schema_version": version])
      let field = try #require(Planner(.person).plan(container, now: Moment(secondsSince1970: 0)).field("person"))
      #expect(field.proposed == nil && field.findings.map(\.code) == [.modelUnknownVersion], "\(version)")
      #expect(field.findings.first?.message.contains("person_schema_version") == true)
      #expect(field.model?.version == nil)
    }
    let current = try container(["person": value(#"{"alias":"J","email":"x"}"#, false), "person_schema_version": 3])
    let field = Planner(.person).plan(current, now: Moment(secondsSince1970: 0)).field("person")
    #expect(field?.status == .unchanged)
  }

  @Test func `Each place stands once in what a plan rests on, though source and target are one file`() throws {
    let plan = Planner(.person).plan(
      try container(["person": value(#"{"name":"J","age":"23"}"#, true)]), now: Moment(secondsSince1970: 0))
    #expect(plan.basis.map(\.key) == ["person"])
    #expect(plan.findings.isEmpty && plan.target?.path == "Library/Preferences/com.acme.shop.plist")
  }

  @Test func `the verdict says which members the steps remove, and only what the data has`() throws {
    func sentence(_ json: String) throws -> String {
      let plan = Planner(.person).plan(
        try container(["person": value(json, true)]), now: Moment(secondsSince1970: 0))
      return plan.definition.verdict(on: plan).text
    }
    let without = "Every value found can be migrated, except what the recipe's steps remove: age."
    #expect(try sentence(#"{"name":"J","age":"23"}"#) == without)
    #expect(try sentence(#"{"alias":"J","age":"23","email":"x"}"#) == without)
    #expect(
      try sentence(#"{"alias":"J","email":"x","version":3}"#)
        == "There is nothing to migrate: every value found is current.")
  }

  private func value(_ text: String, _ isText: Bool) -> PropertyListValue {
    isText ? .string(text) : .data(Array(text.utf8))
  }

  private func field(_ value: PropertyListValue?) throws -> Field {
    let plan = Planner(.person).plan(
      try container(value.map { ["person": $0] } ?? [:]), now: Moment(secondsSince1970: 1_763_640_300))
    return try #require(plan.field("person"))
  }

  private func container(_ values: [String: PropertyListValue]) throws -> Container {
    let entries = values.sorted { $0.key < $1.key }.map { PropertyListDictionary.Entry(key: $0.key, value: $0.value) }
    return try Container(["Library/Preferences/com.acme.shop.plist": PropertyListDictionary(entries: entries)])
  }
}

@Suite("What a step of a model did") struct ModelChangeTests {
  private static func changes(_ before: String, _ operations: [ModelOperation]) throws -> [ModelChange] {
    let old = try JSONText(before).value
    var new = old
    for operation in operations { try operation(&new) }
    return ModelChange.between(old, new, by: operations)
  }

  @Test func `A renaming is one change, and so are several that follow each other`() throws {
    let expected = ModelChange(.renamed, path: ["a"], destination: ["c"], before: 1, after: 1)
    #expect(try Self.changes(#"{"a":1}"#, [.rename("a", to: "c")]) == [expected])
    #expect(try Self.changes(#"{"a":1}"#, [.rename("a", to: "b"), .rename("b", to: "c")]) == [expected])
    #expect(try Self.changes(#"{"a":1}"#, [.rename("a", to: "b"), .rename("b", to: "a")]).isEmpty)
  }

  @Test func `Moving into a new object is one change; what else is in that object is told too`() throws {
    let expected = ModelChange(.moved, path: ["name"], destination: ["profile", "name"], before: "J", after: "J")
    #expect(try Self.changes(#"{"name":"J"}"#, [.move("name", to: "profile.name")]) == [expected])
    let both = try Self.changes(
      #"{"name":"J","age":1}"#,
      [.move("name", to: "profile.name"), .move("age", to: "profile.age"), .add("profile.new", true)])
    #expect(
      both == [
        expected, ModelChange(.moved, path: ["age"], destination: ["profile", "age"], before: 1, after: 1),
        ModelChange(.added, path: ["profile"], after: ["new": true]),
      ])
    #expect(
      try Self.changes(#"{"profile":{"name":"J","x":1}}"#, [.move("profile.name", to: "name")])
        == [ModelChange(.moved, path: ["profile", "name"], destination: ["name"], before: "J", after: "J")])
  }

  @Test func `Another type is told from another value, and a renamed member may have another value besides`() throws {
    #expect(
      try Self.changes(#"{"age":"23"}"#, [.retype("age", to: .number)])
        == [ModelChange(.retyped, path: ["age"], before: "23", after: 23)])
    #expect(
      try Self.changes(#"{"age":"23"}"#, [.rename("age", to: "years"), .retype("years", to: .number)])
        == [ModelChange(.renamed, path: ["age"], destination: ["years"], before: "23", after: 23)])
    #expect(
      ModelChange.between(["a": 1], ["a": 2], by: []) == [ModelChange(.changed, path: ["a"], before: 1, after: 2)])
  }

  @Test func `Of a coded step only what went and what came is told, for equal values may be chance`() {
    #expect(
      ModelChange.between(["old": true], ["new": true], by: [])
        == [ModelChange(.removed, path: ["old"], before: true), ModelChange(.added, path: ["new"], after: true)])
  }

  @Test func `A member that was renamed and removed in one step was removed`() throws {
    #expect(
      try Self.changes(#"{"a":1,"x":2}"#, [.rename("a", to: "b"), .remove("b")])
        == [ModelChange(.removed, path: ["a"], before: 1)])
  }
}

@Suite("A plan depends on what an apply reads again") struct PlanBasisTests {
  @Test(arguments: Recipe.builtIn)
  func `a plan that nothing has changed is never stale, whatever keys of others are there`(_ recipe: Recipe) throws {
    let parameters = [
      RecipeParameter.writeKey.name: LegacyApp.writeKey, "token": "ff", "apiKey": "ff", "namespace": "ff",
    ]
    let recipe = recipe.filled(parameters)
    for known in Recipe.builtIn.map({ $0.filled(parameters) }) {
      var keys = LegacyApp.clean
      for key in known.knownKeys.sorted().map(\.text) + known.optOutKeys + ["standardDefaultsCopied"]
      where keys[key] == nil { keys[key] = .string("v") }
      let box = try CleanupBox(LegacyApp(standard: keys, file: keys))
      let options = PlannerOptions(parameters: parameters, allowed: Set(FindingCode.allCases))
      let plan = try box.migrator.plan(box.container, with: recipe, now: LegacyApp.now, options: options)
      let decisions = plan.fields.reduce(into: Decisions()) { decisions, field in
        if field.status.asks { decisions[field.id] = field.proposed == nil ? .skip : .migrate }
      }
      guard plan.target != nil, !plan.changes(decisions).isEmpty else { continue }
      do {
        _ = try box.migrator.apply(plan, decisions: decisions, in: box.container)
      } catch {
        if case .stalePlan(let basis, _) = error { Issue.record("\(recipe.reference.id): \(basis)") }
      }
    }
  }

  @Test func `the beta's recipe is applied although a mark of the older SDK counts as a value`() throws {
    var keys = try BetaApp.clean()
    keys["standardDefaultsCopied"] = true
    let box = try CleanupBox(LegacyApp(standard: keys, file: nil))
    let options = PlannerOptions(writeKey: LegacyApp.writeKey)
    let plan = try box.migrator.plan(box.container, with: .rudderStackSwiftV2, now: LegacyApp.now, options: options)
    #expect(plan.basis.first { $0.key == "standardDefaultsCopied" }?.value == true)
    let decisions = plan.fields.reduce(into: Decisions()) { if $1.status.asks { $0[$1.id] = .skip } }
    #expect(try box.migrator.apply(plan, decisions: decisions, in: box.container).runID != nil)
    let again = try CleanupBox(LegacyApp(standard: keys, file: nil))
    let stale = try again.migrator.plan(
      again.container, with: .rudderStackSwiftV2, now: LegacyApp.now, options: options)
    keys["standardDefaultsCopied"] = false
    try again.put(LegacyApp.standardPath, keys)
    #expect(throws: RunError.self) { try again.migrator.apply(stale, decisions: decisions, in: again.container) }
  }
}
