@Suite("Findings of a recipe's own, families of keys, files and app groups") struct OwnRulesTests {
  private static let text = """
    \(acmeStart)
    parameters: {shop: {title: shop}}
    read:
      - suite: group.com.acme
      - suite: ${bundle-id}
    write: {suite: "${bundle-id}.acme"}
    detect: [acme_id]
    opt-out-keys: []
    findings:
      id-lost:
        title: the id is missing
        message: No file has the id.
        remedy: Edit the field, or skip it.
    fields:
      - key: id
        group: identity
        form: string
        from: [{key: acme_id, steps: [text]}]
        otherwise: {finding: id-lost, weight: error}
      - {key: name, form: string, from: [{key: acme_name}]}
    not-migrated:
      - {key: acme_token_*, because: The new SDK fetches its own., secret: true}
      - {key: acme_queue, because: Events are not migrated.}
      - {key: acme_queue_*, because: Events are not migrated either.}
      - {file: "Library/${shop}_queue.db", because: Both SDKs use the same file.}
    tests:
      - name: without an id
        given: {Library/Preferences/com.example.app.plist: {acme_name: Ada}}
        expect: {fields: {id: undecided}, findings: [acme-sdk.id-lost]}
    """

  private func read(_ text: String = OwnRulesTests.text) throws -> RecipeFile {
    let read = RecipeFile.read(Array(text.utf8), vendors: vendors)
    #expect(read.issues == [])
    return try #require(read.file)
  }

  private static let own = "Library/Preferences/com.acme.shop.plist"

  private func container(
    _ stores: [String: PropertyListDictionary], signs: [String] = [], data: String = ""
  ) throws -> Container {
    let prefix = data.isEmpty ? "" : data + "/"
    var container = try Container(stores.reduce(into: [:]) { $0[prefix + $1.key] = $1.value }, dataFolder: data)
    container.signs = signs.map { prefix + $0 }
    return container
  }

  private func plan(_ file: RecipeFile, _ container: Container) -> Plan {
    Planner(file.recipe.filled(["shop": "x"])).plan(container, now: Moment(secondsSince1970: 1_763_640_300))
  }

  @Test func `a field without a value has the recipe's finding and words, and asks if it is an error`() throws {
    let file = try read()
    let plan = plan(file, try container([Self.own: ["acme_name": "Ada"]]))
    let field = try #require(plan.field("id"))
    let finding = try #require(field.findings.first)
    #expect(field.status == .needsDecision && field.proposed == nil && field.findings.count == 1)
    #expect(finding.code.rawValue == "acme-sdk.id-lost" && finding.severity == .error && finding.asks)
    #expect(finding.message == "No file has the id." && finding.remedy == "Edit the field, or skip it.")
    #expect(plan.ownCode("acme-sdk.id-lost") == finding.code && plan.ownCode("source.disagree") == nil)
    #expect(finding.code.explanation.parts().contains { $0.text == "No file has the id." })
  }

  @Test func `a warning and a note only inform`() throws {
    for weight in ["warning", "note"] {
      let file = try read(Self.text.replacing("weight: error", with: "weight: \(weight)"))
      let field = try #require(plan(file, try container([Self.own: ["acme_name": "Ada"]])).field("id"))
      #expect(field.status == .absent && field.findings.map(\.severity.rawValue) == [weight])
    }
  }

  @Test func `with a value in a source or in the target, or without any value, there is no such finding`() throws {
    let file = try read()
    let target = "Library/Preferences/com.acme.shop.acme.plist"
    for stores: [String: PropertyListDictionary] in [
      [Self.own: ["acme_id": "u-1"]], [Self.own: ["acme_id": [1]]],
      [Self.own: ["acme_name": "Ada"], target: ["id": "u"]],
      [Self.own: ["other": 1]], [:],
    ] {
      let plan = plan(file, try container(stores))
      #expect(!plan.findings.contains { $0.code.rawValue.hasPrefix("acme-sdk") }, "\(stores)")
    }
  }

  @Test func `a family of keys is listed key by key with its reason, and the value of a secret is not`() throws {
    let file = try read()
    let plan = plan(
      file,
      try container([
        Self.own: [
          "acme_id": "u-1", "acme_queue_2": 2, "acme_queue_1": 1, "acme_queue": 0, "acme_token_a": "s", "acme_quit": 1,
        ]
      ]))
    #expect(plan.dropped.map(\.key) == ["acme_token_a", "acme_queue", "acme_queue_1", "acme_queue_2"])
    #expect(plan.dropped.map(\.value) == [nil, 0, 1, 2])
    #expect(plan.dropped.map(\.secret) == [true, false, false, false])
    #expect(plan.dropped.last?.reason == "Events are not migrated either.")
    #expect(plan.containerFindings.map(\.code.rawValue).contains("dropped.secrets"))
  }

  @Test(arguments: ["", "AppData"])
  func `a file is listed if it exists, wherever the data is`(data: String) throws {
    let file = try read()
    #expect(file.recipe.files == [StoreFile(["Library/", .parameter("shop"), "_queue.db"], isSign: true)])
    let there = plan(file, try container([Self.own: ["acme_id": "u"]], signs: ["Library/x_queue.db"], data: data))
    #expect(there.dropped.map(\.key) == ["Library/x_queue.db"] && there.dropped.first?.value == nil)
    let others = plan(file, try container([Self.own: ["acme_id": "u"]], signs: ["Library/y_queue.db"], data: data))
    #expect(others.dropped == [])
  }

  @Test func `the suite of an app group is read from the group's folder, and from the app's if there is none`() throws {
    let file = try read()
    let backup = "AppGroups/group.com.acme/Library/Preferences/group.com.acme.plist"
    let device = "Shared/AppGroup/7D2B/Library/Preferences/group.com.acme.plist"
    let plain = "Library/Preferences/group.com.acme.plist"
    for path in [backup, device, plain] {
      let plan = plan(file, try container([path: ["acme_id": "u-1"], Self.own: ["acme_id": "u-2"]], data: "AppData"))
      #expect(plan.field("id")?.proposed == "u-1" && plan.field("id")?.origin?.store == "AppData/" + path)
    }
    let both = plan(file, try container([backup: ["acme_id": "u-1"], plain: ["acme_id": "u-2"]]))
    #expect(both.field("id")?.proposed == "u-1")
    let foreign = "AppGroups/group.other/Library/Preferences/group.com.acme.plist"
    #expect(plan(file, try container([foreign: ["acme_id": "u-1"]])).field("id")?.proposed == nil)
  }

  @Test func `no cleanup lists a key in an app group's folder, and a family's keys stay by design`() throws {
    let file = try read()
    let backup = "AppGroups/group.com.acme/Library/Preferences/group.com.acme.plist"
    let container = try container([backup: ["acme_id": "u-1"], Self.own: ["acme_queue_1": 1, "acme_token_a": "s"]])
    let plan = Planner(file.recipe).cleanupPlan(container, now: Moment(secondsSince1970: 1_763_640_300))
    #expect(plan.entries.map(\.id.key).sorted() == ["acme_queue_1", "acme_token_a"])
    #expect(plan.entries.allSatisfy { $0.verdict == .stays(.leftBehind) && $0.id.file == Self.own })
    #expect(plan.entries.filter(\.secret).map(\.id.key) == ["acme_token_a"])
  }

  @Test func `an explanation says all of it`() throws {
    let file = try read()
    let lines = file.recipe.lines
    #expect(
      lines.contains([
        "Without a value: error acme-sdk.id-lost, if the id is missing.", "No file has the id.",
        "What to do: Edit the field, or skip it.",
      ]))
    #expect(lines.contains(["Library/${shop}_queue.db", "A file or a folder."]))
    #expect(lines.count { $0 == "A file or a folder." } == 1)
    #expect(file.recipe.sources[0].places.first == "AppGroups/group.com.acme/Library/Preferences/group.com.acme.plist")
  }

  @Test(arguments: [
    ("No file has the id.", "The id was ${shop}.", "R303"), ("No file has the id.", "No file has the id", "R501"),
    ("the id is missing", #""the \u202e id""#, "R304"), ("finding: id-lost", "finding: id-list", "R212"),
    ("weight: error", "weight: fatal", "R212"), ("id: acme-sdk", "id: source", "R101"),
    ("otherwise: {finding: id-lost, weight: error}", "x-none: 1", "R216"), ("  id-lost:", "  id_lost:", "R101"),
    ("acme_queue_*", #""*""#, "R017"), ("Library/${shop}_queue.db", "Other/queue.db", "R105"),
    ("file: \"Library/${shop}_queue.db\"", "secret: true, file: Library/q.db", "R012"),
    (#"write: {suite: "${bundle-id}.acme"}"#, "write: {suite: group.com.acme.new}", "R105"),
    ("remedy: Edit the field, or skip it.", "remedi: Edit the field, or skip it.", "R012"),
  ])
  func `what a finding, family, file or group cannot be has its code`(_ old: String, _ new: String, _ code: String) {
    let text = Self.text.replacing(old, with: new, maxReplacements: 1)
    #expect(text != Self.text)
    let issues = RecipeFile.read(Array(text.utf8), vendors: vendors).issues
    #expect(issues.contains { $0.code.rawValue == code }, "\(issues)")
  }
}
