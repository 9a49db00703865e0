@Suite("Conditions of sources, and requirements of fields") struct ConditionTests {
  private static let text = """
    \(acmeStart)
    parameters: {shop: {title: shop}}
    read: [{suite: "${bundle-id}"}]
    write: {suite: "${bundle-id}.acme"}
    detect: ["acme_${shop}_id"]
    fields:
      - key: user_id
        group: identity
        form: string
        from:
          - {key: acme_login, when: [non-empty, {key: "acme_${shop}_mode", is: live}]}
          - {key: acme_profile, member: id, when: [{form: uuid}]}
          - {key: "acme_${shop}_id", steps: [number-text]}
        require: [{max-bytes: 36}, {one-of: ["u-1", "u-2", "7", "9F1C2A7E-6B0D-4C35-8E21-5D7F03A9B642"]}]
      - key: opt_out
        group: consent
        form: boolean
        from:
          - {key: acme_out, when: [{key: acme_old, present: false}]}
          - {key: acme_out_2}
    """

  private func read(_ text: String = ConditionTests.text) throws -> RecipeFile {
    let read = RecipeFile.read(Array(text.utf8), vendors: vendors)
    #expect(read.issues.filter { $0.code.severity > .note } == [])
    return try #require(read.file)
  }

  private func container(
    _ keys: PropertyListDictionary, target: PropertyListDictionary? = nil
  ) throws -> Container {
    var files = ["com.acme.shop": keys]
    if let target { files["com.acme.shop.acme"] = target }
    return try Container(files.reduce(into: [:]) { $0["Library/Preferences/\($1.key).plist"] = $1.value })
  }

  private func planner(_ text: String = ConditionTests.text) throws -> Planner {
    var recipe = try read(text).recipe.filled(["shop": "x"])
    recipe.origin = .file(path: "acme.recipe.yaml", isTrusted: true)
    return Planner(recipe)
  }

  private let now = Moment(secondsSince1970: 1_763_640_300)

  private func plan(
    _ keys: PropertyListDictionary, target: PropertyListDictionary? = nil, _ text: String = ConditionTests.text
  ) throws -> Plan {
    try planner(text).plan(container(keys, target: target), now: now)
  }

  @Test func `a source counts if its value and other keys meet its conditions, else the next one does`() throws {
    let all: PropertyListDictionary = ["acme_login": "u-1", "acme_x_mode": "live", "acme_x_id": 7]
    #expect(try plan(all).field("user_id")?.proposed == "u-1")
    for (key, value): (String, PropertyListValue) in [("acme_x_mode", "test"), ("acme_x_mode", 1), ("acme_login", "")] {
      var keys = all
      keys[key] = value
      let field = try #require(try plan(keys).field("user_id"))
      #expect(field.proposed == "7" && field.origin?.source == SourceKey("acme_x_id") && field.status == .ready)
    }
    var profile = all
    profile["acme_x_mode"] = nil
    profile["acme_profile"] = #"{"id":"9F1C2A7E-6B0D-4C35-8E21-5D7F03A9B642"}"#
    #expect(try plan(profile).field("user_id")?.origin?.source == SourceKey("acme_profile", member: "id"))
    profile["acme_profile"] = #"{"id":"none"}"#
    #expect(try plan(profile).field("user_id")?.proposed == "7")
    #expect(try plan(["acme_login": "u-1"]).field("user_id")?.status == .absent)
  }

  @Test func `a value that cannot be read is not passed over`() throws {
    let field = try #require(try plan(["acme_profile": "{", "acme_x_id": 7]).field("user_id"))
    #expect(field.status == .needsDecision && field.proposed == nil)
    #expect(field.findings.map(\.code) == [.sourceNotConverted])
  }

  @Test func `a proposal that is not as required is never written: the field asks, and says what is required`() throws {
    let field = try #require(try plan(["acme_x_id": "u-3"]).field("user_id"))
    #expect(field.status == .needsDecision && field.proposed == nil && field.legacy == "u-3")
    let finding = try #require(field.findings.first)
    #expect(field.findings.count == 1 && finding.code == .sourceNotAsRequired && finding.asks)
    #expect(finding.message.hasPrefix("acme_x_id is not what the recipe requires: “u-1” or “u-2” or"))
    #expect(!finding.message.contains("u-3"))
    let long = try #require(try plan(["acme_x_id": .string(String(repeating: "u", count: 37))]).field("user_id"))
    #expect(long.findings.first?.message.hasSuffix("requires: at most 36 bytes.") == true)
    // Neither the target's own value nor another one is in the way, and neither is written.
    let other = try #require(try plan(["acme_x_id": "u-3"], target: ["user_id": "u-3"]).field("user_id"))
    #expect(other.status == .needsDecision && other.proposed == nil)
    let wrong = try #require(try plan(["acme_x_id": "u-3"], target: ["user_id": 3]).field("user_id"))
    #expect(wrong.proposed == nil && wrong.status == .needsDecision)
    let plan = try plan(["acme_x_id": "u-3"])
    #expect(plan.changes([:]).isEmpty && plan.changes(["user_id": .accept]).isEmpty)
  }

  @Test func `no condition and no requirement hides an opt-out`() throws {
    let id: PropertyListDictionary = ["acme_x_id": "u-1"]
    func keys(_ more: PropertyListDictionary) -> PropertyListDictionary {
      PropertyListDictionary(entries: id.entries + more.entries)
    }
    // The source counts, and the field asks.
    let asked = try plan(keys(["acme_out": true]))
    #expect(asked.field("opt_out")?.findings.map(\.code) == [.consentMigrated] && asked.blockers.isEmpty)
    // It does not: another source says nothing, or that the user did not opt out.
    for more: PropertyListDictionary in [
      ["acme_out": true, "acme_old": 1], ["acme_out": 1, "acme_old": 1, "acme_out_2": false],
      ["acme_out": "YES", "acme_old": 1],
    ] {
      let plan = try plan(keys(more))
      #expect(plan.blockers.map(\.code) == [.consentOptedOut], "\(more)")
      #expect(plan.blockers(after: ["opt_out": .skip]).map(\.code).contains(.consentOptedOut))
    }
    // The next source says so too: its field asks.
    let both = try plan(keys(["acme_out": true, "acme_old": 1, "acme_out_2": true]))
    #expect(both.field("opt_out")?.proposed == true && both.field("opt_out")?.status == .needsDecision)
    // A step can turn a value into an opt-out.
    let inverted = Self.text.replacing("{key: acme_out, when", with: "{key: acme_out, steps: [boolean, not], when")
    #expect(try plan(keys(["acme_out": false, "acme_old": 1]), inverted).blockers.map(\.code) == [.consentOptedOut])
    // Nor do a requirement, a later step, or another form of the value.
    let beginning = Self.text[..<(try #require(Self.text.firstRange(of: "      - {key: acme_out, when")).lowerBound)]
    for (form, steps) in [
      ("boolean", "[boolean, not]}\n    require: [{is: false}]"), ("boolean", "[boolean, not, {only: [false]}]}"),
      ("data", "[boolean, not, {wrap: out}, property-list-data]}"),
    ] {
      let text = beginning.replacing("form: boolean", with: "form: \(form)") + "      - {key: acme_out, steps: \(steps)"
      let plan = try plan(keys(["acme_out": false]), String(text))
      #expect(plan.blockers(after: ["opt_out": .skip]).map(\.code) == [.consentOptedOut], "\(steps)")
      // Nothing is written that is not true, whoever accepts it.
      let accepted = plan.blockers(after: ["opt_out": .accept]).isEmpty
      #expect(!accepted || plan.field("opt_out")?.proposed == nil, "\(steps)")
    }
    // What cannot be read is not passed over, whatever other keys say.
    let damaged = Self.text.replacing("{key: acme_out, when", with: "{key: acme_json, member: out, when")
    let unread = try plan(keys(["acme_json": "{", "acme_old": 1]), damaged).field("opt_out")
    #expect(unread?.status == .needsDecision)
    // A key that is false, and passed over, is no opt-out.
    #expect(try plan(keys(["acme_out": false, "acme_old": 1])).blockers.isEmpty)
    let strict = Self.text + "\n    require: [{is: false}]"
    let required = try plan(keys(["acme_out": true]), strict)
    #expect(required.field("opt_out")?.status == .needsDecision && required.field("opt_out")?.proposed == nil)
    #expect(required.blockers(after: ["opt_out": .skip]).map(\.code) == [.consentOptedOut])
    #expect(required.blockers(after: ["opt_out": .edit(false)]).map(\.code) == [.consentOptedOut])
    #expect(required.blockers(after: ["opt_out": .edit(true)]).isEmpty)
  }

  @Test func `a plan depends on the keys of conditions, and lists those that are not migrated`() throws {
    let plan = try plan(["acme_login": "u-1", "acme_x_mode": "live", "acme_old": "x"])
    for key in ["acme_x_mode", "acme_old"] {
      #expect(plan.basis.contains { $0.key == key && $0.value != nil })
      #expect(plan.dropped.contains { $0.key == key && $0.reason == "Only conditions of the recipe read the key." })
    }
    #expect(!plan.findings.contains { $0.code == .droppedUnknownKey })
  }

  @Test func `a trial of a source says which condition is not met`() throws {
    let keys: PropertyListDictionary = ["acme_login": "u-1", "acme_x_mode": "test", "acme_x_id": 7]
    let trials = try planner().trials(container(keys), now: now, options: PlannerOptions())[0]
    #expect(trials.map(\.outcome) == [.notMet, .absent, .used])
    #expect(trials[0].condition == "acme_x_mode is “live”" && trials[2].condition == nil)
    #expect(trials[0].words.hasPrefix("Not used: a condition is not met (acme_x_mode is “live”). In "))
    let used = try planner().trials(
      container(["acme_login": "", "acme_x_mode": "live"]), now: now, options: PlannerOptions())[0]
    #expect(used[0].condition == "it is not empty" && used[0].outcome == .notMet)
  }

  @Test func `one key can have several sources, by the type of its value`() throws {
    let text = Self.text.replacing(
      #"{key: acme_login, when: [non-empty, {key: "acme_${shop}_mode", is: live}]}"#,
      with: "{key: acme_login, when: [{kind: integer}], steps: [text]}\n      - {key: acme_login}")
    let number = try plan(["acme_login": 7], text)
    #expect(number.field("user_id")?.proposed == "7" && number.field("user_id")?.candidate == 0)
    let plain = try plan(["acme_login": "u-1"], text)
    #expect(plain.field("user_id")?.proposed == "u-1" && plain.field("user_id")?.candidate == 1)
    let trials = try planner(text).trials(container(["acme_login": "u-1"]), now: now, options: PlannerOptions())[0]
    #expect(trials.map(\.outcome) == [.notMet, .used, .absent, .absent])
  }

  @Test func `an explanation has the conditions in words`() throws {
    let lines = try read().recipe.lines
    #expect(lines.contains("← acme_login, if it is not empty and acme_${shop}_mode is “live”"))
    #expect(lines.contains("← acme_profile.id (member id), if it is a UUID"))
    #expect(lines.contains { $0.hasPrefix("Required of the value: at most 36 bytes, ") })
  }

  @Test func `what a built-in recipe says is written as Swift`() throws {
    let swift = RecipeSource(file: try read(), declaration: "package static let acme").text(
      fileName: "acme.recipe.yaml")
    for part in [
      #", [], when: [Condition(.nonEmpty), Condition(.oneOf(["live"]), key: "acme_${shop}_mode")])"#,
      "when: [Condition(.form(.uuid))]", "when: [Condition(.present(false), key: \"acme_old\")]",
      "requirements: [.atMostBytes(36), .oneOf([\"u-1\"",
    ] { #expect(swift.contains(part), "\(part)") }
  }

  @Test func `a field may not test what a field writes in the same file`() {
    for key in ["user_id", "opt_out"] {
      let text = Self.text.replacing(#"write: {suite: "${bundle-id}.acme"}"#, with: #"write: {suite: "${bundle-id}"}"#)
        .replacing("key: acme_old", with: "key: \(key)")
      #expect(RecipeFile.read(Array(text.utf8), vendors: vendors).issues.map(\.code).contains(.clash))
    }
  }

  /// A change, the code of the issue, and the text at whose beginning it is reported.
  @Test(
    "what a condition cannot be is an issue with its code and its place",
    arguments: [
      ("non-empty, {key", "non-emty, {key", "R212", "non-emty"), ("{form: uuid}", "{form: guid}", "R212", "guid"),
      ("{form: uuid}", "{from: uuid}", "R012", "from: uuid"), ("{form: uuid}", "{kind: text}", "R212", "text"),
      ("{form: uuid}", "{}", "R017", "{}"), ("{form: uuid}", "{form: uuid, kind: string}", "R017", "{form"),
      ("{form: uuid}", "{key: acme_mode}", "R017", "{key"), ("{form: uuid}", "{present: true}", "R017", "{present"),
      ("{form: uuid}", "{key: a, present: 1}", "R017", "1}"), ("{form: uuid}", "{non-empty: false}", "R017", "false"),
      ("{form: uuid}", "{max-bytes: 0}", "R017", "0}"), ("{form: uuid}", "{range: [2, 1]}", "R017", "[2"),
      ("{form: uuid}", "{max-bytes: 99999999999999999999}", "R017", "9"),
      ("{form: uuid}", "{range: [1]}", "R017", "[1"),
      ("{form: uuid}", "{range: [0.5, 1]}", "R017", "0.5"), ("{form: uuid}", "{range: 1}", "R017", "1"),
      ("{form: uuid}", "{is: [a]}", "R017", "[a"), ("{form: uuid}", "{is: 1.5}", "R017", "1.5"),
      ("{form: uuid}", "{one-of: []}", "R017", "[]"), ("{form: uuid}", "{glob: 1}", "R017", "1"),
      ("{form: uuid}", "{key: \"${shoop}\", present: true}", "R103", "\""),
      ("{form: uuid}", "{key: acme_password, present: true}", "R305", "acme_password"),
      ("{form: uuid}", "{kind: integer}, {form: uuid}", "R217", "{form"),
      ("{form: uuid}]", "{kind: data}], steps: [text]", "R202", "text]"),
      ("{form: uuid}]", "{kind: string}], steps: [text]", "R203", "text]"),
      ("{form: uuid}", "{kind: integer}, {kind: integer}", "R218", "{kind: integer}]"),
      ("{max-bytes: 36}", "{range: [1, 2]}", "R217", "{range"), ("{max-bytes: 36}", "{kind: string}", "R218", "{kind"),
      ("{max-bytes: 36}", "{present: true}", "R017", "{present"), ("{max-bytes: 36}", "{key: a, is: b}", "R012", "key"),
    ])
  func refused(_ old: String, _ new: String, _ code: String, _ at: String) throws {
    let change = try #require(Self.text.firstRange(of: old))
    let text = Self.text[..<change.lowerBound] + new + Self.text[change.upperBound...]
    let head = Self.text[..<change.lowerBound]
    let tail = text[text.index(text.startIndex, offsetBy: head.count)...]
    let place = try #require(tail.firstRange(of: at)).lowerBound
    let line = try #require(text[..<place].split(separator: "\n", omittingEmptySubsequences: false).last)
    let expected = TextPlace(line: text[..<place].count { $0 == "\n" } + 1, column: line.unicodeScalars.count + 1)
    let issues = RecipeFile.read(Array(text.utf8), vendors: vendors).issues
    #expect(issues.contains { $0.code.rawValue == code && $0.place == expected }, "\(expected) \(issues)")
  }
}

let acmeHead = """
  carryover: recipe/1
  id: acme-sdk
  version: 1
  title: Acme 1 → 2
  """
let acmeStart = acmeHead + "\nsources-read: [Acme's sources.]"
