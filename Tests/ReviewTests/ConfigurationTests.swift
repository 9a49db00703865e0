@testable import CarryoverReview

@Suite("Configuration file") struct ConfigurationTests {
  private func parse(_ text: String) -> ConfigurationParser { ConfigurationParser(Array(text.utf8)) }

  @Test(arguments: Setting.allCases)
  func `every setting takes each of its values, and says which it has`(setting: Setting) {
    for value in setting.choices {
      let parsed = parse("\n  set \(setting.rawValue)\t\(value) # as I like it\r\n")
      #expect(parsed.problems.isEmpty, "\(value)")
      #expect(setting.value(in: parsed.configuration) == value)
      #expect(parsed.configuration.lines == [setting: 2])
    }
    #expect(setting.choices.contains(setting.builtIn))
    for wrong in ["", "yes", "-1", "9", "91", "+42", "99999999999999999999"] {
      let parsed = parse("set \(setting.rawValue) \"\(wrong)\"")
      #expect(parsed.problems.map(\.line) == [1], "\(wrong)")
      #expect(parsed.problems.first?.description.contains(setting.allowed) == true)
      #expect(setting.value(in: parsed.configuration) == setting.builtIn)
    }
  }

  @Test func `shares are percents`() {
    let layout = parse("set list-share 60\nset legacy-share 10").configuration.layout
    #expect(layout == LayoutChoice(listShare: 60, legacyShare: 10))
  }

  @Test(arguments: [
    ("sett theme dark", "“sett” is not a statement. Did you mean set?"),
    ("set theme", "set SETTING VALUE"),
    ("set theme dark light", "set SETTING VALUE"),
    ("set them dark", "Did you mean theme?"),
    ("set theme ligth", "“ligth” is not a value of theme. Did you mean light? It can be auto, dark, light or mono."),
    ("bind review x", "bind SCREEN KEY NAME"),
    ("bind reviw x next", "Did you mean review?"),
    ("bind review x nxt", "No action on the screen review has the name “nxt”. Did you mean next?"),
    ("bind review ctrl-i next", "from tab; write tab"),
    ("bind review ctrl-c next", "always ends the program"),
    ("bind review ctrl-z next", "always stops the program"),
    ("bind review spcae next", "Did you mean space?"),
    ("bind review f64 next", "“f64” is not a key"),
    ("bind review \u{7} next", "is not a key"),
    ("bind all x frobnicate", "No action on any screen has the name “frobnicate”"),
    ("bind details x other-value", "each key of other-value has its own meaning"),
    ("bind editor x accept", "x is typed as text"),
    ("bind stores-search x keep", "x is typed as text"),
    ("bind review # next", "bind SCREEN KEY NAME"),
    ("bind review \" next", "A quotation mark is not closed"),
    ("unbind review", "unbind SCREEN KEY"),
    ("unbind review z", "z does nothing on the screen review"),
    ("color warning", "color PART TEXT"),
    ("color warnin red", "Did you mean warning?"),
    ("color warning rde", "“rde” is not a colour. Did you mean red?"),
    ("color warning 256", "“256” is not a colour"),
    ("color warning red 256", "“256” is not a colour"),
    ("color warning red default blod", "Did you mean bold?"),
    ("color warning red bold blue", "“blue” is neither"),
    ("unbind review q", "the last key that leads out of the screen review"),
    ("bind review q next", "the last key that leads out of the screen review"),
    ("bind details ? next", "the last key that shows the help of the screen details"),
  ])
  func `each mistake is reported with its line, what is wrong and what was meant`(line: String, words: String) {
    let parsed = parse("# first\n\(line)\nset mouse off")
    #expect(parsed.problems.map(\.line) == [2])
    #expect(parsed.problems.first?.description.contains(words) == true, "\(parsed.problems)")
    #expect(parsed.configuration.mouse == false)
  }

  @Test func `all problems are reported at once, in order, and what is said twice is one`() {
    let parsed = parse(
      "set a b\nset theme dark\nset theme dark\ncolor match red\ncolor match red\nbind review q next\nx")
    #expect(parsed.problems.map(\.line) == [1, 3, 5, 6, 7])
    #expect(parse("bind review x next\nbind review x previous").problems.map(\.line) == [2])
    #expect(
      ConfigurationParser(Array("set theme dark\n".utf8) + [0xFF, 0xFE, 0x0A, 0x00]).problems.map(\.line) == [2, 3])
    #expect(parse("\u{FEFF}set theme dark\n\n   \n#\n").problems.isEmpty)
  }

  @Test func `looks are read, and written as they are read`() {
    let parsed = parse("color warning yellow default bold\ncolor selection 231 24 underline dim\ncolor match default")
    #expect(parsed.problems.isEmpty)
    let looks = parsed.configuration.looks
    #expect(looks[.role(.flagged)] == Look(Color(basic: 3), bold: true))
    #expect(looks[.selection] == Look(Color(index: 231), on: Color(index: 24), dim: true, underline: true))
    #expect(looks[.role(.match)] == Look())
    let written = parsed.configuration.lookLinesText.map(\.text)
    #expect(written.first == "color warning yellow default bold")
    #expect(parse(written.joined(separator: "\n")).configuration.looks == looks)
    let theme = parsed.configuration.applied(to: .dark)
    #expect(theme.look(for: Style(.flagged)) == looks[.role(.flagged)])
    #expect(theme.look(for: Style(.ready, selected: true)) == looks[.selection])
    #expect(parsed.configuration.applied(to: .mono) == .mono)
  }

  @Test func `of 16 colours the nearest stands for one of 256`() {
    #expect(Color(index: 11) == Color(basic: 11))
    #expect(Color(index: 231).basic == 15)
    #expect(Color(index: 16).basic == 0)
    #expect(Color(index: 196).basic == 9)
    #expect(Color(index: 244).basic == 8)
  }

  @Test func `a theme is chosen by what the terminal says of its background`() {
    for (value, theme) in [
      (nil, Theme.dark), ("15;0", .dark), ("0;15", .light), ("0;default;15", .light), ("0;7", .light), ("7;8", .dark),
      ("", .dark), (";", .dark), ("0;default", .dark), ("0;99999999999999999999", .dark),
    ] as [(String?, Theme)] {
      #expect(ThemeChoice.auto.theme(colorFGBG: value) == theme, "\(value ?? "nil")")
    }
    #expect(ThemeChoice.dark.theme(colorFGBG: "0;15") == .dark)
  }

  @Test func `any bytes end in a configuration or in problems that can be shown`() {
    var random = SeededGenerator(seed: 4711)
    let words = [
      "set", "bind", "unbind", "color", "theme", "review", "all", "next", "x", "ctrl-n", "enter", "space", "preview",
      "apply-this", "q", "?", "esc", "warning", "red", "300", "bold", "\"", "'", "#", "\t", "é", "\u{202E}", "on",
      "roll-back", "y", "quit", "stay", "tab", "f5", "other-value",
    ]
    for _ in 0..<400 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<60, using: &random) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: bytes.append(UInt8.random(in: 0...255, using: &random))
        case 1, 2: bytes.append(0x0A)
        default: bytes += Array((words.randomElement(using: &random) ?? "").utf8) + [0x20]
        }
      }
      let parsed = ConfigurationParser(bytes)
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count
      for problem in parsed.problems {
        #expect((1...lines).contains(problem.line))
        #expect(DisplayText.harmless(problem.description) == problem.description)
      }
      if parsed.problems.isEmpty { #expect(KeyCatalogue.all.problems(of: parsed.configuration.keymap).isEmpty) }
    }
  }
}

@Suite("Documentation of the configuration") struct ConfigurationPageTests {
  private let page: String

  init() throws {
    page = try String(contentsOf: packageRoot.appending(path: "Documentation/Configuration.md"), encoding: .utf8)
  }

  @Test(arguments: Setting.allCases)
  func `every setting has its row, with its values and a sentence`(setting: Setting) {
    let row = "| `\(setting.rawValue)` | \(setting.allowed) | \(setting.builtIn) | "
    let meaning = page.split(separator: "\n").first { $0.hasPrefix(row) }?.dropFirst(row.count) ?? ""
    #expect(meaning.hasSuffix(". |") && meaning.count > 10, "\(row)")
  }

  @Test func `every part of the screen that has colours has its row, and no other`() throws {
    let table = try #require(page.components(separatedBy: "| part | is |\n|---|---|\n").last)
    let rows = table.prefix { $0 != "*" }.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(rows.map { $0.split(separator: "`")[1] }.map(String.init) == ColoredPart.all.map(\.name))
  }

  @Test func `its example is in order`() throws {
    let parts = page.components(separatedBy: "```\n")
    let parsed = ConfigurationParser(Array(try #require(parts.dropFirst().first).utf8))
    #expect(parsed.problems.isEmpty && parsed.configuration != Configuration())
  }
}

@Suite("The setup of a plan") struct SetupTests {
  @Test func `a missing write key is no error; the title says the key that asks for it; one plans again`() throws {
    var session = Session(
      try samplePlan("Findings/target.no-write-key", writeKey: nil), columns: 80, rows: 24,
      container: try sampleContainer("Findings/target.no-write-key"))
    #expect(session.text.contains("Needs: write key (W)") && !session.text.contains("✗"), "\(session.text)")
    for keys in ["w", "<enter>"] {
      session.type(keys)
      #expect(session.text.contains("with W"), "\(session.state.screen.name)")
    }
    session.type("<esc><esc>3j")
    let cursor = session.state.cursor
    session.type("W", then: \.state.screen, is: .setup)
    session.type("?", then: \.state.screen, is: ReviewState.table.help)
    session.type("<esc>", then: \.state.screen, is: .setup)
    session.type("r", then: \.state.screen, is: .recipe)
    #expect(session.state.stack.typing?.text == "", "in the menu, a letter chooses")
    session.type("<esc>W<enter>", then: \.state.screen, is: .parameter)
    session.type("<esc>Ww", shows: "write key: ")
    session.type("a/b<enter>")
    #expect(session.effects.last == .bell && session.text.contains("not a valid write key"))
    session.type("<c-u>1xKey<enter>", then: \.effects.last, is: .plan(PlanChoices(writeKey: "1xKey")))
    session.type("aj")
    #expect(session.state.screen == .review && session.text.contains("Planning…"))
    session.send(.planned(acmePlan(), PlanChoices(writeKey: "1xKey")))
    #expect(session.state.choices.writeKey == "1xKey" && !session.text.contains("Needs:"))
    #expect(session.state.cursor == cursor && session.state.message == "Write key 1xKey set.")
  }

  @Test func `a recipe without the value of a parameter asks for it by name, and plans again with both`() {
    let token = RecipeParameter("token", "project token", form: .hexadecimal)
    var session = Session(columns: 80, rows: 24, typing: "Wr<c-u>mixpanel-objc<enter>")
    let wanted = PlanChoices(recipes: ["mixpanel-objc"])
    #expect(session.effects.last == .plan(wanted))
    session.send(.lacking(.unknown(token, recipe: "mixpanel-objc"), wanted), then: \.state.screen, is: .parameter)
    #expect(session.text.contains("project token: ") && session.text.contains("mixpanel-objc needs"))
    session.type("<enter>x<enter>", shows: "not a valid project token")
    session.type("<c-u>0123ab<enter>")
    let both = PlanChoices(parameters: ["token": "0123ab"], recipes: ["mixpanel-objc"])
    #expect(session.effects.last == .plan(both))
    session.send(.planned(acmePlan(), both))
    #expect(session.state.message == "Project token 0123ab set. Recipe mixpanel-objc set.")
    session.type(
      "Wr<c-u>rudderstack-objc<enter>", then: \.effects.last, is: .plan(PlanChoices(recipes: ["rudderstack-objc"])))
  }

  @Test func `enter on the unchanged line of the recipes clears no parameter`() {
    var session = Session(columns: 80, rows: 24)
    let chosen = PlanChoices(parameters: ["token": "0123ab"])
    session.send(.planned(acmePlan(), chosen))
    session.type("Wr<enter>", then: \.state.screen, is: .review)
    #expect(session.state.choices == chosen && session.effects.last != .plan(PlanChoices()), "\(session.effects)")
  }

  @Test func `several values of a parameter are offered; escape leaves the plan as it was`() {
    var session = Session(columns: 80, rows: 24)
    let token = RecipeParameter("token", "project token", form: .hexadecimal)
    session.send(.lacking(.several(token, ["ff01", "ff02"]), PlanChoices(recipes: ["mixpanel-objc"])))
    session.type("<up>", then: \.state.stack.typing?.text, is: "ff01")
    session.type("<esc>", then: \.state.choices, is: PlanChoices())
    session.type(
      "Wb<c-u>com.acme.other<enter>", then: \.effects.last, is: .plan(PlanChoices(bundleID: "com.acme.other")))
  }

  @Test func `a write key without a file is an error on the first screen, with the key that sets it`() throws {
    let session = Session(try samplePlan("Findings/target.other-write-key"), columns: 100, rows: 40)
    #expect(session.text.contains("No file of write key 1xAcmeWriteKey here, only of 2yAcmeOtherKey."))
    #expect(session.text.contains("which W changes"))
  }

  @Test func `a user who opted out is migrated only after a question, which y alone answers`() throws {
    var session = Session(try samplePlan("Findings/consent.opted-out"), columns: 80, rows: 24)
    #expect(session.text.contains("opted out (W)"))
    session.type("Wo", then: \.state.screen, is: .optedOut)
    session.type("<enter> xn")
    #expect(session.effects.allSatisfy { $0 == .bell })
    session.type("y", then: \.effects.last, is: .plan(PlanChoices(allowsOptedOut: true)))
  }

  @Test func `a recipe is one of those there are; without a reason to ask, the question is not asked`() {
    var session = Session(columns: 80, rows: 24, typing: "Wrnone<enter>")
    #expect(session.text.contains("no such recipe"))
    session.type("<esc>Wr<up><enter>")
    guard case .plan(let choices) = session.effects.last else { return #expect(Bool(false), "no plan was asked for") }
    #expect(choices.recipes == [Recipe.builtIn[0].reference.id])
    session.send(.failed(ReviewFailure(message: "No.", remedy: "Again.")))
    #expect(session.state.choices == PlanChoices() && session.state.screen == .failure)
    session.type("qWo")
    #expect(session.state.screen != .optedOut)
  }

  @Test func `Several recipes are typed with commas between them, or asked for with one word`() {
    var session = Session(columns: 80, rows: 24, typing: "Wrperson, rudderstack-objc<enter>")
    #expect(session.effects.last == .plan(PlanChoices(recipes: ["person", "rudderstack-objc"])))
    session = Session(columns: 80, rows: 24)
    session.type("Wrperson,none<enter>")
    #expect(session.text.contains("no such recipe") && session.state.screen == .recipe)
    session.type("<esc>Wrall<enter>", then: \.effects.last, is: .plan(PlanChoices(recipes: ["all"])))
    session.type("<esc>")
  }

  @Test func `each of several SDKs has a write key of its own in the setup`() throws {
    let container = try sampleContainer("AcmeShop")
    let segment = Planner(.segmentObjC).plan(container, now: acmePlan().now)
    var session = Session(try Plan(acmePlan(), and: [segment]), columns: 80, rows: 24, container: container)
    session.type("W", shows: "write key of rudderstack-objc: 1xAcmeWriteKey")
    #expect(session.text.contains("write key of segment-objc: missing"), "\(session.text)")
    let chosen = PlanChoices(parameters: ["segment-objc/write-key": "1xSegment"])
    session.type("21xSegment<enter>", then: \.effects.last, is: .plan(chosen))
  }

  @Test func `of several recipes, the title names the one that lacks its write key`() throws {
    let name = "Findings/target.no-write-key"
    let container = try sampleContainer(name)
    let segment = Planner(.segmentObjC).plan(container, now: acmePlan().now)
    let plan = try Plan(samplePlan(name, writeKey: nil), and: [segment])
    let session = Session(plan, columns: 100, rows: 24, container: container)
    #expect(session.text.contains("Needs: write key of rudderstack-objc (W)"), "\(session.text)")
  }

  @Test func `a value stays with the recipe that it was given for, and is used again with that one only`() throws {
    func chosen(_ session: Session) throws -> PlanChoices {
      guard case .plan(let choices)? = session.effects.last else { throw CancellationError() }
      return choices
    }
    var session = Session(columns: 80, rows: 24)
    session.send(.planned(acmePlan(), PlanChoices(writeKey: "1xKey", recipes: ["rudderstack-objc"])))
    session.type("Wr<c-u>segment-objc<enter>")
    var choices = try chosen(session)
    #expect(choices.recipes == ["segment-objc"] && choices.parameters.isEmpty, "\(choices)")
    let segment = Planner(.segmentObjC).plan(try sampleContainer("AcmeShop"), now: acmePlan().now)
    session.send(.planned(segment, choices))
    session.type("W", shows: "write key: missing")
    session.type("w2xSegment<enter>")
    choices.parameters = ["write-key": "2xSegment"]
    #expect(session.effects.last == .plan(choices))
    session.send(.planned(segment, choices))
    session.type("Wr<c-u>rudderstack-objc<enter>")
    choices = try chosen(session)
    #expect(choices.parameters == ["write-key": "1xKey"] && choices.forOthers["segment-objc/write-key"] == "2xSegment")
    session.send(
      .planned(acmePlan(), choices), then: \.state.message, is: "Write key 1xKey set. Recipe rudderstack-objc set.")
    // The other recipe for the same SDK writes the same file.
    session.type("Wr<c-u>rudderstack-swift-v2<enter>")
    #expect(try chosen(session).parameters == ["write-key": "1xKey"])
    session.send(.failed(ReviewFailure(message: "No.", remedy: "")))
    session.type("qWr<c-u>all<enter>")
    let all = try chosen(session).parameters
    #expect(all["rudderstack-objc/write-key"] == "1xKey" && all["segment-objc/write-key"] == "2xSegment", "\(all)")
    #expect(all["write-key"] == nil)
  }

  @Test func `a write key for several SDKs belongs to none; one that is known to be the chosen SDK's stays with it`() {
    var choices = PlanChoices(writeKey: "1xKey", recipes: ["rudderstack-objc", "segment-objc"])
    choices.choose(["segment-objc"], insteadOf: [.rudderStackObjC, .segmentObjC])
    #expect(choices == PlanChoices(recipes: ["segment-objc"]))
    choices = PlanChoices(writeKey: "1xKey")
    choices.choose(["segment-objc"], insteadOf: [.rudderStackObjC], keeping: ["write-key": "1xKey"])
    #expect(choices == PlanChoices(writeKey: "1xKey", recipes: ["segment-objc"]))
    choices = PlanChoices(parameters: ["segment-objc/write-key": "2xSegment", "token": "ff01"])
    choices.choose(["segment-objc"], insteadOf: [.mixpanelObjC.filled(["token": "ff01"])])
    #expect(choices.parameters == ["write-key": "2xSegment"] && choices.forOthers == ["mixpanel-objc/token": "ff01"])
  }

  @Test func `an opt-out that a decision leaves behind blocks the preview, and W lets it be left behind`() throws {
    let code = "Findings/consent.migrated"
    let container = try sampleContainer(code)
    let recipe = Recipe.mixpanelObjC.filled(["token": "0123456789abcdef0123456789abcdef"])
    let plan = Planner(recipe).plan(container, now: Moment(secondsSince1970: 1_763_640_300))
    var session = Session(plan, columns: 80, rows: 24, typing: "nsa")
    #expect(session.text.contains("The plan cannot be applied yet."), "\(session.text)")
    #expect(session.text.contains("consent.opted-out"))
    session.type("y", then: \.effects, is: [.bell])
    session.type("Wo", shows: "Migrate this user?")
  }
}
