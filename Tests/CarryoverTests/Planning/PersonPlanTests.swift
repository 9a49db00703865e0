import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("A versioned model in a plan")
struct PersonPlanTests {
  @Test(
    "every older version is ready, with a step for each version, as the type it has (B1, B2)", arguments: [false, true])
  func versions(isText: Bool) throws {
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

  @Test("a plan says which version the data is in, and what every step did to which member (B1)")
  func steps() throws {
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

  @Test("a current model is unchanged, with or without its marker, and nothing is written (B3)")
  func current() throws {
    for stored in [#"{"alias":"J","email":"---"}"#, #"{"alias":"J","email":"---","version":3}"#] {
      let field = try field(value(stored, false))
      #expect(field.status == .unchanged && field.steps.isEmpty)
      #expect(field.resolution(nil) == .leave(.unchanged))
    }
  }

  @Test("no model is nothing to do (B4)")
  func absent() throws { #expect(try field(nil).status == .absent) }

  @Test("What cannot be migrated is a finding that says why, and nothing is proposed")
  func findings() throws {
    let cases: [(PropertyListValue, FindingCode, FieldStatus, String)] = [
      (.string("nonsense"), .modelCorrupt, .needsDecision, "person has no proposal: it is not valid JSON."),
      (.data([0xFF, 0xFE]), .modelCorrupt, .needsDecision, "its data is not text"),
      (.integer(7), .modelCorrupt, .needsDecision, "it is an integer, not JSON in data or text."),
      (.string(#"{"hello":1}"#), .modelUnknownVersion, .needsDecision, "it has the members of no known version."),
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
      let field = try field(value)
      #expect(field.findings.map(\.code) == [code])
      #expect(field.status == status && field.proposed == nil)
      #expect(field.findings.first?.message.contains(sentence) == true, "\(field.findings.first?.message ?? "")")
    }
  }

  @Test("The history of the built-in recipe is as sound as one that is checked when it is made")
  func sound() throws {
    let person = try #require(Recipe.person.rules.first?.model).migrator
    #expect(throws: Never.self) {
      try ModelMigrator(
        model: person.model, version: person.version, versioning: person.versioning, steps: person.steps)
    }
  }

  @Test("The model is the recipe of a container only where no SDK has left a key, and only by its members")
  func detection() throws {
    let person = value(#"{"name":"J","age":"23"}"#, false)
    #expect(Recipe.detect(in: try container(["person": person])).recipe == .person)
    let both = Recipe.detect(in: try container(["person": person, "rl_anonymous_id": "a"]))
    #expect(both.recipe == .rudderStackObjC && both.evidence.map(\.recipe.id) == ["rudderstack-objc"])
  }

  @Test("pending and failed are noticed in a container without the recipe's name: garbage and contradictions, too (B6)")
  func observed() throws {
    let failed: [(PropertyListValue, FindingCode)] = [
      ("somebody", .modelCorrupt), (.data([0xFF, 0xFE]), .modelCorrupt), (7, .modelCorrupt), ("{", .modelCorrupt),
      (#"{"name":"J","version":3}"#, .modelUnknownVersion), (#"{"hello":1}"#, .modelUnknownVersion),
      (#"{"alias":"J","email":"x","version":4}"#, .modelNewerVersion),
    ]
    for (stored, code) in failed {
      let container = try container(["person": stored])
      let detection = Recipe.detect(in: container)
      #expect(detection.recipe == .person && detection.evidence.map(\.keys) == [["person"]], "\(stored)")
      let plan = Planner(detection.recipe).plan(container, now: Moment(secondsSince1970: 0))
      #expect(plan.findings.map(\.code) == [code] && plan.field("person")?.proposed == nil, "\(stored)")
    }
    let pending = try container(["person": value(#"{"name":"J","age":"23"}"#, true)])
    let plan = Planner(Recipe.detect(in: pending).recipe).plan(pending, now: Moment(secondsSince1970: 0))
    let field = plan.field("person")
    #expect(field?.status == .ready && field?.model == FieldModel(name: "person", version: 0, newest: 3))
    #expect(Recipe.detect(in: try container(["theme": "dark"])).recipe == .rudderStackObjC)
    let other = Recipe.detect(in: try container(["person": "somebody", "rl_anonymous_id": "a"]))
    #expect(other.recipe == .rudderStackObjC)
  }

  @Test("a version beside the data is never passed over: what this recipe cannot change it does not migrate (D1)")
  func versionBeside() throws {
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

  @Test("Each place stands once in what a plan rests on, though source and target are one file")
  func basis() throws {
    let plan = Planner(.person).plan(
      try container(["person": value(#"{"name":"J","age":"23"}"#, true)]), now: Moment(secondsSince1970: 0))
    #expect(plan.basis.map(\.key) == ["person"])
    #expect(plan.findings.isEmpty && plan.target?.path == "Library/Preferences/com.acme.shop.plist")
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
    let bytes = try PropertyListDocument.encode(.dictionary(PropertyListDictionary(entries: entries)), as: .binary)
    return Container(
      kind: .folder, root: "/app", dataFolder: "", bundleID: "com.acme.shop", bundleIDOrigin: .option,
      stores: [
        Store(
          path: "Library/Preferences/com.acme.shop.plist", content: .document(try PropertyListDocument(bytes: bytes)))
      ], stateDirectory: "/state")
  }
}
