@testable import Carryover

@Suite("Redaction") struct RedactionTests {
  private static let traits = """
    {"anonymousId":"9f1c2a7e-6b0d-4c1e-8f3a-2b5d7e9a1c40","userId":4711,"email":"ada@private.example","name":"Ada L",\
    "discount":4.10,"age":36,"vip":true,"note":"","address":{"city":"Utopia","zip":null}}
    """

  private static func redaction(_ app: LegacyApp) throws -> Redaction {
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(try app.container())
    redaction.learn(try app.plan())
    return redaction
  }

  @Test func `equal values have equal masks wherever they stand, as a number and as text`() throws {
    let app = LegacyApp.with(["rl_traits": .string(Self.traits), "mirror": "ada@private.example"])
    let redaction = try Self.redaction(app)
    let number = try #require(redaction.masked(4711))
    #expect(number.kind == .user)
    #expect(redaction.masked("4711") == number)
    #expect(redaction.value(4711) == .string("‹user-\(number.number ?? 0) integer›"))
    #expect(redaction.value("4711") == .string("‹user-\(number.number ?? 0)›"))
    let email = redaction.value("ada@private.example")
    #expect(redaction.text("sent to ada@private.example.") == "sent to \(text(email)).")
    guard case .string(let json) = redaction.value(.string(Self.traits)) else { return #expect(Bool(false)) }
    #expect(json.contains("\"email\":\"\(text(email))\""))
    #expect(json.contains("‹user-\(number.number ?? 0) number›"))
  }

  @Test func `a container's name with personal data is masked whole, and stays one word for a shell`() throws {
    var container = try LegacyApp.with(["rl_traits": .string(Self.traits)]).container()
    container.name = "ada@private.example Zoë 4711.xcappdata"
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(container)
    let name = redaction.container(container).name
    #expect(name.hasPrefix("‹text-") && name.hasSuffix("›") && !name.contains("Zoë"), "\(name)")
    #expect(redaction.text("carryover apply '\(container.name)' --yes") == "carryover apply '\(name)' --yes")

    container.name = "AcmeShop.xcappdata"
    redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(container)
    #expect(redaction.container(container).name == "AcmeShop.xcappdata")
  }

  @Test func `the structure of JSON, booleans, null and empty texts stay; names of members too`() throws {
    let redaction = try Self.redaction(LegacyApp.with(["rl_traits": .string(Self.traits)]))
    guard case .string(let shown) = redaction.value(.string(Self.traits)) else { return #expect(Bool(false)) }
    let json = try JSONText(shown).value
    #expect(json["vip"] == true)
    #expect(json["note"] == "")
    #expect(json["address"]?["zip"] == .null)
    #expect(json["address"]?["city"]?.stringValue?.hasPrefix("‹text-") == true)
    #expect(json.members?.map(\.name) == (try JSONText(Self.traits)).members.map(\.name))
  }

  @Test func `in a keyed archive names and classes are shown, and its references are no values`() throws {
    let name: PropertyListValue = ["$classname": "AcmeCard", "$classes": ["AcmeCard", "NSObject"]]
    let kind: PropertyListValue = ["$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]]
    let archive: PropertyListValue = [
      "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": .uid(1)],
      "$objects": [
        "$null", ["NS.keys": [.uid(2)], "NS.objects": [.uid(3)], "$class": .uid(5)], "favourite",
        ["level": "Golden tier", "$class": .uid(4)], name, kind,
      ],
    ]
    let bytes = try PropertyListDocument.encode(archive, as: .binary)
    for key in ["rs_traits", "basket"] {
      let redaction = try Self.redaction(LegacyApp.with([key: .data(bytes)]))
      #expect(redaction.text("favourite (AcmeCard), 2 of 3 stores") == "favourite (AcmeCard), 2 of 3 stores")
      #expect(!text(redaction.value("Golden tier")).contains("Golden"))
    }
  }

  @Test(
    "an id is found as a part of a name, in either case and percent-encoded; versions and dates are not taken for it")
  func partsOfNames() throws {
    let redaction = try Self.redaction(
      LegacyApp.traits(
        #"{"userId":2025,"email":"Ada.L@Private.Example","name":"Ada Long","login_id":"adalong","org_id":"shop","plan":"session"}"#
      ))
    for text in [
      "cart.2025", "user-2025.plist", "user_2025", "sku2025x", "q=ada.l%40private.example", "ADA.L%40PRIVATE.EXAMPLE",
      "Ada%20Long", "ADA LONG", "group.com.acme.adalong.plist", "last_adalong", "ADALONG",
    ] {
      let shown = redaction.text(text).lowercased()
      #expect(shown.contains("‹"), "\(shown)")
      for value in ["2025", "private", "adalong", "long"] { #expect(!shown.contains(value), "\(shown)") }
    }
    for text in [
      "2025-11-20", "1.2025.0", "12025", "20251120T121000Z-3", "adalongest", "com.acme.shop", "a new session",
    ] {
      #expect(redaction.text(text) == text)
    }
    #expect(redaction.value("session") != "session")
  }

  @Test func `a keyed archive is learned as what it holds: names stay, references are no values`() throws {
    let app = try BetaApp.traits([
      "userId": 4711, "nick": "Countess", "since": Date(timeIntervalSince1970: 1), "home": ArchivedAddress(),
    ])
    let redaction = try Self.redaction(app)
    #expect(redaction.masked(4711)?.kind == .user)
    #expect(redaction.masked("Countess")?.number != nil)
    #expect(redaction.masked("Ulm")?.number != nil)
    #expect(redaction.masked(.date(PropertyListDate(secondsSince2001: -978_307_199)))?.number != nil)
    for name in ["nick", "since", "home", "NSDictionary", "an array of 2 and 3"] {
      #expect(redaction.text(name) == name)
    }
    let finding = try #require(redaction.findings(of: try app.plan()).findings.first { $0.code == .v2TraitsArchive })
    #expect(finding.message.contains("home (") && finding.message.contains("since (date)"))
  }

  @Test func `a finding that is redacted names the key it is about`() throws {
    let app = try BetaApp.with(["rs_user_id": "", "rs_opt_status": true])
    let findings = try Self.redaction(app).findings(of: try app.plan()).findings
    #expect(findings.contains { $0.code == .userIDEmpty && $0.message.contains("rs_user_id is") })
    #expect(findings.contains { $0.code == .consentOptedOut && $0.message.contains("rs_opt_status in") })
  }

  @Test func `times of the session, versions, builds, booleans and paths stay`() throws {
    let app = LegacyApp.with([:])
    let redaction = try Self.redaction(app)
    for value: PropertyListValue in [1_763_640_000, "1763640000", true, "4.2.0", "420", "1763640123000", ""] {
      #expect(redaction.value(value) == value)
    }
    #expect(redaction.text("Library/rsDefaultsPersistence.plist") == "Library/rsDefaultsPersistence.plist")
    #expect(redaction.text("2025-11-20T12:05:00Z, 2025-11-20 12:05") == "2025-11-20T12:05:00Z, 2025-11-20 12:05")
  }

  @Test func `what stands under the key of a session or a version and has not its look is masked`() throws {
    let redaction = try Self.redaction(
      LegacyApp.with(["rl_session_id": "ada@private.example", "rl_application_version_key": "Ada's own"]))
    #expect(redaction.value("ada@private.example") != "ada@private.example")
    #expect(redaction.value("Ada's own") != "Ada's own")
  }

  @Test func `a write key is masked in every path, and so are secrets`() throws {
    var app = LegacyApp.with(["rl_auth_token": "s3cr3t"])
    app.target = ["anonymous_id": "x"]
    let redaction = try Self.redaction(app)
    #expect(!redaction.text(LegacyApp.targetPath).contains("WK"))
    #expect(redaction.text(LegacyApp.targetPath).hasPrefix("AppData/Library/Preferences/com.acme.shop.analytics.‹key-"))
    #expect(redaction.text("token=s3cr3t;").contains("‹secret-"))
  }

  @Test func `a value that was cut off is masked all the same`() throws {
    let long = "a private remark that is long enough to be cut off in the middle of a sentence by whoever quotes it"
    let redaction = try Self.redaction(LegacyApp.with(["remark": .string(long)]))
    let shown = redaction.text("It holds “\(long.prefix(60))…”, it seems.")
    #expect(!shown.contains("private remark"))
    #expect(shown.hasSuffix("…”, it seems."))
  }

  @Test func `short values are looked for as whole words only, and words of keys are left alone`() throws {
    let redaction = try Self.redaction(LegacyApp.traits(#"{"userId":42,"city":"Rome","plan":"user_id","x":"Ad"}"#))
    #expect(redaction.text("42 is not 1420 or 4.42").contains("1420 or 4.42"))
    #expect(!redaction.text("It holds 42, as text “42”.").contains("42"))
    #expect(redaction.text("Romeo in Rome").hasPrefix("Romeo in ‹text-"))
    #expect(redaction.text("user_id and Adam") == "user_id and Adam")
  }

  @Test(arguments: [
    ("write to a.b+c@mail.example.org!", "write to ‹email›!"),
    ("id 9F1C2A7E-6B0D-4C1E-8F3A-2B5D7E9A1C40.", "id ‹id›."),
    ("call +49 (170) 555-1234 now", "call ‹phone› now"), ("call 0170 555 12 34", "call ‹phone›"),
    ("call 0170555123", "call ‹phone›"), ("“ünï@bücher.example”", "“‹email›”"),
    ("?to=ada@acme.example&cc=bob@acme.example", "‹email›&‹email›"),
    ("/ada@acme.example/bob@acme.example", "‹email›/‹email›"),
    ("cart_+491705551234_v2", "cart_‹phone›_v2"), ("cart_0170555123", "cart_‹phone›"),
  ])
  func `e-mail addresses, UUIDs and telephone numbers are found without learning`(_ found: String, _ shown: String) {
    #expect(Redaction(recipes: [.rudderStackObjC]).text(found) == shown)
  }

  @Test(
    "moments, versions, run ids and counts are no telephone numbers",
    arguments: [
      "20251120T121000Z-3", "2025-11-20", "1.31.0 and 17.4.1", "1763640000", "AT&T @ home, me@", "12 000 bytes", "a@b",
      "run_20251120121000_3", "rl_1763640000",
    ])
  func noPatterns(_ text: String) { #expect(Redaction(recipes: [.rudderStackObjC]).text(text) == text) }

  @Test func `redacting twice is the same as once`() throws {
    let app = LegacyApp.with([
      "rl_traits": .string(Self.traits), "user": "user", "list": ["x", 7, ["k": "v@w.example"]],
    ])
    let redaction = try Self.redaction(app)
    for entry in try app.container().stores.flatMap({ $0.dictionary?.entries ?? [] }) {
      let once = redaction.value(entry.value)
      #expect(redaction.value(once) == once, "\(entry.key)")
    }
    let sentence = redaction.text("user 4711, Ada L, ada@private.example, x@y.example")
    #expect(redaction.text(sentence) == sentence)
    let document = redaction.document(try Self.document(app.plan()))
    #expect(redaction.document(document) == document)
  }

  @Test func `in ASCII masks are written with < and >`() throws {
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.isASCII = true
    #expect(redaction.value("x") == "<text>")
    #expect(redaction.value(redaction.value(7)) == "<number integer>")
  }

  @Test(arguments: Observation.examples)
  func `every finding keeps its code, and quotes masks`(_ observation: Observation) throws {
    let redaction = try Self.redaction(LegacyApp.with(["rl_traits": .string(Self.traits)]))
    let shown = redaction.finding(Finding(observation))
    #expect(shown.code == observation.code)
    #expect(!shown.message.isEmpty && !shown.remedy.isEmpty)
    #expect(redaction.finding(shown) == shown)
  }

  @Test func `a finding about a type names the type of the value, not that of its mask`() throws {
    let plan = try LegacyApp.with(["rl_anonymous_id": 815]).plan()
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(plan)
    let messages = redaction.findings(of: plan).findings.filter { $0.code == .anonymousIDNotString }.map(\.message)
    let message = try #require(messages.first)
    #expect(message.contains("the legacy one is an integer (‹id-"))
  }

  static func document(_ plan: Plan) throws -> JSONValue {
    SavedPlan.json(
      plan, request: PlanRequest(container: "/cases/Acme.xcappdata", parameters: ["write-key": "WK"]), tool: "1.0")
  }

  private func text(_ value: PropertyListValue) -> String { if case .string(let text) = value { text } else { "" } }
}

@Suite("Redaction of models and of names") struct ModelRedactionTests {
  private static func preferences(_ keys: PropertyListDictionary) throws -> Store {
    try Store("Library/Preferences/com.acme.shop.plist", keys)
  }

  @Test func `JSON in data keeps shape, names and type; its values are masked as they are in text`() throws {
    let text = #"{"name":"Jane","tags":["Jane",{"n":7}],"ok":true,"none":null,"version":2}"#
    let container = Container([try Self.preferences(["person": .data(Array(text.utf8)), "other": "Jane"])])
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(container)
    guard case .data(let bytes) = redaction.value(.data(Array(text.utf8))) else { return #expect(Bool(false)) }
    let shown = try JSONText(bytes: bytes).value
    let mask = try #require(shown["name"]?.stringValue)
    #expect(mask.hasPrefix("‹text-") && redaction.value("Jane") == .string(mask))
    #expect(shown.members?.map(\.name) == ["name", "tags", "ok", "none", "version"])
    #expect(shown["tags"]?.elements?.first == .string(mask))
    #expect(shown["tags"]?.elements?.last?["n"]?.stringValue?.hasPrefix("‹number-") == true)
    #expect(shown["ok"] == true && shown["none"] == .null)
    // The marker of the version tells of the app and not of a person.
    #expect(shown["version"] == 2)
    let document = redaction.document(["schema": "x", "v": CodedValue.json(.data(Array(text.utf8)))])
    #expect(document["v"]?["type"] == "data" && document["v"]?["redacted"] == true)
    #expect(CodedValue.value(["type": "data", "value": document["v"]?["value"] ?? .null]) == .data(bytes))
  }

  @Test func `A number that is a person's own is masked where it stands for a version too`() throws {
    let text = #"{"alias":"J","email":"x","version":3,"children":3}"#
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(Container([try Self.preferences(["person": .string(text)])]))
    guard case .string(let shown) = redaction.value(.string(text)) else { return #expect(Bool(false)) }
    #expect(try JSONText(shown).value["children"]?.stringValue?.hasPrefix("‹number-") == true)
  }

  @Test func `Data that is no JSON is one mask, as before`() throws {
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(Container([try Self.preferences(["blob": .data([0xFF, 1, 2])])]))
    #expect(redaction.value(.data([0xFF, 1, 2])) == "‹data-1›")
  }

  private static let ids = [
    "550E8400-E29B-41D4-A716-446655440000", "4711", "42", "7", "alice", "al", "A", "alice@example.com", "a-b-c", "u_42",
    "žofie", "Jane Roe", #"a"b\c"#, "x/y", "session", "store", "true", "d41d8cd98f00b204e9800998ecf8427e", "a.b", "日本",
    "user-17",
  ]

  @Test("a visitor's id that is a name in the file of decisions is masked, whatever it looks like (C8)", arguments: ids)
  func names(_ id: String) throws {
    let key = "10022898-10025986-" + id
    let json: JSONValue = .object([
      JSONMember("store", .object([JSONMember(key, ["bucketing": ["100218245": "100299457"]])])),
      JSONMember("order", [.string(key)]),
    ])
    for mirror in [id, nil] {
      var keys: PropertyListDictionary = ["launchCount": 17]
      if let mirror { keys[ConvertNames.visitorMirror] = .string(mirror) }
      let container = Container([
        Store(
          path: "Library/Application Support/convert-decision-store.json", content: .json(try JSONText(json.text()))),
        try Self.preferences(keys),
      ])
      var redaction = Redaction(recipes: Recipe.builtIn)
      redaction.learn(container)
      let shown = redaction.json(json)
      let name = try #require(shown["store"]?.members?.first?.name)
      #expect(name.hasPrefix("10022898-10025986-‹") && name.hasSuffix("›"), "\(name)")
      #expect(shown["order"]?.elements?.first == .string(name))
      #expect(shown["store"]?[name]?["bucketing"]?.members?.map(\.name) == ["100218245"])
      #expect(redaction.value(.string(id)) == .string(String(name.dropFirst("10022898-10025986-".count))))
      guard case .json(let masked)? = redaction.container(container).stores.first?.content else {
        return #expect(Bool(false))
      }
      #expect(masked.value["store"]?.members?.map(\.name) == [name])
      #expect(redaction.text("at \(key), and on") == "at \(name), and on")
    }
  }

  @Test func `A file of decisions that is not of the SDK's form gives away no visitor either`() throws {
    let json: JSONValue = ["store": ["alice": 1, "1-2-bob": 2], "order": ["1-2-carol", "dave"]]
    var redaction = Redaction(recipes: Recipe.builtIn)
    redaction.learn(
      Container([
        Store(
          path: "Library/Application Support/convert-decision-store.json", content: .json(try JSONText(json.text())))
      ]))
    let shown = redaction.json(json).text()
    for name in ["alice", "bob", "carol", "dave"] { #expect(!shown.contains(name), "\(shown)") }
  }
}
