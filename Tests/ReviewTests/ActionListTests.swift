@testable import CarryoverReview

@Suite("The list of actions") struct ActionListTests {
  @Test func `the help lists the actions of the screen below, by task, each once`() throws {
    let session = Session(columns: 160, rows: 150, typing: "<enter>?")
    let lines = session.lines
    #expect(lines[1].contains("Help: Details"))
    let bindings = ReviewState.table.bindings(in: .details, Keymap())
    let places = try BindingGroup.allCases.filter { group in bindings.contains { $0.group == group } }.map { group in
      try #require(lines.firstIndex { $0.hasPrefix("│ \(group.rawValue)  ") }, "\(group)")
    }
    #expect(places == places.sorted() && places.count > 4)
    for binding in bindings {
      #expect(
        lines.count { $0.contains(" \(binding.allKeysLabel) ") && $0.contains(binding.help) } == 1, "\(binding.help)")
    }
    #expect(!session.text.contains("Apply the change that is shown."))
    #expect(session.text.contains("There is nothing to undo."))
  }

  @Test func `enter in the help runs what is chosen on the screen below`() {
    var session = Session(typing: "?<enter>")
    #expect(session.state.screen == .review && session.state.decisions.count == 1)
    session.type("?j<enter>")
    #expect(Array(session.state.decisions.values) == [.skip])
    session.type("?<pgdn><end><home>j<enter>", then: \.state.screen, is: .review)
  }

  @Test func `a name typed after : runs its action, as its key does`() {
    var session = Session(typing: ":skip")
    #expect(
      session.state.screen == ReviewState.table.palette
        && session.selectedRows.first?.contains("Skip the field") == true)
    session.type("<enter>")
    #expect(session.state.screen == .review && Array(session.state.decisions.values) == [.skip])
    session.type(":undo<enter>")
    #expect(session.state.decisions.isEmpty && session.state.message?.hasPrefix("Undone") == true)
    session.type(":log<enter>:back<enter>", then: \.state.screen, is: .review)
    session.type(":quit<enter>", then: \.effects.last, is: .quit)
  }

  @Test func `a whole name comes first, then beginnings, then words of names, then of what is done`() {
    var session = Session(columns: 120, rows: 40)
    func names() -> [String] { session.state.listedActions.map(\.binding.name) }
    session.type(":next")
    #expect(names().prefix(2) == ["next", "next-pane"])
    session.type("<c-u>r")
    #expect(names().first == "recipes", "the key of that name")
    session.type("<c-u>pane next")
    #expect(names() == ["next-pane"])
    session.type("<c-u>ROLL b")
    #expect(names().first == "roll-back")
    session.type("<c-u>no such thing")
    #expect(names().isEmpty && session.lines.last?.contains("0 found") == true)
    session.type("<enter>")
    #expect(session.effects.last == .bell && session.state.screen == ReviewState.table.palette)
  }

  @Test func `an action that cannot be run now, or works elsewhere, is listed with the reason and does nothing`() {
    var session = Session(columns: 120, rows: 40, typing: ":undo")
    #expect(session.text.contains("Undo the last decision.  Unavailable: There is nothing to undo."))
    session.type("<enter>")
    #expect(session.state.screen == ReviewState.table.palette && session.text.contains("There is nothing to undo."))
    session.type("<c-u>apply this", shows: "Available on the screen")
    session.type("<enter>")
    #expect(session.effects == [.bell, .bell] && session.state.screen == ReviewState.table.palette)
  }

  @Test func `enter in the list writes nothing and forgets nothing: that takes the action's own key`() {
    var session = Session(decisions: ["user_id": .migrate], typing: "a")
    #expect(session.state.screen == .preview)
    session.type(":apply<enter>")
    #expect(session.effects == [.bell] && session.text.contains("Only y does this."))
    session.type("<esc>?<enter>")
    #expect(!session.effects.contains { !$0.isForClicks })
  }

  @Test func `esc closes the line and the list, and clears the line that was opened in the help`() {
    var session = Session(columns: 80, rows: 24, typing: "w3j")
    let top = session.state.pageTop
    session.type(":skip<esc>")
    #expect(session.state.screen == .warnings && session.state.pageTop == top)
    session.type("?G/skip<esc>")
    #expect(session.state.screen == ReviewState.table.help && session.state.stack.actions.words.isEmpty)
    session.type("<esc>")
    #expect(session.state.screen == .warnings && session.state.pageTop == top)
  }

  @Test func `a number before : says how often, and a number after it which row`() {
    var session = Session(columns: 80, rows: 24)
    session.openHistory()
    session.type("3:down<enter>", then: \.state.runs.row, is: 3)
    session.type(":2<enter>")
    #expect(session.state.runs.row == 1 && session.state.screen == .history)
    session.type("5:<esc>:down<enter>", then: \.state.runs.row, is: 2)
    let log = Session(columns: 80, rows: 16, typing: "r:9<enter>")
    #expect(log.state.screen == .recipes && log.state.pageTop == 8)
  }

  @Test func `a click chooses an action, a second one runs it`() throws {
    var session = Session(columns: 100, rows: 40, typing: "?")
    let row = try #require(session.lines.firstIndex { $0.contains("Skip the field") })
    let click = ScreenInput.mouse(Mouse(.select, at: Position(column: 30, row: row)))
    session.send(click)
    #expect(
      session.state.screen == ReviewState.table.help && session.selectedRows.first?.contains("Skip the field") == true)
    session.send(click)
    #expect(session.state.screen == .review && Array(session.state.decisions.values) == [.skip])
  }

  @Test func `the user's keys are shown, and an action without a key is run by its name (F15)`() throws {
    let parsed = ConfigurationParser(Array("bind review f5 apply\nunbind review u".utf8))
    try #require(parsed.problems.isEmpty)
    var session = Session(columns: 120, rows: 40, keymap: parsed.configuration.keymap, typing: "s:preview")
    #expect(session.text.contains("f5 a "))
    session.type("<c-u>undo<enter>", then: \.state.decisions, is: [:])
  }

  @Test func `the stores and the choice among containers have the list, too`() {
    var browsing = Browsing(typing: "?/clipboard path")
    #expect(browsing.text.contains("Copy the path of the value to the clipboard."))
    #expect(!browsing.text.contains("Go up one row."))
    browsing.type("<esc><esc>:search<enter>", then: \.state.screen, is: .storesSearch)
    var picking = Picking(typing: "?")
    #expect(picking.text.contains("Help: Containers"))
    picking.type("<esc>:open<enter>", then: \.effects.count, is: 1)
  }

  @Test func `line by line, a name runs its action or names those that match (F15)`() {
    var talk = LineTalk()
    talk.type(":skip")
    #expect(talk.review.state.decisions.count == 1 && talk.review.state.screen == .review)
    talk.type(":3")
    #expect(talk.answer.hasPrefix("3 of "))
    talk.type(":previous")
    #expect(talk.review.state.screen == .review && talk.effects.isEmpty)
    talk.type(": re")
    #expect(talk.answer.contains("Several actions match: redo (U), recipes (r)"), "\(talk.said)")
    talk.type(":no such thing", says: "No action has that name.")
    talk.type(":roll back")
    #expect(talk.answer == "Unavailable: There is no run to roll back.", "\(talk.said)")
    talk.type("apply", ":apply this")
    #expect(talk.effects.isEmpty && talk.answer.contains("Only yes does this."))
  }
}

@Suite("The first and the last line") struct BarsTests {
  /// Two fields that are decided in each way the sample has, so that there are many counts.
  private static func manyCounts(_ columns: Int) throws -> Session {
    try Session(
      samplePlan("HalfFilled"), columns: columns, rows: 24,
      decisions: ["traits": .skip, "session_id": .migrate, "rudder.app_build": .edit(421)])
  }

  @Test(arguments: 60...130)
  func `counts in the title stand whole or not at all, and those the apply waits for always`(columns: Int) throws {
    let session = try Self.manyCounts(columns)
    let title = session.lines[0]
    #expect(title.hasPrefix(" Carryover  "))
    #expect(title.contains(" 1 in conflict"))
    let shown = session.state.titleCounts
    let all = FieldState.allCases.filter { session.state.tally[$0] > 0 }
    #expect(shown.count == all.count || shown.last?.text.hasSuffix(" …") == true)
    for count in shown { #expect(title.contains(count.text), "\(title)") }
    #expect((shown.first?.columns.lowerBound ?? 0) >= " Carryover  ".count)
  }

  @Test func `counts of a window without room for any are still made`() throws {
    #expect(try !Self.manyCounts(1).state.titleCounts.isEmpty)
  }

  @Test func `a conflict says in the last line how the target's value is kept, as long as it is one`() throws {
    var session = try Session(samplePlan("HalfFilled"), columns: 80, rows: 24, typing: "n")
    #expect(session.state.selected?.status == .conflict)
    #expect(session.lines.last?.contains("t keep") == true)
    session.type("t")
    session.type("n")
    #expect(session.lines.last?.contains("t keep") == false)
  }

  @Test func `a menu with more items than fit says where its cursor stands`() throws {
    var session = try Session(samplePlan("HalfFilled"), columns: 60, rows: 16, typing: "F")
    let count = try #require(session.state.menu?.list.rows.count)
    #expect(session.lines[14].contains(" 1 of \(count) "))
    session.type("j")
    #expect(session.lines[14].contains(" 2 of \(count) "))
  }

  @Test func `a letter that a menu has nothing under is answered`() throws {
    var session = try Session(samplePlan("CorruptTraits"), columns: 80, rows: 24, typing: "A")
    let items = try #require(session.state.menu?.list.rows.map(\.key))
    #expect(!items.contains("P"))
    session.type("P")
    #expect(session.lines.last?.contains("P has no entry here.") == true)
    #expect(session.state.screen == .decideMany && session.state.decisions.isEmpty)
  }

  @Test(arguments: [60, 80, 120])
  func `a narrow window leaves out the format of a store, and cuts no count of keys`(columns: Int) {
    let rows = Browsing(columns: columns, rows: 16).lines.filter { $0.contains(".plist ") && $0.contains(" bytes ") }
    #expect(!rows.isEmpty)
    for row in rows { #expect(row.contains("key"), "\(row)") }
    #expect(rows.contains { $0.contains("binary") || $0.contains("XML") } == (columns > 60))
  }

  @Test(arguments: 60...120)
  func `the line of a search in the stores says how it ends, whatever it has found`(columns: Int) {
    let browsing = Browsing(columns: columns, rows: 16, typing: "/a")
    let last = browsing.lines.last ?? ""
    #expect(last.hasPrefix(" /a "))
    #expect(last.contains("enter go  esc cancel"), "\(last)")
  }
}

@Suite("The review as a command line") struct CommandPageTests {
  private func state(
    _ decisions: Decisions = [:], redaction: Redaction? = nil, lineColumns: Int? = nil, words: [String]? = Self.words
  ) -> ReviewState {
    var options = ReviewOptions(redaction: redaction)
    options.lineColumns = lineColumns
    return ReviewState(
      plan: acmePlan(), decisions: decisions, size: Size(columns: 80, rows: 24), options: options,
      backupLocation: "/runs", applyWords: { _ in words })
  }

  private static let words = ["carryover", "apply", "Ada's Shop.xcappdata", "--write-key", "k"]

  @Test func `C copies the command with every decision, and shows the same`() {
    var state = state(["user_id": .edit("it's\n"), "rudder.app_build": .skip, "anonymous_id": .migrate])
    let effects = reduce(&state, .key(.character("C")))
    guard case .copy(let text)? = effects.first else { return #expect(Bool(false), "\(effects)") }
    #expect(text.hasPrefix(#"carryover apply 'Ada'\''s Shop.xcappdata' --write-key k --recipe "#))
    #expect(text.hasSuffix(#"--set-json 'user_id="it'\''s\n"' --skip rudder.app_build --yes"#))
    let shown = render(state).grid.lines.dropFirst(2).map { $0.dropFirst(2).dropLast(2) }.joined()
    #expect(shown.contains(#"user_id="it'\''s\n"'"#))
    #expect(state.screen == .command && state.message == "The command was copied to the clipboard.")
    _ = reduce(&state, .key(.escape))
    #expect(state.screen == .review && state.pages.commandLine == nil)
  }

  @Test func `with a filter, it names the listed fields, and is refused if it cannot name them`() {
    var session = Session(acmePlan())
    session.state = state(["user_id": .edit("x"), "traits": .skip])
    session.type("fgroup:identity<enter>C", shows: "fields: only those listed")
    guard case .copy(let text)? = session.effects.last else { return #expect(Bool(false)) }
    #expect(text.hasSuffix(" --only anonymous_id --only user_id --set user_id=x --yes"), "\(text)")
    session.type("<esc>f<c-u>group:traits<enter>C", then: \.state.message, is: "There is nothing to write.")
    session.state = state()
    session.type("fgroup:identity<enter>C", then: \.state.message, is: "Not every field listed is decided.")
  }

  @Test func `what is undecided is said, and the palette finds it`() {
    var session = Session(acmePlan())
    session.state = state()
    session.type(":copy as command<enter>", then: \.state.screen, is: .command)
    #expect(session.text.contains("1 field is undecided: the command writes nothing until it is decided."))
  }

  @Test func `there is none with --redact, nor with hidden characters in a path, nor where the command is unknown`() {
    var masks = Redaction(recipes: Recipe.builtIn)
    masks.learn(acmePlan())
    for (state, reason) in [
      (state(redaction: masks), "With --redact there is no command line: it would contain the values unmasked."),
      (state(words: nil), "How this container was opened is unknown."),
      (state(words: ["carryover", "apply", "a\u{1B}[2J"]), "has hidden characters"),
    ] {
      var state = state
      #expect(reduce(&state, .key(.character("C"))) == [.bell])
      #expect(state.screen == .review && state.message?.contains(reason) == true)
    }
  }

  @Test func `what is saved of it is a script; line by line it is read and not copied`() {
    var lines = state(lineColumns: 400)
    #expect(reduce(&lines, .key(.character("C"))).isEmpty && lines.screen == .command)
    var state = state()
    _ = reduce(&state, .key(.character("C")))
    let text = state.wholeText(of: .command)
    #expect(text.hasPrefix("#!/bin/sh\ncarryover apply ") && text.hasSuffix(" --yes\n"))
  }
}
