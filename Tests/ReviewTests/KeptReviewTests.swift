import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

let sampleKept = KeptReview(
  moment: Moment(secondsSince1970: 1_763_733_780),
  decisions: [
    "user_id": .migrate, "traits": .skip, "rudder.app_build": .edit(.integer(420)), "session_id": .edit("1763640001"),
  ], misfits: ["anonymous_id"])

@Suite("Decisions of an earlier review")
struct KeptReviewTests {
  private func offered(_ kept: KeptReview = sampleKept, decisions: Decisions = [:]) -> Session {
    var session = Session(decisions: decisions)
    session.send(.kept(kept))
    return session
  }

  @Test("they are listed, with those that no longer fit, and nothing is decided until somebody says so")
  func offer() {
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

  @Test("y takes up all that fit as one step, and u takes that back")
  func takeUp() {
    var session = offered()
    session.type("y")
    #expect(session.state.screen == .review && session.state.decisions == sampleKept.decisions)
    #expect(session.text.contains("4 decisions of an earlier review restored; u undoes that."))
    #expect(session.state.kept == nil && session.state.hasAnsweredKept && session.state.hasUnappliedDecisions)
    session.type("u")
    #expect(session.state.decisions.isEmpty && session.state.history.done.isEmpty)
    session.type("U")
    #expect(session.state.decisions == sampleKept.decisions)
    #expect(session.effects.allSatisfy { $0 == .bell })
  }

  @Test("d forgets them, esc for later: then they are still to be kept, next to new ones")
  func others() {
    var session = offered()
    session.type("d")
    #expect(session.state.screen == .review && session.state.decisionsToKeep.isEmpty)
    #expect(session.state.hasAnsweredKept && !session.state.hasUnappliedDecisions)
    session.type("q")
    #expect(session.effects.last == .quit)

    session = offered()
    session.type("<esc>n ")
    #expect(!session.state.hasAnsweredKept && session.state.decisions == ["user_id": .migrate])
    session.type("s")
    var expected = sampleKept.decisions
    expected["user_id"] = .skip
    #expect(session.state.decisionsToKeep == expected)
  }

  @Test("where none fits any more, only that is said")
  func misfits() {
    var session = offered(KeptReview(moment: sampleKept.moment, decisions: [:], misfits: ["gone\u{1B}[2J"]))
    #expect(session.text.contains("None of them applies any more.") && !session.text.contains("\u{1B}"))
    session.type("y")
    #expect(session.state.screen == .kept && session.effects == [.bell])
    session.type("d")
    #expect(session.state.screen == .review)
    session.send(.kept(KeptReview(moment: sampleKept.moment, decisions: [:])))
    #expect(session.state.screen == .review)
  }

  @Test("a plan that is made again under the offer leaves of it what still fits")
  func replanned() {
    var session = offered()
    var plan = session.state.plan
    plan.fields[1].legacy = 43
    session.send(.replanned(plan))
    session.type("y")
    #expect(session.state.decisions.count == 3 && session.state.decisions["user_id"] == nil)
  }

  @Test("what was applied is not kept, what was decided since is")
  func afterApply() {
    var session = Session()
    session.type("n ay")
    session.send(.applied(.success(acmeReport)))
    #expect(session.state.decisionsToKeep.isEmpty)
    session.type("<esc>s")
    #expect(session.state.decisionsToKeep.count == 1)
  }

  @Test("the offer waits below the notice of the start")
  func recovery() {
    var session = Session(recovered: sampleRecovered)
    session.send(.kept(sampleKept))
    #expect(session.state.screen == .recovery)
    session.type("y")
    #expect(session.state.screen == .kept && session.state.decisions.isEmpty)
  }

  @Test("redacted, no value that is offered is shown")
  func redacted() {
    var redaction = Redaction(recipes: Recipe.builtIn)
    let decisions: Decisions = ["user_id": .edit("ada@acme.example")]
    redaction.learn(acmePlan())
    redaction.learn(decisions)
    var session = Session(redaction: redaction)
    session.send(.kept(KeptReview(moment: sampleKept.moment, decisions: decisions)))
    #expect(!session.text.contains("ada@acme") && session.text.contains("user_id"))
  }

  @Test("the question before leaving says what is kept and what is undecided; d forgets, esc stays")
  func quit() {
    var session = Session()
    session.type("jjsq")
    #expect(session.text.contains("1 unapplied decision is saved for the next review"))
    #expect(session.text.contains("1 field is undecided."))
    session.type("<esc>")
    #expect(session.state.screen == .review && session.effects.isEmpty)
    session.type("qd")
    #expect(session.effects == [.quitForgetting])
  }

  @Test("where nothing can be kept that is said at once, and again before leaving")
  func impossible() {
    var session = Session()
    session.type("jjs")
    session.send(.keeping(.impossible("The container lies in an archive.")))
    #expect(session.text.contains("The decisions cannot be saved here. The container lies in an archive."))
    session.type("q")
    #expect(session.text.contains("Quit and lose 1 decision?"))
    session.type("d")
    #expect(session.effects == [.bell])
    session.send(.resized(Size(columns: 40, rows: 8)))
    #expect(session.text.contains("Quit and lose the decisions?"))
    session.type("y")
    #expect(session.effects.last == .quit)
  }

  @Test("a hundred thousand decisions are offered on a page of bounded length, and taken up at once")
  func many() {
    let plan = largePlan(100_000)
    var session = Session(plan)
    let decisions = Decisions(uniqueKeysWithValues: plan.fields.map { ($0.id, Decision.skip) })
    session.send(.kept(KeptReview(moment: sampleKept.moment, decisions: decisions)))
    #expect(session.state.page.lines.count < 300 && session.text.contains("Still apply 100000"))
    session.type("y")
    #expect(session.state.tally[.skipped] == 100_000 && session.state.history.done.count == 1)
  }
}
