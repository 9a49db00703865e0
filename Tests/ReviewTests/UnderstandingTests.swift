@testable import Carryover
@testable import CarryoverReview

@Suite("Explaining findings") struct FindingTests {
  private func plan() -> Plan {
    var plan = acmePlan()
    plan.fields[0].findings = [Finding(.anonymousIDsDiffer(key: "k", traits: "t"), field: "anonymous_id")]
    return plan
  }

  @Test func `x explains the field's finding with all that is known of its code, and where it was met`() {
    var session = Session(rows: 80, typing: "jx")
    #expect(session.state.screen == .finding)
    let text = session.text
    #expect(text.contains("identity.user-id-not-string"))
    #expect(text.contains("Error: usually about the user's identity or consent."))
    for part in FindingCode.userIDNotString.explanation.parts() { #expect(text.contains(part.title)) }
    #expect(session.text.contains("rl_traits.userId") && session.text.contains("com.acme.shop.plist"))
    session.type("<esc>", then: \.state.screen, is: .review)
  }

  @Test func `[ and ] go between the field's findings and the container's, and say where they end`() {
    var session = Session(typing: "jx")
    #expect(session.lines[1].contains("Finding 1 of 2"))
    session.type("]", shows: "dropped.external-ids")
    session.type("]", then: \.state.message, is: "This is the last finding.")
    session.type("<enter>", then: \.state.message, is: "This finding is about the container, not about one field.")
    session.type("[[", then: \.state.message, is: "This is the first finding.")
  }

  @Test(arguments: [("AcmeShop", true), ("Clean", false)])
  func `the verdict's footer has the key to a field only where one mends it`(sample: String, mends: Bool) throws {
    let session = Session(try samplePlan(sample), columns: 80, rows: 24, typing: "V")
    #expect(session.state.screen == .verdict && session.lines.last?.contains("enter go to field") == mends)
  }

  @Test func `in the warnings the cursor goes from finding to finding, and enter explains the one it is on`() {
    var session = Session(plan(), typing: "w")
    let codes = session.state.findings.rows.map(\.code)
    #expect(codes.prefix(2) == [.userIDNotString, .droppedExternalIDs])
    session.type("j")
    let selected = session.lines.first { $0.contains("▸") }
    #expect(selected?.contains("dropped.external-ids") == true)
    session.type("<enter>")
    #expect(session.lines[1].contains("Finding 2 of \(codes.count)"))
    session.type("[<enter>")
    #expect(session.state.screen == .review && session.state.cursor == "user_id")
  }

  @Test(arguments: [16, 24, 40])
  func `every finding of the warnings can be reached by down and up, and is in sight`(rows: Int) {
    var plan = acmePlan()
    for index in plan.fields.indices {
      plan.fields[index].findings = (0..<3).map {
        Finding(.anonymousIDsDiffer(key: "\($0)", traits: "t"), field: plan.fields[index].id)
      }
    }
    var session = Session(plan, columns: 80, rows: rows, typing: "w")
    let count = session.state.findings.rows.count
    for step in 1..<count {
      session.type("j", then: \.state.findings.row, is: step)
      #expect(session.lines.contains { $0.contains("▸") }, "\(step)")
    }
    session.type("<end>", shows: "rl_server_last_updated")
    session.type("<up><up><up><up><up><up><up><up><up><up><up><up>")
    #expect(session.lines.contains { $0.contains("▸") })
    session.type("<home>")
    #expect(session.state.findings.row == 0 && session.state.pageTop == 0)
    session.type("<pgdn>")
    #expect(session.state.findings.row > 0 && session.lines.contains { $0.contains("▸") })
  }

  @Test func `a field that the list leaves out is shown all the same when its finding leads there`() {
    var session = Session(typing: "fgroup:app<enter>w<enter>")
    let id = session.state.findings.selected?.field
    session.type("<enter>")
    #expect(id != nil && session.state.cursor == id && session.state.cursorRow != nil)
  }

  @Test func `a new plan leaves no finding of the old one on the screen`() {
    var session = Session(typing: "wx")
    var plan = acmePlan()
    plan.fields = []
    plan.containerFindings = []
    session.send(.replanned(plan))
    #expect(session.state.screen == .warnings && session.state.findings.selected == nil)
    session.type("x", then: \.state.message, is: "There is nothing to explain here.")
  }
}

@Suite("The log") struct LogTests {
  @Test func `a run is asked for and ends in sentences, newest last, with their times`() throws {
    var session = Session(columns: 200, rows: 60)
    session.applySample()
    session.type("L")
    let lines = session.lines
    func row(_ text: String) throws -> Int { try #require(lines.firstIndex { $0.contains(text) }, "\(text)") }
    #expect(try row("You asked to apply") < row("Run 20251120T120500Z-1 wrote 7 keys"))
    #expect(lines[try row("wrote 7 keys")].contains("12:05:00.120  14:05:00"))
    session.type("<esc>", then: \.state.screen, is: .result)
  }

  @Test func `a log that is longer than the screen opens at its newest entry`() {
    var session = Session(columns: 80, rows: 16)
    session.applySample()
    session.type("<esc>")
    for _ in 0..<20 { session.type("s") }
    session.type("L")
    let last = session.text
    #expect(session.state.pageTop > 0 && last.contains("Skipped") || last.contains("Decision"))
    session.type("<home>", then: \.state.pageTop, is: 0)
  }

  @Test func `a run that failed says why`() {
    var session = Session()
    session.applySample(.failure(ReviewFailure(message: "The disk is full.", remedy: "Make room.")))
    #expect(session.state.screen == .failure)
    session.type("L")
    #expect(session.lines.contains { $0.contains("failed") && $0.contains("The disk is full.") })
  }
}

@Suite("Recipes in the review") struct RecipePageTests {
  @Test func `the page says which recipe is followed and by which keys, each rule, and how to follow another`() throws {
    var session = Session(
      try samplePlan("AcmeShop"), columns: 120, rows: 1000, container: try sampleContainer("AcmeShop"))
    session.type("r")
    let beginning = session.text
    session.type("G")
    let text = beginning + session.text
    #expect(text.contains("In use: RudderStack Obj-C → Swift (rudderstack-objc, version 3)"))
    #expect(text.contains("Matching keys: ") && text.contains("rl_anonymous_id"))
    #expect(text.contains(": rudderstack-swift-v2"))
    for recipe in Recipe.builtIn {
      for rule in recipe.rules { #expect(text.contains(rule.target)) }
      for key in recipe.leftBehind { #expect(text.contains(key.key)) }
    }
    #expect(text.contains("found here"))
  }

  @Test func `the reason says when the keys fit another recipe, or for none`() {
    let (objc, swift) = (Recipe.rudderStackObjC, Recipe.rudderStackSwiftV2)
    let evidence = RecipeEvidence(recipe: swift.reference, keys: (1...8).map { "rs_\($0)" })
    let named = RecipeWords.reason(objc.reference, RecipeDetection(chosen: swift, evidence: [evidence]))
    #expect(named.contains("match rudderstack-swift-v2: rs_1, ") && named.contains("and 2 more"))
    #expect(named.contains("You chose this recipe"))
    let none = RecipeWords.reason(objc.reference, RecipeDetection(chosen: objc, evidence: []))
    #expect(none.hasPrefix("No key here belongs to one SDK only"))
  }
}

@Suite("Redaction in the review") struct ReviewRedactionTests {
  private static let secrets = ["9f1c2a7e", "a@b.co", "2Kx9mQ7abcd", "b-42", "gold", "2019", "brazeExternalId"]

  private func session(glyphs: Glyphs = .unicode, columns: Int = 120) -> Session {
    let plan = acmePlan()
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(plan)
    return Session(redaction.findings(of: plan), columns: columns, glyphs: glyphs, redaction: redaction)
  }

  private func text(_ session: Session) -> String { session.text }

  @Test(arguments: [Glyphs.unicode, .ascii], [80, 120, 200])
  func `no screen shows a value of a person`(_ glyphs: Glyphs, _ columns: Int) {
    var session = session(glyphs: glyphs, columns: columns)
    var screens = [text(session)]
    for key in [
      "w", "j", "x", "<esc>", "<esc>", "r", "<esc>", "x", "<esc>", "L", "<esc>", "<enter>", "]", "]", "]", "<esc>", " ",
      "j", " ", "a", "<esc>", "P", "<esc>", "?",
    ] {
      session.type(key)
      screens.append(text(session))
    }
    for (index, screen) in screens.enumerated() {
      for secret in Self.secrets { #expect(!screen.contains(secret), "\(secret) on screen \(index)\n\(screen)") }
    }
    let mask = glyphs == .ascii ? "<user-" : "‹user-"
    #expect(screens[0].contains(mask))
    #expect(screens[0].contains("1763640000") && screens[0].contains("4.2.0"))
  }

  @Test func `a long value that was masked is masked by the next redaction, and in the next characters`() throws {
    let text = #"{"email":"a@b.co","note":"\#(String(repeating: "x", count: MaskedTexts.long))"}"#
    var options = ReviewOptions(redaction: Redaction(recipes: [.rudderStackObjC]))
    #expect(Ink(options).shown(.string(text)) == Redaction(recipes: [.rudderStackObjC]).value(.string(text)))
    #expect(Ink(options).shown(.string(text)) == Redaction(recipes: [.rudderStackObjC]).value(.string(text)))
    options.glyphs = .ascii
    guard case .string(let plain) = Ink(options).shown(.string(text)) else { return #expect(Bool(false)) }
    #expect(plain.contains("<email>") && !plain.contains("‹"))
    var learned = Redaction(recipes: [.rudderStackObjC])
    learned.learn(["traits": .edit(.string(text))])
    options = ReviewOptions(redaction: learned)
    options.redaction?.isASCII = false
    #expect(Ink(options).shown(.string(text)) == learned.value(.string(text)))
    #expect(learned.value(.string(text)) != Redaction(recipes: [.rudderStackObjC]).value(.string(text)))
  }

  @Test func `editing begins with an empty line and shows what is typed; what is decided is the real value`() {
    var session = session()
    session.type("je", then: \.state.editor?.text, is: "")
    session.type("4711")
    #expect(text(session).contains("4711"))
    session.type("<enter>")
    #expect(session.state.decisions["user_id"] == .edit("4711"))
    #expect(!text(session).contains("4711"))
  }

  @Test func `what is copied is the mask; what is confirmed is the value`() {
    var session = session()
    session.type("c")
    guard case .copy(let copied)? = session.effects.last else { return #expect(Bool(false)) }
    #expect(copied.hasPrefix("‹id-"))
    session.type("j ")
    #expect(session.state.plan.changes(session.state.decisions).contains { $0.key == "user_id" && $0.after == "42" })
  }

  @Test func `in the stores a mask has the type of the value behind it, and no size but that of the file`() throws {
    let values: PropertyListDictionary = [
      "a_number": 4711, "b_bytes": .data([1, 2, 3]), "c_text": "ada@private.example", "d_json": #"{"n":4711.25}"#,
    ]
    let document = try PropertyListDocument(bytes: PropertyListDocument.encode(.dictionary(values), as: .xml))
    var container = nestedContainer()
    container.stores = [Store(path: "Library/Preferences/x.plist", content: .document(document), size: 12_345)]
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(container)
    for glyphs in [Glyphs.unicode, .ascii] {
      redaction.isASCII = glyphs == .ascii
      var session = Session(acmePlan(), glyphs: glyphs, container: container, redaction: redaction, typing: "b")
      session.type("gj<enter>", shows: "12 KB")
      for (key, type) in [("a_number", "integer"), ("b_bytes", "data"), ("c_text", "string")] {
        session.type("j")
        let pointer: Character = glyphs == .ascii ? ">" : "▸"
        let row = try #require(session.lines.first { $0.dropFirst().first == pointer })
        #expect(row.contains(key) && row.contains(" \(type) "), "\(row)")
        session.type("i")
        #expect(session.text.contains("Type    \(type) ") && !session.text.contains("Size "), "\(session.text)")
        #expect(!session.text.contains("4711") && !session.text.contains("ada@"))
        session.type("<esc>")
      }
      session.type("ji")
      #expect(session.text.contains("Size    1 member ") && !session.text.contains("stored as"))
    }
  }
}

@Suite("Containers of several SDKs, and of none") struct OtherSDKsScreenTests {
  private static let now = Moment(secondsSince1970: 1_763_640_300)
  private static let preferences = "AppData/Library/Preferences/"

  private func session(
    _ values: PropertyListDictionary, _ more: Store..., options: PlannerOptions = PlannerOptions()
  ) throws -> Session {
    let container = container([store(Self.preferences + "com.acme.shop.plist", .dictionary(values))] + more)
    let plan = Planner(.rudderStackObjC).plan(container, now: Self.now, options: options)
    var session = Session(plan, container: container)
    let others = try RecognisedKeys(container, of: [.mixpanelObjC]).recipes.map { recipe in
      RecipeVerdict(Planner(try recipe.filled([:], in: container)).plan(container, now: Self.now), isInterrupted: false)
    }
    session.send(ReviewAction.reopened(container, others: others))
    return session
  }

  @Test func `above the list, the plan's SDK comes first, then a line for each other; V begins with the most serious`()
    throws
  {
    var session = try session(
      ["rl_anonymous_id": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642"],
      store(
        Self.preferences + "Mixpanel.plist",
        [
          "mixpanel-ff01MPDistinctID": "u-1001", "mixpanel-ff01MPUserId": "u-1001",
          "mixpanel-ff01-MPDistinctID": "device-2",
        ]))
    #expect(session.lines[0].contains("RudderStack Obj-C → Swift"), "\(session.text)")
    #expect(session.lines[1].contains("RudderStack Obj-C → Swift: "), "\(session.text)")
    let line = "Mixpanel Obj-C → Swift 3+ (mixpanel-objc): This user was logged out"
    #expect(session.lines[2...5].contains { $0.contains(line) }, "\(session.text)")
    #expect(session.state.verdicts.map(\.recipe.id) == ["mixpanel-objc", "rudderstack-objc"])
    session.type(
      "V", shows: "What to do", "W, then r, in the review chooses the recipe mixpanel-objc",
      "RudderStack Obj-C → Swift: ")
    session.type("q")
    session.type("r", shows: "Other recipes with data here: mixpanel-objc")
    #expect(session.text.contains("or all that have data here"))
  }

  @Test func `where several SDKs lose something, the verdict says that all repairs every one`() throws {
    var session = try session(
      ["rl_anonymous_id": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642", "rl_traits": #"{"userId":42}"#],
      store(
        Self.preferences + "Mixpanel.plist",
        [
          "mixpanel-ff01MPDistinctID": "u-1001", "mixpanel-ff01MPUserId": "u-1001",
          "mixpanel-ff01-MPDistinctID": "device-2",
        ]))
    session.type("V")
    let words = session.text.split { " \n│".contains($0) }.joined(separator: " ")
    #expect(words.contains("There, all repairs every SDK in one run."), "\(session.text)")
  }

  /// RudderStack's data is about to be lost, and Mixpanel's is not.
  private func both(rows: Int) throws -> Session {
    var session = try session(
      ["rl_anonymous_id": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642", "rl_traits": #"{"userId":42}"#],
      store(
        Self.preferences + "Mixpanel.plist",
        [
          "mixpanel-ff01MPDistinctID": "u-1001", "mixpanel-ff01MPUserId": "u-1001",
          "mixpanel-ff01-MPDistinctID": "u-1001", "mixpanel-ff01-MPUserId": "u-1001",
        ]), options: PlannerOptions(writeKey: "WK"))
    session.send(.resized(Size(columns: 80, rows: rows)))
    return session
  }

  @Test func `a doubt about the user is settled by the decision on the user, whether or not anything is lost`() throws {
    let id: PropertyListValue = "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642"
    var session = try session(
      ["rl_anonymous_id": id, "rl_traits": #"{"userId":"u-1001","name":"Ada"}"#],
      store(
        Self.preferences + "com.acme.shop.analytics.WK.plist",
        ["anonymous_id": id, "user_id": "u-3003", "traits": #"{"name":"Bob"}"#]),
      options: PlannerOptions(writeKey: "WK"))
    #expect(session.state.verdicts.first?.verdict.losses == [])
    let doubt = "▲ Cannot tell whether the update mixed up two users"
    #expect(session.text.contains(doubt), "\(session.text)")
    session.type("gjt")
    #expect(session.state.decisions["user_id"] != nil)
    #expect(session.text.contains("✓ Decided: user_id.") && !session.text.contains(doubt), "\(session.text)")
    session.type("u", shows: doubt)
  }

  @Test func `the line of one other SDK is whole at 80 columns`() throws {
    let session = try both(rows: 24)
    let sentence = try #require(session.state.verdicts.last).line()
    let shown = session.lines.prefix(8).map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
    #expect(shown.contains(sentence) && sentence.count > 70, "\(shown)")
  }

  @Test func `at 80 columns the title names the SDK of the fields, and the result the other one`() throws {
    var session = try both(rows: 60)
    #expect(session.lines[0].contains("RudderStack Obj-C → Swift"), "\(session.lines[0])")
    session.send(.applied(.success(acmeReport)), then: \.state.screen, is: .result)
    session.type("", shows: "Other SDKs that left data here", "Mixpanel Obj-C → Swift 3+ (mixpanel-objc): ")
  }

  @Test func `what decisions fix is named with its SDK where there are several`() throws {
    var session = try both(rows: 40)
    session.type("j ")
    #expect(session.text.contains("Fixed when you apply: the user id of RudderStack Obj-C → Swift"), "\(session.text)")
  }

  @Test func `where no recipe finds data, a screen leads to the stores, and shows neither fields nor a write key`()
    throws
  {
    var session = try session(["theme": "dark", "launches": 3])
    session.type("", then: \.state.screen, is: .unknown)
    session.type(
      "", shows: "No SDK that Carryover knows left data here.", "1 store, 2 keys.", "carryover recipe new ID")
    for words in ["anonymous_id", "write key", "none", "RudderStack"] { #expect(!session.text.contains(words)) }
    session.type("r", shows: "Other recipes")
    session.type("q", then: \.state.screen, is: .unknown)
    session.type("/theme<enter>", shows: "dark")
    #expect(session.state.screen == .stores)
    var counting = try self.session(["theme": "dark"])
    var whole = try #require(counting.state.container)
    whole.unread = UnreadFiles()
    whole.unread?.count = 1
    whole.unread?.others = ["Documents/photo.bin"]
    #expect(counting.effects.contains(.readStores))
    counting.effects = []
    counting.send(.stores(whole))
    counting.type("k", shows: "1 store, 1 key. 1 other file was not read.")
    #expect(!counting.effects.contains(.readStores))
    var leaving = try self.session(["theme": "dark"])
    leaving.type("q")
    #expect(leaving.effects.contains(.quit))
    leaving.send(.planned(leaving.state.plan, PlanChoices(recipes: ["rudderstack-objc"])))
    #expect(!leaving.state.isUnknown && leaving.state.screen == .review)
  }

  @Test func `that screen never gives way to the empty list, and leaves when a recipe is followed`() throws {
    var session = try session(["theme": "dark"])
    session.type("W", then: \.state.screen, is: .setup)
    for words in ["rudderstack-objc: ", "mixpanel-objc: ", "No SDK that Carryover knows"] {
      #expect(session.text.contains(words), "\(session.text)")
    }
    for words in ["would", "write key", "anonymous_id"] { #expect(!session.text.contains(words), "\(session.text)") }
    session.type("<esc>", then: \.state.screen, is: .unknown)
    session.send(.kept(KeptReview(moment: Self.now, decisions: [:], misfits: ["traits"])))
    session.type("d", then: \.state.screen, is: .unknown)
    session.type("W")
    while session.selectedRows.first?.contains("rudderstack-objc") == false { session.type("<down>") }
    session.type("<enter>", then: \.state.screen, is: .unknown)
    guard case .plan(let choices)? = session.effects.last else { return #expect(Bool(false), "\(session.effects)") }
    session.send(.planned(session.state.plan, choices), then: \.state.screen, is: .review)
  }
}

@Suite("The verdict's words") struct VerdictWordsTests {
  @Test func `code is without backquotes on a screen, and code in Markdown, where a paragraph is a line`() throws {
    var session = Session(try samplePlan("AcmeShop"), columns: 200, rows: 120, typing: "V")
    session.type("", shows: "product CarryoverRestore)", "allowing:", "[.consentOptedOut]")
    #expect(!session.text.contains("`"), "\(session.text)")
    let told = RecipeVerdict(try samplePlan("AcmeShop"), isInterrupted: false)
    let text = try #require(VerdictPage(told, timeline: []).json["inTheApp"]?.stringValue)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(
      lines.contains { $0.hasPrefix("At each launch") && $0.hasSuffix("with the write key of the new SDK's source:") })
    #expect(
      text.contains("(package `carryover`, product `CarryoverRestore`)")
        && text.contains("`allowing: [.consentOptedOut]`"), "\(text)")
  }

  @Test func `a stranger's recipe is escaped in the text for a ticket`() throws {
    var plan = try samplePlan("AcmeShop")
    plan.definition.inTheApp = "Ask @ada, *now*,\nwith `a\u{202E}b`.\n\n```swift\nlet a = \"\u{202E}\"\n```"
    let text = try #require(
      VerdictPage(RecipeVerdict(plan, isInterrupted: false), timeline: []).json["inTheApp"]?.stringValue)
    #expect(!text.unicodeScalars.contains("\u{202E}") && !text.contains("@ada"), "\(text)")
    #expect(text.contains(#"\*now\*, with `a"#), "\(text)")
  }

  @Test func `the review names its keys, not options of the command; once a user is allowed, nothing is left to allow`()
    throws
  {
    var plan = try samplePlan("OptedOut")
    var session = Session(plan, columns: 120, rows: 60, typing: "w")
    session.type("", shows: "Keep the user opted out in your app before the new SDK starts, then allow it with W.")
    session.type("<enter>", shows: "Carryover applies nothing until you allow it with W")
    #expect(!session.text.contains("--"), "\(session.text)")
    session = Session(plan, columns: 120, rows: 60, typing: "V")
    session.type("", shows: "then allow it with W.")
    #expect(!session.text.contains("previews the change"), "\(session.text)")
    plan = Planner(plan.definition).plan(
      try sampleContainer("OptedOut"), now: plan.now,
      options: PlannerOptions(writeKey: "1xAcmeWriteKey", allowed: [.consentOptedOut]))
    session = Session(plan, columns: 120, rows: 60, typing: "w")
    session.type("", shows: "Keep the user opted out in your app before the new SDK starts.")
    session = Session(plan, columns: 120, rows: 60, typing: "V")
    session.type("", shows: "The opt-out: see In the app.")
    #expect(!session.text.contains("allow it"), "\(session.text)")
  }

  @Test func `what to do begins with the repair, and what only the app can do comes after it`() throws {
    let session = Session(try samplePlan("AcmeShop"), columns: 120, rows: 90, typing: "V")
    let places = ["To repair: ", "The external ids: "].map { session.text.range(of: $0)?.lowerBound }
    let (repair, outside) = (try #require(places[0]), try #require(places[1]))
    #expect(repair < outside, "\(session.text)")
  }

  @Test func `the timeline has Carryover's runs, and what repairs one container says so`() throws {
    var session = Session(try samplePlan("AcmeShop"), columns: 120, rows: 90)
    session.state.pastRuns = sampleRuns
    session.type("V", shows: "apply by Carryover", sampleRuns[0].id, "now", "This repairs only this container.")
  }
}
