@testable import CarryoverReview

@Suite("Programs by lines") struct LineSessionTests {
  @Test(
    "what is no answer, what could be several and what text cannot follow decides nothing and is never met with silence",
    arguments: [
      "", "  ", "con x", "de", "re", "K", "S", "skip it", "s it", "y", "yes", "tab", "copy", "ctrl-z", "0", "9",
      "99999999999999999999", "more and more",
    ])
  func nothing(_ line: String) {
    var talk = LineTalk()
    talk.type(line)
    #expect(talk.review.state.decisions.isEmpty && talk.review.state.cursor == "user_id")
    #expect(talk.effects.isEmpty && talk.said.count == 1, "\(talk.said)")
  }

  @Test(arguments: ["s", "skip", "SKIP", "ski", " skip ", "skip\r"])
  func `a key, its name, its label and a beginning that is only its own are the same answer`(_ line: String) {
    var talk = LineTalk()
    talk.type(line, then: \.review.state.decisions, is: ["user_id": .skip])
  }

  @Test func `the name of a binding and the words of its label both mean it`() {
    for line in ["keep", "t"] {
      var plan = acmePlan()
      plan.fields[1].current = "41"
      var talk = LineTalk(plan)
      talk.type(line)
      #expect(talk.review.state.decisions == ["user_id": .keep], "\(line)")
    }
  }

  @Test(arguments: [20, 40, 80])
  func `lines are wrapped between words, and none is lost`(columns: Int) {
    for line in LineTalk().said where !line.isEmpty {
      let lines = LineSession<ReviewState>.wrapped(line, columns: columns)
      #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= columns }, "\(lines)")
      #expect(lines.joined().filter { $0 != " " } == line.filter { $0 != " " })
    }
    #expect(LineSession<ReviewState>.wrapped("one two", columns: 7) == ["one two"])
    #expect(LineSession<ReviewState>.wrapped("one two", columns: 6) == ["one", "two"])
  }

  @Test(arguments: ["findings", "w"])
  func `the list of findings is opened by its name, and by its key`(line: String) {
    var talk = LineTalk()
    talk.type(line)
    #expect(talk.review.state.screen == .warnings && talk.answer.contains("Findings"))
  }

  @Test func `after a decision, an undo and a redo the field is read as it is now`() {
    var talk = LineTalk()
    talk.type("space")
    #expect(talk.answer.hasPrefix("2 of 8. ✓ user_id: accepted."))
    talk.type("accept")
    #expect(talk.answer.hasPrefix("2 of 8. ? user_id: undecided."))
    talk.type("u")
    #expect(talk.said.count == 3 && talk.said[0] == "Undone: user_id is accepted.")
    #expect(talk.said[2].hasPrefix("✓ Fixed when you apply: the user id."))
    #expect(talk.said[1].hasPrefix("2 of 8. ✓ user_id: accepted."))
    talk.type("ctrl-r")
    #expect(talk.said[0] == "Redone: user_id is undecided.")
    talk.type("n", "1", "u", says: "2 of 8. ✓ user_id: accepted.")
    talk.type("details")
    talk.type("other-value 1", then: \.review.state.decisions, is: ["user_id": .edit("41")])
    #expect(talk.said.count < 8 && talk.answer.contains("edited"), "\(talk.said)")
    talk.type("other-value 7", "other-value x", then: \.review.state.decisions, is: ["user_id": .edit("41")])
  }

  @Test func `a value that does not fit is refused with the reason, and asked for until it fits or nothing is typed`() {
    var talk = LineTalk()
    talk.type("8", "edit", "4.2", says: "Not an integer. Enter digits")
    #expect(talk.review.prompt == "Edit rudder.app_build (enter alone cancels): ")
    talk.type("quit")
    #expect(talk.review.state.decisions.isEmpty && talk.review.prompt.hasPrefix("Edit"))
    talk.type("420", then: \.review.state.decisions, is: ["rudder.app_build": .edit(420)])
    #expect(talk.said.count == 1 && talk.answer.contains("Edited: 420"))
    talk.type("edit", "")
    #expect(talk.review.state.decisions == ["rudder.app_build": .edit(420)] && talk.said.count == 1)
    talk.type("edit 421", then: \.review.state.decisions, is: ["rudder.app_build": .edit(421)])
    talk.type("e 4.2", says: "Not an integer. Enter digits")
    talk.type("422", then: \.review.state.decisions, is: ["rudder.app_build": .edit(422)])
  }

  @Test func `a number goes to a row and reads it with its findings, and nothing of the screen besides`() {
    var talk = LineTalk()
    talk.type("8", then: \.review.state.cursor, is: "rudder.app_build")
    #expect(talk.said[0].hasPrefix("8 of 8. ") && talk.answer.contains("app.build-not-integer"))
    #expect(!talk.answer.contains("space confirm") && !talk.said.contains("Review"))
    talk.type("9", then: \.answer, is: "The rows are numbered from 1 to 8.")
    talk.type("8")
    #expect(talk.said.count == 1 && talk.said[0].hasPrefix("8 of 8. "))
    talk.type("first", "k")
    #expect(talk.said.count == 1 && talk.said[0].hasPrefix("1 of 8. "), "the first row, once more")
  }

  @Test func `of many rows a list says fifty, then how many more there are, and more goes on where it ended`() {
    var talk = LineTalk(largePlan(100_000))
    talk.type("list")
    #expect(talk.said.count == 51 && talk.said.last == "99950 left. Type more to read on.")
    talk.type("more")
    #expect(talk.said.count == 51 && talk.said[0].hasPrefix("51 of 100000. "))
    talk.type("99999", "more")
    #expect(talk.said.count == 1 && talk.said[0].hasPrefix("100000 of 100000. "))
    talk.type("more", then: \.answer, is: "There is nothing more to read.")
  }

  @Test func `a search, a filter and a range say what is on, and text may follow their key`() {
    var talk = LineTalk()
    talk.type("/gold")
    #expect(talk.review.state.cursor == "traits" && talk.said.last == "/gold  1 of 1")
    talk.type("n", then: \.said.first, is: "This is the only match.")
    talk.type("esc", "filter is:ready")
    #expect(talk.review.state.rows.count == 6 && talk.answer.contains("of 6. "))
    talk.type("f is:undecided")
    #expect(talk.review.state.rows.count == 1 && talk.answer.contains("1 of 1. ? user_id"))
    talk.type("f is:undecided no-such", says: "No field matches")
    talk.type("again", says: "No field matches the filter; esc shows all of them.")
    talk.type("esc", "v", "down", then: \.said.last, is: "range of 2")
    talk.type("skip", then: \.said.first, is: "2 skipped.")
  }

  @Test func `a menu is read with its keys and counts; a digit is a key there, and no row`() {
    var talk = LineTalk()
    talk.type("A", says: "\nr: accept all ready fields, 6 fields. ")
    talk.type("x", then: \.review.state.decisions, is: [:])
    talk.type("r")
    #expect(talk.said.first == "6 accepted." && talk.review.state.tally[.confirmed] == 6)
    #expect(talk.answer.contains("1 undecided, 6 accepted"))
    talk.type("undo")
    #expect(talk.review.state.decisions.isEmpty && talk.said.first == "Undone: 6 decisions.")
    talk.type("filters", "3", then: \.review.state.rows.count, is: 3)
  }

  @Test func `the help says how lines are answered, with the words of every key, and none of what only windows have`() {
    var talk = LineTalk()
    talk.type("?")
    for words in ["a number", "again", "s skip  ", "t keep", "There is nothing to undo."] {
      #expect(talk.answer.contains(words), "\(words)\n\(talk.answer)")
    }
    for words in ["pane", "clipboard", "ctrl-z", "Delete "] { #expect(!talk.answer.contains(words), "\(words)") }
    talk.type("/undo")
    #expect(talk.answer.contains("Undo the last decision") && talk.said.count < 12)
  }

  @Test func `among the warnings it is said which finding is explained next`() {
    var talk = LineTalk()
    talk.type("w")
    #expect(talk.answer.contains("At finding 1 of 3: user_id, identity.user-id-not-string"), "\(talk.answer)")
    talk.type("down")
    #expect(talk.said.count == 1 && talk.answer.hasPrefix("At finding 2 of 3: "))
    talk.type("enter", then: \.review.prompt, is: "Finding 2 of 3: ")
  }

  @Test func `what was interrupted is read first, and needs no answer`() {
    let talk = LineTalk(recovered: sampleRecovered)
    #expect(talk.answer.contains("2 interrupted runs were recovered") && talk.answer.contains("2 of 8. ? user_id"))
    #expect(!talk.answer.contains("Any key") && talk.review.prompt == "Review: ")
  }

  @Test func `the stores are reached from the review, read, searched and left`() {
    var talk = LineTalk(container: nestedContainer())
    talk.type("b")
    #expect(talk.review.prompt == "Stores: " && talk.answer.contains("3 stores"))
    talk.type("1")
    #expect(talk.said[0].hasPrefix("1 of "))
    talk.type("search tier")
    #expect(talk.answer.contains("tier, string: gold") && talk.said.last == "/tier  1 match", "\(talk.said)")
    talk.type("copy")
    #expect(talk.effects == [.readStores] && talk.said.count == 1)
    talk.type("leave", then: \.review.prompt, is: "Review: ")
  }

  @Test func `a container is chosen among several by its number and enter, or after a filter`() {
    typealias Choice = LineSession<PickerState>
    var choice = Choice(
      PickerState(
        sampleCandidates, place: "/cases/4711/iPhone-backup.zip", size: Choice.size,
        options: Choice.options(ReviewOptions())))
    let started = choice.start().lines
    #expect(started.contains("/cases/4711/iPhone-backup.zip: 4 containers"))
    #expect(started.contains("2 of 4. com.acme.wallet, Acme Wallet, folder, files: 61"), "\(started)")
    #expect(choice.take(line: "").effects.isEmpty)
    #expect(choice.take(line: "2").lines.count == 1)
    #expect(choice.take(line: "open").effects == [.choose(sampleCandidates[1])])
    _ = choice.take(line: "/nothing like it")
    #expect(choice.take(line: "again").lines.contains("No container contains every word typed."))
  }

  @Test func `a page longer than is read at once goes on with more, without a line twice or one left out`() {
    var talk = LineTalk(largePlan(400))
    talk.type("A", "P", "a")
    var read = talk.said.filter { $0.hasPrefix("    + ") }
    #expect(talk.said.contains { $0.hasSuffix("left. Type more to read on.") })
    for _ in 0..<20 where talk.answer.contains("left. Type more to read on.") {
      talk.type("more")
      read += talk.said.filter { $0.hasPrefix("    + ") }
    }
    #expect(read.count == 400 && Set(read).count == 400)
    talk.type("yes")
    #expect(talk.effects.count == 1, "who has read to the end has just read it")
  }

  @Test func `with masks nothing personal is said, typed text is not repeated, and what is confirmed is the value`() {
    let plan = acmePlan()
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(plan)
    var talk = LineTalk(redaction.findings(of: plan), container: nestedContainer(), redaction: redaction)
    talk.type(
      "enter", "next", "esc", "list", "w", "x", "esc", "esc", "3", "accept", "2", "accept", "a", "esc", "/a@b", "L",
      "b",
      "search tier", "list", "details")
    for secret in ["9f1c2a7e", "a@b", "2Kx9mQ7abcd", "b-42", "gold", "brazeExternalId"] {
      let lines = talk.said.isEmpty ? [] : talk.heard.filter { $0.contains(secret) }
      #expect(lines.isEmpty, "\(lines)")
    }
    #expect(talk.review.state.plan.changes(talk.review.state.decisions).contains { $0.after == "42" })
    var typing = LineTalk(redaction: redaction)
    #expect(typing.review.repeated("edit ada@b.co") == "edit (a value)")
    #expect(typing.review.repeated("/ada") == "/(a value)" && typing.review.repeated("skip") == "skip")
    typing.type("edit")
    #expect(typing.review.repeated("ada@b.co") == "(a value)" && typing.review.repeated("").isEmpty)
    #expect(LineTalk().review.repeated("edit ada@b.co") == "edit ada@b.co")
  }
}

struct LineScene: Sendable {
  var name: String
  var isRedacted = false
  var hold: @Sendable (inout LineTalk) -> Void

  func transcript() throws -> String {
    var plan = try samplePlan("AcmeShop")
    let container = try sampleContainer("AcmeShop")
    var redaction: Redaction?
    if isRedacted {
      var masks = Redaction(recipes: Recipe.builtIn)
      masks.learn(container)
      masks.learn(plan)
      plan = masks.findings(of: plan)
      redaction = masks
    }
    var talk = LineTalk(plan, container: container, redaction: redaction)
    hold(&talk)
    return talk.text
  }

  static let all: [LineScene] = [
    LineScene(name: "apply") {
      $0.type("", "de", "accept", "u", "edit 43", "8", "edit", "4.2", "420", "A", "esc", "a", "y", "yes", "yes")
      var report = acmeReport
      report.outcomes[7] = FieldOutcome(field: "rudder.app_build", outcome: .migrated)
      $0.send(.applied(.success(report)))
      $0.type("esc", "q")
    },
    LineScene(name: "history") {
      $0.type("H")
      $0.send(.history(sampleRuns))
      $0.type("list", "2", "enter")
      $0.send(.rollbackPlan(conflictedPlan))
      $0.type("n", "space", "n", "space", "space", "a", "R", "yes")
      $0.send(
        .rolledBack(
          .failure(
            ReviewFailure(
              message: RunError.stalePlan(
                [
                  PlanBasis(
                    store: "Library/Preferences/com.acme.shop.analytics.1xAcmeWriteKey.plist", key: "user_id",
                    value: nil)
                ], of: .rollback
              ).description,
              remedy: ""))))
    },
    LineScene(name: "stores") { $0.type("b", "2", "close", "list", "search pro", "n", "i", "q", "leave") },
    LineScene(name: "redacted", isRedacted: true) { $0.type("details", "esc", "3", "/ada", "a", "esc", "b", "q") },
  ]
}

struct LineTalk {
  private(set) var review: LineSession<ReviewState>
  private(set) var transcript: [String] = []
  private(set) var effects: [ReviewEffect] = []
  private(set) var said: [String] = []
  /// All that was printed, without the lines that were typed.
  private(set) var heard: [String] = []

  init(
    _ plan: Plan = acmePlan(), glyphs: Glyphs = .unicode, decisions: Decisions = [:], lastRun: RunSummary.ID? = nil,
    recovered: [RecoveredRun] = [], recoveryFailure: ReviewFailure? = nil, container: Container? = nil,
    redaction: Redaction? = nil, wrapper: ContainerWrapper? = nil, kept: KeptReview? = nil
  ) {
    typealias Talk = LineSession<ReviewState>
    var state = ReviewState(
      plan: plan, decisions: decisions, size: Talk.size,
      options: Talk.options(ReviewOptions(glyphs: glyphs, zoneOffset: 7200, redaction: redaction)),
      backupLocation: "/cases/4711/Acme.xcappdata/.carryover/runs", lastRun: lastRun, wrapper: wrapper,
      recovered: recovered, recoveryFailure: recoveryFailure, container: container)
    if let kept { _ = reduce(&state, .kept(kept)) }
    review = Talk(state)
    note(review.start())
  }

  mutating func type(_ lines: String...) { for line in lines { enter(line) } }

  mutating func type(_ lines: String..., says words: String, sourceLocation location: SourceLocation = #_sourceLocation)
  {
    for line in lines { enter(line) }
    #expect(answer.contains(words), "\(said)", sourceLocation: location)
  }

  mutating func type<Value: Equatable>(
    _ lines: String..., then path: KeyPath<LineTalk, Value>, is expected: Value,
    sourceLocation location: SourceLocation = #_sourceLocation
  ) {
    for line in lines { enter(line) }
    #expect(self[keyPath: path] == expected, "\(path): \(said)", sourceLocation: location)
  }

  mutating func enter(_ line: String) {
    transcript.append(review.prompt + line)
    said = []
    note(review.take(line: line))
  }

  mutating func send(_ action: ReviewAction) { note(review.update { reduce(&$0, action) }) }

  mutating func send(_ input: ScreenInput) { note(review.update { reduce(&$0, input) }) }

  private mutating func note(_ step: LineSession<ReviewState>.Step) {
    said += step.lines
    heard += step.lines
    transcript += step.lines
    effects += step.effects
  }

  var answer: String { said.joined(separator: "\n") }

  var text: String { (transcript + [review.prompt]).joined(separator: "\n") + "\n" }
}
