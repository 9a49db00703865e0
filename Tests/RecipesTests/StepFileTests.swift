@Suite("Steps in recipe files") struct StepFileTests {
  private static func recipe(_ steps: String, _ form: String = "string", group: String = "other") -> String {
    """
    \(acmeStart)
    read: [{suite: "${bundle-id}"}]
    write: {suite: "${bundle-id}.acme"}
    detect: [old]
    opt-out-keys: []
    fields: [{key: new, group: \(group), form: \(form), from: [{key: old, steps: [\(steps)]}]}]
    tests: [{name: a, given: {Library/Preferences/com.example.app.plist: {a: 1}}, expect: {fields: {new: absent}}}]
    """
  }

  private static func read(_ text: String) -> (file: RecipeFile?, issues: [LintIssue]) {
    RecipeFile.read(Array(text.utf8), vendors: [])
  }

  @Test(arguments: [
    ("milliseconds-to-seconds, text", "string", [Transform.millisecondsToSeconds, .exactText]),
    ("date-to-milliseconds", "integer", [.dateToMilliseconds]), ("iso8601", "string", [.iso8601]),
    ("lowercase, uppercase", "string", [.lowercase, .uppercase]),
    (#"{prefix: "$device:"}, {drop-prefix: a}"#, "string", [.prefix("$device:"), .dropPrefix("a")]),
    ("{json-only: [a, b]}", "json-object-string", [.jsonOnlyMembers(["a", "b"])]),
    ("{json-rename: {a: b, b: a}}", "string", [.jsonRenamedMembers([.init("a", to: "b"), .init("b", to: "a")])]),
    ("{wrap: a}, property-list-data", "data", [.wrap("a"), .propertyListData]),
    ("{wrap: a}, {unwrap: a}, number-text", "string", [.wrap("a"), .unwrap("a"), .numberText]),
    (
      #"{map: [{from: "1", to: 2}, {from: 1, to: 3}, {from: true, to: 4}, {from: false, to: 5}]}"#, "integer",
      [.map([.init("1", to: 2), .init(1, to: 3), .init(true, to: 4), .init(false, to: 5)])]
    ),
  ])
  func `each step is read`(_ steps: String, _ form: String, _ transforms: [Transform]) {
    let read = Self.read(Self.recipe(steps, form))
    #expect(read.issues == [])
    #expect(read.file?.recipe.rules.first?.candidates.first?.transforms == transforms)
  }

  @Test(
    "steps that do not fit, and values that they cannot have, are found",
    arguments: [
      ("iso8601, text", "string", "R203", "text"), ("iso8601", "integer", "R201", "integer"),
      ("iso8601, date-to-milliseconds", "integer", "R202", "string"),
      ("milliseconds-to-seconds", "integer", "R201", "real"),
      ("boolean, lowercase", "string", "R202", "string"), ("lowercase, boolean", "boolean", "R202", "string"),
      ("{wrap: a}", "string", "R201", "dictionary"), ("{wrap: a}, {prefix: b}", "string", "R202", "dictionary"),
      ("text, {unwrap: a}", "string", "R202", "dictionary"),
      ("property-list-data, {json-only: [a]}", "string", "R202", "data"),
      ("{prefix: 1}", "string", "R017", "Quote"), (#"{wrap: ""}"#, "data", "R017", "Text"),
      ("{json-only: []}", "string", "R017", "one value"), ("{json-rename: {}}", "string", "R017", "one value"),
      ("{json-rename: [a]}", "string", "R017", "map"), ("{json-rename: {a: c, b: c}}", "string", "R017", "new name"),
      ("{json-rename: {a: 1}}", "string", "R017", "Quote"), ("{map: []}", "string", "R017", "one value"),
      ("{map: {a: b}}", "string", "R017", "list"), ("{map: [{from: a}]}", "string", "R018", "to"),
      ("{map: [{from: a, to: b, because: c}]}", "string", "R012", "because"),
      ("{map: [{from: a, to: b}, {from: a, to: c}]}", "string", "R017", "already"),
      ("{map: [{from: a, to: b}, {from: c, to: 1}]}", "string", "R017", "one type"),
      ("{map: [{from: 1.5, to: b}]}", "string", "R017", "integer"),
      ("{map: [{from: a, to: [b]}]}", "string", "R017", "text"),
      ("{map: [{from: a, to: 1}]}", "string", "R201", "integer"),
      ("boolean, {map: [{from: a, to: b}]}", "string", "R202", "boolean"),
      ("{map: [{from: true, to: a}]}", "string", "R208", "both"), ("{json-onyl: [a]}", "string", "R212", "json-only"),
      ("iso-8601", "string", "R212", "iso8601"),
    ])
  func refused(_ steps: String, _ form: String, _ code: String, _ words: String) {
    let issues = Self.read(Self.recipe(steps, form)).issues
    #expect(issues.contains { $0.code.rawValue == code && $0.message.contains(words) }, "\(issues)")
  }

  @Test func `a map of one boolean is complete after a step that excludes the other one`() {
    for step in ["{only: [true]}", "{except: [false]}"] {
      #expect(Self.read(Self.recipe("boolean, \(step), {map: [{from: true, to: a}]}")).issues == [])
    }
  }

  private static let consent = recipe(
    "{map: [{from: denied, to: true}, {from: granted, to: false}]}", "boolean", group: "consent")

  private static let now = Moment(secondsSince1970: 1_763_640_300)

  private func container(_ value: PropertyListValue, target: PropertyListValue? = nil) throws -> Container {
    let own: PropertyListDictionary = ["old": value]
    let stores = ["com.acme.shop": own].merging(target.map { ["com.acme.shop.acme": ["new": $0]] } ?? [:]) { $1 }
    return try Container(stores.reduce(into: [:]) { $0["Library/Preferences/\($1.key).plist"] = $1.value })
  }

  private func field(_ recipe: Recipe, _ value: PropertyListValue) throws -> (plan: Plan, field: Field) {
    let plan = Planner(recipe).plan(try container(value), now: Self.now)
    return (plan, try #require(plan.field("new")))
  }

  @Test(
    "a cleanup finds the members that the target does not have, whatever their names are now",
    arguments: [
      ("{json-only: [a]}", #"{"a":1,"b":2}"#, #"{"a":1}"#, CleanupVerdict.stays(.lost(["b"]))),
      ("{json-only: [a]}", #"{"a":1}"#, #"{"a":1}"#, .removable(heldBy: ["new"])),
      ("{json-rename: {a: c}}", #"{"a":1,"b":2}"#, #"{"c":1,"b":2}"#, .removable(heldBy: ["new"])),
      ("{json-rename: {a: c}}, {json-without: [c]}", #"{"a":1,"b":2}"#, #"{"b":2}"#, .stays(.lost(["a"]))),
      ("{json-rename: {a: c}}, {json-without: [a]}", #"{"a":1}"#, #"{"c":1}"#, .removable(heldBy: ["new"])),
      ("{json-rename: {a: b}}", #"{"b":1}"#, #"{"b":1}"#, .stays(.inexact(["new"]))),
    ])
  func cleanup(_ steps: String, _ old: String, _ new: String, _ verdict: CleanupVerdict) throws {
    let recipe = try #require(Self.read(Self.recipe(steps)).file?.recipe)
    let plan = Planner(recipe).cleanupPlan(try container(.string(old), target: .string(new)), now: Self.now)
    #expect(plan.entries.map(\.verdict) == [verdict])
  }

  @Test func `steps after a member change the JSON in it, not the JSON around it`() throws {
    let text = Self.recipe("{json-only: [a]}").replacing("{key: old,", with: "{key: old, member: b,")
    let recipe = try #require(Self.read(text).file?.recipe)
    #expect(try field(recipe, #"{"a":1,"b":"{\"a\":2,\"c\":3}"}"#).field.proposed == #"{"a":2}"#)
  }

  @Test func `an opt-out that only a map makes is asked about, and cannot be left behind`() throws {
    let recipe = try #require(Self.read(Self.consent).file?.recipe)
    let (plan, denied) = try field(recipe, "denied")
    #expect(denied.status == .needsDecision && denied.proposed == true && denied.isOptOut)
    #expect(denied.findings.map(\.code.rawValue) == ["consent.migrated"])
    #expect(plan.blockers(after: ["new": .skip]).map(\.code) == [.consentOptedOut])
    #expect(plan.blockers(after: ["new": .edit(false)]).map(\.code) == [.consentOptedOut])
    #expect(plan.blockers(after: ["new": .accept]).isEmpty)
    let granted = try field(recipe, "granted")
    #expect(
      granted.field.status == .ready && granted.field.proposed == false && granted.plan.blockers(after: [:]).isEmpty)
  }

  @Test func `a status that the map does not list is never taken for consent`() throws {
    let recipe = try #require(Self.read(Self.consent).file?.recipe)
    for value: PropertyListValue in ["revoked", "", "Denied", true, 1] {
      let field = try field(recipe, value).field
      #expect(field.status == .needsDecision && field.proposed == nil, "\(value)")
    }
  }

  @Test(arguments: ["{map: [{from: true, to: false}, {from: false, to: true}]}", "not"])
  func `a map or not that makes an opt-out false blocks`(_ steps: String) throws {
    let recipe = try #require(Self.read(Self.recipe(steps, "boolean", group: "consent")).file?.recipe)
    let (plan, field) = try field(recipe, true)
    #expect(field.proposed == false && plan.blockers(after: ["new": .accept]).map(\.code) == [.consentOptedOut])
    #expect(try self.field(recipe, false).field.findings.map(\.code.rawValue) == ["consent.migrated"])
  }

  @Test func `a map of an opt-out needs a result that says so`() {
    let text = Self.recipe("{map: [{from: denied, to: none}, {from: granted, to: all}]}", group: "consent")
    #expect(Self.read(text).issues.map(\.code.rawValue) == ["R306"])
    #expect(Self.read(text.replacing("group: consent", with: "group: other")).issues == [])
  }
}

@Suite("A member of a dictionary as a source") struct MemberTests {
  private static let text = """
    \(acmeStart)
    read:
      - suite: ${bundle-id}
      - {archive: Library/acme.archive, as: archived}
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_user]
    opt-out-keys: []
    fields:
      - {key: id, form: string, from: [{key: acme_user, member: uid, steps: [number-text]}]}
      - {key: since, form: string, from: [{key: acme_user, member: since, steps: [iso8601]}]}
      - {key: archived_id, form: string, from: [{key: archived, member: uid}]}
    tests:
      - name: a dictionary
        given:
          Library/Preferences/com.example.app.plist:
            acme_user: {uid: u-1001, since: {date: "2026-01-10T08:00:00Z"}}
          Library/acme.archive: {archive: {uid: u-2002}}
        expect:
          fields:
            id: {status: ready, value: u-1001}
            since: {status: ready, value: "2026-01-10T08:00:00Z"}
            archived_id: {status: ready, value: u-2002}
    """

  private func plan(_ user: PropertyListValue) throws -> Plan {
    let recipe = try #require(RecipeFile.read(Array(Self.text.utf8), vendors: vendors).file).recipe
    let container = try Container(["Library/Preferences/com.acme.shop.plist": ["acme_user": user]])
    return Planner(recipe).plan(container, now: Moment(secondsSince1970: 1_763_640_300))
  }

  @Test func `the member's value keeps its type, and a missing member is no value`() throws {
    let users: [(PropertyListValue, String)] = [
      (["uid": "u-1001"], "u-1001"), (["uid": 42], "42"), (#"{"uid":"u-1001"}"#, "u-1001"),
    ]
    for (user, value) in users {
      let field = try #require(try plan(user).field("id"))
      #expect(field.status == .ready && field.proposed == .string(value), "\(user)")
    }
    let date = try plan(["uid": "u-1001", "since": .date(PropertyListDate(secondsSince2001: 0))])
    #expect(date.field("since")?.proposed == "2001-01-01T00:00:00Z")
    #expect(try plan(["other": "u-1001"]).field("id")?.status == .absent)
    #expect(try plan(["uid": [1]]).field("id")?.status == .needsDecision)
  }

  @Test func `the step names the dictionary, not JSON text`() throws {
    #expect(try plan(["uid": "u-1001"]).field("id")?.steps.first?.title == "member uid of the dictionary")
    #expect(try plan(#"{"uid":"u-1001"}"#).field("id")?.steps.first?.title == "member uid of the JSON text")
  }
}

@Suite("Parameters of recipes") struct ParameterTests {
  private func issues(_ parameters: String, key: String = "k-${token}") -> [String] {
    let text = """
      \(acmeHead)
      parameters: \(parameters)
      read: [{suite: "acme.${token}"}]
      write: {suite: acme}
      detect: ["a-${token}"]
      fields:
        - {key: "\(key)", form: string, from: [{key: "a-${token}"}]}
      opt-out-keys: []
      """
    return RecipeFile.read(Array(text.utf8), vendors: []).issues.filter { $0.code.severity > .note }.map {
      "\($0.code.rawValue) \($0.place.line)"
    }
  }

  @Test func `a declared parameter is known in keys and file names; others are refused with their place`() {
    #expect(issues("{token: {title: token}}") == [])
    #expect(issues("{token: {title: token, form: hex}}") == [])
    #expect(
      issues("{other: {title: token}}") == ["R104 5", "R103 6", "R110 8", "R103 8", "R018 10", "R103 10", "R103 10"])
    #expect(issues("{token: {title: token}}", key: "k-${tokn}") == ["R018 10", "R103 10"])
    #expect(issues("{token: {title: token}}", key: "k-${token") == ["R018 10", "R103 10"])
    #expect(issues("{token: {title: token, form: any}}") == ["R212 5"])
    #expect(issues("{token: {}}").contains("R018 5"))
    #expect(issues("{bundle-id: {title: id}, token: {title: token}}") == ["R101 5"])
    #expect(issues("[token]").contains("R017 5"))
  }
}
