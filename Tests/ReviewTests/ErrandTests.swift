@testable import CarryoverReview

@Suite("The pager, files and the editor") struct ErrandTests {
  private static let long = String(repeating: "0123456789", count: 8000)

  private func session(_ change: (inout Field) -> Void) -> Session {
    var plan = acmePlan()
    change(&plan.fields[0])
    return Session(plan)
  }

  @Test func `a text that is cut says which key shows all of it; the pager gets it whole, in one line`() throws {
    var session = session { $0.legacy = .string(Self.long) }
    session.type("<enter>")
    session.type("G")
    for _ in 0..<60 where !session.text.contains("cut here") { session.type("k") }
    #expect(session.text.contains("80000 bytes in all; | shows all of it"))
    session.type("|")
    guard case .page(let text)? = session.lastErrand else { return #expect(Bool(false)) }
    #expect(text.split(separator: "\n").contains { $0.hasSuffix(Self.long) } && !text.contains("cut here"))
  }

  @Test func `what goes to a pager or a file is escaped, and masked where values are`() throws {
    var plan = acmePlan()
    plan.fields[0].legacy = "\u{1B}[2J3b8e55d0-91c4-4f6a-a7d2-c20e6f18497b"
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(plan)
    let session = Session(redaction.findings(of: plan), redaction: redaction, typing: "<enter>|")
    guard case .page(let text)? = session.lastErrand else { return #expect(Bool(false)) }
    #expect(!text.contains("3b8e55d0") && !text.contains("\u{1B}") && text.contains("Legacy"))
  }

  @Test func `a file that is there is replaced only by y; esc leaves it and goes back to the text`() {
    var session = session { _ in }
    session.type("<enter><c-s>", shows: "Save as: details.txt")
    session.type("<c-u>notes.txt<enter>")
    guard case .save(let text, "notes.txt", replacing: false)? = session.lastErrand else { return #expect(Bool(false)) }
    #expect(text.contains("Source and target"))
    session.send(.answer(.exists("notes.txt")))
    #expect(session.text.contains("notes.txt already exists."))
    session.type("<enter> <esc>")
    #expect(session.state.screen == .details && session.effects.count { $0.errand != nil } == 1)
    session.type("<c-s><c-u>notes.txt<enter>")
    session.send(.answer(.exists("notes.txt")))
    session.type("y")
    #expect(session.lastErrand == .save(text, path: "notes.txt", replacing: true) && session.state.screen == .details)
    session.send(.answer(.done("Saved as notes.txt, 12 bytes.")))
    #expect(session.text.contains("Saved as notes.txt"))
  }

  @Test func `the editor gets the value as it is; what it leaves decides, and is one step to undo`() {
    var session = Session(typing: "jjE")
    #expect(session.lastErrand == .edit(acmeStrippedTraits, name: "value.json"))
    session.send(.answer(.edited("{\n \"a\": 1.0\n}")))
    #expect(session.state.decisions["traits"] == .edit("{\n \"a\": 1.0\n}") && session.state.screen == .review)
    session.type("u", then: \.state.decisions, is: [:])
  }

  @Test(
    "the end of the last line is no part of the value, nor is CRLF where every line got it from the editor",
    arguments: [
      ("a", "b\n", "b"), ("a", "b\r\n", "b"), ("a\nb\n", "a\r\nc\r\n", "a\nc\n"), ("a", "a\r\nb", "a\nb"),
      // Some were meant.
      ("a\r\nb", "a\r\nc\r\n", "a\r\nc\r"), ("a", "b\r\nc\n", "b\r\nc"), ("a", "b\rc\r\n", "b\rc\r"),
      ("a\r", "a\r\n", nil), ("a", "a\r\n", nil), ("a\n", "a\r\n", nil), ("é", "e\u{301}\n", "e\u{301}"),
    ] as [(String, String, String?)])
  func lineEnds(before: String, left: String, after: String?) {
    let answer = ErrandAnswer(edited: Array(left.utf8), of: before)
    guard let after else { return #expect(answer == .done("Nothing was changed.")) }
    guard case .edited(let text) = answer else { return #expect(Bool(false), "\(answer)") }
    #expect(text.utf8.elementsEqual(after.utf8), "\(text.debugDescription)")
  }

  @Test func `an editor that leaves no text changes nothing`() {
    #expect(ErrandAnswer(edited: [0xFF], of: "a") != .edited("a"))
  }

  @Test func `what does not fit is offered again with the reason, in the line and in the editor`() {
    var session = Session(typing: "jjE")
    session.send(.answer(.edited("{\"a\":")))
    #expect(session.state.decisions.isEmpty && session.state.editor?.text == "{\"a\":")
    #expect(session.text.contains("Enter a JSON object, such as"))
    session.type("2}<enter>")
    #expect(session.state.decisions["traits"] == .edit("{\"a\":2}"))
    session.type("E", then: \.lastErrand, is: .edit("{\"a\":2}", name: "value.json"))
    let long = "{\"a\":\"" + Self.long
    session.send(.answer(.edited(long)))
    #expect(session.state.editor == nil && session.text.contains("E opens it again."))
    session.type("E", then: \.lastErrand, is: .edit(long, name: "value.json"))
    session.send(.answer(.edited(long + "\"}")))
    #expect(session.state.decisions["traits"] == .edit(.string(long + "\"}")))
  }

  @Test func `what is typed goes on in the editor, and a value too long for the line says where to change it`() {
    var session = session { $0.proposed = .string(Self.long) }
    session.type("e", shows: "E opens it in your editor")
    session.type("je<c-u>u-7<c-o>", then: \.lastErrand, is: .edit("u-7", name: "value.txt"))
    session.send(.answer(.done("The editor ended with status 1. Nothing was changed.")))
    #expect(session.state.editor?.text == "u-7" && session.text.contains("status 1"))
  }

  @Test func `masked values go to no editor`() {
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(acmePlan())
    var session = Session(redaction: redaction, typing: "E")
    #expect(session.lastErrand == nil && session.text.contains("Values are masked here"))
    session.type("ex<c-o>")
    #expect(session.lastErrand == nil && session.state.editor?.text == "x")
  }

  @Test func `line by line, the words page, save and editor do the same`() {
    var talk = LineTalk()
    talk.type("details", "pager")
    guard case .page? = talk.lastErrand else { return #expect(Bool(false)) }
    talk.type("save notes.txt")
    talk.send(.answer(.exists("notes.txt")))
    #expect(talk.answer.contains("notes.txt already exists."))
    talk.type("yes")
    guard case .save(_, "notes.txt", replacing: true)? = talk.lastErrand else { return #expect(Bool(false)) }
    talk.type("esc", "3", "E")
    talk.send(.answer(.edited("{")))
    #expect(talk.answer.contains("editor opens it again") || talk.answer.contains("E opens it again"))
    talk.type("E", then: \.lastErrand, is: .edit("{", name: "value.json"))
  }

  @Test func `one long value takes a few lines of the preview; m shows it and what stays as it is`() throws {
    let members = (0..<240).map { #""member\#($0)":"value \#($0)""# }.joined(separator: ",")
    var plan = acmePlan()
    plan.fields[2].legacy = .string("{\"id\":1,\(members)}")
    plan.fields[2].proposed = .string("{\(members)}")
    plan.fields[6].proposed = .string(Self.long)
    var session = Session(plan, rows: 60, typing: "a")
    let (folded, text) = (session.state.page.lines.count, session.text)
    #expect(
      folded < 60 && text.contains("- id  1")
        && text.contains("… 240 members as in the legacy value; m shows them"))
    #expect(text.contains("80000 bytes in all; m shows all"))
    session.type("m")
    #expect(session.state.page.lines.count > folded + 240)
    session.type("m|", then: \.state.page.lines.count, is: folded)
    guard case .page(let whole)? = session.lastErrand else { return #expect(Bool(false)) }
    #expect(whole.contains("member239") && whole.contains(Self.long))
  }
}

let sampleKept = KeptReview(
  moment: Moment(secondsSince1970: 1_763_733_780),
  decisions: [
    "user_id": .migrate, "traits": .skip, "rudder.app_build": .edit(.integer(420)), "session_id": .edit("1763640001"),
  ], misfits: ["anonymous_id"])

@Suite("Decisions of an earlier review") struct KeptReviewTests {
  private func offered(_ kept: KeptReview = sampleKept, decisions: Decisions = [:]) -> Session {
    var session = Session(decisions: decisions)
    session.send(.kept(kept))
    return session
  }

  @Test func `they are listed, with those that no longer fit, and nothing is decided until somebody says so`() {
    var session = offered()
    #expect(session.state.screen == .kept && session.state.decisions.isEmpty)
    for words in [
      "5 unapplied decisions from 2025-11-21 14:03:00 UTC", "Still apply 4", "edited", "420", "skipped",
      "No longer apply 1", "anonymous_id",
    ] {
      #expect(session.text.contains(words), "\(words)")
    }
    session.type("<enter> ")
    session.send(.mouse(Mouse(.select, at: Position(column: 3, row: 4))))
    session.send(.paste("y"))
    #expect(session.state.screen == .kept && session.state.decisions.isEmpty)
  }

  @Test func `y takes up all that fit as one step, and u takes that back`() {
    var session = offered()
    session.type("y")
    #expect(session.state.screen == .review && session.state.decisions == sampleKept.decisions)
    #expect(session.text.contains("4 decisions of an earlier review restored; u undoes that."))
    #expect(session.state.kept == nil && session.state.hasAnsweredKept && session.state.hasUnappliedDecisions)
    session.type("u")
    #expect(session.state.decisions.isEmpty && session.state.history.done.isEmpty)
    session.type("U", then: \.state.decisions, is: sampleKept.decisions)
    #expect(session.effects.allSatisfy { $0 == .bell })
  }

  @Test func `d forgets them, esc for later: then they are still to be kept, next to new ones`() {
    var session = offered()
    session.type("d")
    #expect(session.state.screen == .review && session.state.decisionsToKeep.isEmpty)
    #expect(session.state.hasAnsweredKept && !session.state.hasUnappliedDecisions)
    session.type("q", then: \.effects.last, is: .quit)

    session = offered()
    session.type("<esc>n ")
    #expect(!session.state.hasAnsweredKept && session.state.decisions == ["user_id": .migrate])
    session.type("s")
    var expected = sampleKept.decisions
    expected["user_id"] = .skip
    #expect(session.state.decisionsToKeep == expected)

    session = offered()
    session.type("d")
    session.send(.kept(KeptReview(moment: sampleKept.moment, decisions: [:], misfits: ["traits"])))
    session.type("<esc>", then: \.state.screen, is: .review)
    #expect(!session.state.hasAnsweredKept, "the offer of another recipe waits for an answer of its own")
  }

  @Test func `where none fits any more, only that is said`() {
    var session = offered(KeptReview(moment: sampleKept.moment, decisions: [:], misfits: ["gone\u{1B}[2J"]))
    #expect(session.text.contains("None of them applies any more.") && !session.text.contains("\u{1B}"))
    session.type("y")
    #expect(session.state.screen == .kept && session.effects == [.bell])
    session.type("d", then: \.state.screen, is: .review)
    session.send(.kept(KeptReview(moment: sampleKept.moment, decisions: [:])), then: \.state.screen, is: .review)
  }

  @Test func `a plan that is made again under the offer leaves of it what still fits`() {
    var session = offered()
    var plan = session.state.plan
    plan.fields[1].legacy = 43
    session.send(.replanned(plan))
    session.type("y")
    #expect(session.state.decisions.count == 3 && session.state.decisions["user_id"] == nil)
  }

  @Test func `what was applied is not kept, what was decided since is`() {
    var session = Session(typing: "n ay")
    session.send(.applied(.success(acmeReport)))
    #expect(session.state.decisionsToKeep.isEmpty)
    session.type("<esc>s", then: \.state.decisionsToKeep.count, is: 1)
  }

  @Test func `the offer waits below the notice of the start`() {
    var session = Session(recovered: sampleRecovered)
    session.send(.kept(sampleKept), then: \.state.screen, is: .recovery)
    session.type("y")
    #expect(session.state.screen == .kept && session.state.decisions.isEmpty)
  }

  @Test func `redacted, no value that is offered is shown`() {
    var redaction = Redaction(recipes: Recipe.builtIn)
    let decisions: Decisions = ["user_id": .edit("ada@acme.example")]
    redaction.learn(acmePlan())
    redaction.learn(decisions)
    var session = Session(redaction: redaction)
    session.send(.kept(KeptReview(moment: sampleKept.moment, decisions: decisions)))
    #expect(!session.text.contains("ada@acme") && session.text.contains("user_id"))
  }

  @Test func `the question before leaving says what is kept and what is undecided; d forgets, esc stays`() {
    var session = Session(typing: "jjsq")
    #expect(session.text.contains("1 unapplied decision is saved for the next review"))
    #expect(session.text.contains("1 field is undecided."))
    session.type("<esc>")
    #expect(session.state.screen == .review && session.effects.isEmpty)
    session.type("qd", then: \.effects, is: [.quitForgetting])
  }

  @Test func `where nothing can be kept that is said at once, and again before leaving`() {
    var session = Session(typing: "jjs")
    session.send(.keeping("The container is in an archive."))
    #expect(session.text.contains("The decisions cannot be saved here. The container is in an archive."))
    session.type("q", shows: "Quit and discard 1 decision?")
    session.type("d", then: \.effects, is: [.bell])
    session.send(.resized(Size(columns: 40, rows: 8)))
    #expect(session.text.contains("Quit and discard the decisions?"))
    session.type("y", then: \.effects.last, is: .quit)
  }

  @Test func `twenty thousand decisions are offered on a page of bounded length, and taken up at once`() {
    let plan = largePlan(20_000)
    var session = Session(plan)
    let decisions = Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) })
    session.send(.kept(KeptReview(moment: sampleKept.moment, decisions: decisions)))
    #expect(session.state.page.lines.count < 300 && session.text.contains("Still apply 20000"))
    session.type("y")
    #expect(session.state.tally[.skipped] == 20_000 && session.state.history.done.count == 1)
  }
}
