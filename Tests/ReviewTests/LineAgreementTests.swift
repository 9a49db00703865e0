import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Agreeing by lines")
struct LineAgreementTests {
  private func atPreview(_ before: String...) -> LineTalk {
    var talk = LineTalk()
    for line in before + ["accept", "a"] { talk.enter(line) }
    return talk
  }

  @Test("nothing is applied while something is undecided, and the preview says what")
  func undecided() {
    var talk = LineTalk()
    talk.type("a")
    #expect(talk.answer.contains("The plan cannot be applied yet.") && talk.answer.contains("Undecided 1: user_id."))
    talk.type("yes")
    #expect(talk.effects.isEmpty && talk.answer == "1 field is undecided.")
    talk.type("n")
    #expect(talk.review.state.screen == .review && talk.review.state.cursor == "user_id")
  }

  @Test("yes right after the preview was read applies what it shows")
  func applying() {
    var talk = atPreview("1", "skip", "2")
    #expect(talk.answer.contains("Nothing is written yet. yes applies this change; nothing else does."))
    #expect(talk.said.last?.hasPrefix("yes apply this") == true)
    talk.type("yes")
    #expect(talk.effects == [.apply(["user_id": .migrate, "anonymous_id": .skip])])
    talk.send(.applied(.success(acmeReport)))
    #expect(talk.answer.contains("Applied  run 20251120T120500Z-1"))
    #expect(talk.answer.contains("/cases/4711/Acme.xcappdata/.carryover/runs"))
    #expect(talk.review.prompt == "Result: ")
  }

  @Test(
    "nothing but yes in full applies",
    arguments: [
      "y", "Yes", "YES", "ye", "yes please", "yes!", "apply-this", "apply this", "apply", "", "space", "enter", "1",
      "true", "ok", "y yes",
    ])
  func notYes(_ line: String) {
    var talk = atPreview()
    talk.type(line)
    #expect(talk.effects.isEmpty && !talk.said.isEmpty && talk.review.state.screen == .preview)
  }

  @Test(
    "after a line in between the change is read again before yes is taken",
    arguments: ["nonsense", "", "y", "list", "help me", "1"])
  func between(_ line: String) {
    var talk = atPreview()
    talk.type(line, "yes")
    #expect(talk.effects.isEmpty && talk.said.first == "Read this before you answer yes.")
    #expect(talk.answer.contains("yes applies this change"))
    talk.type("yes")
    #expect(talk.effects.count == 1)
  }

  @Test("reading it again, or to its end, is reading it")
  func again() {
    for line in ["again", "more"] {
      var talk = atPreview()
      talk.type(line, "yes")
      #expect(talk.effects.count == 1, "\(line)")
    }
  }

  @Test("another screen in between and back is reading it again")
  func elsewhere() {
    var talk = atPreview()
    talk.type("w", "esc")
    #expect(talk.answer.contains("yes applies this change"))
    talk.type("yes")
    #expect(talk.effects.count == 1)
  }

  @Test("where the container changed in between, yes applies nothing")
  func replanned() {
    var talk = atPreview()
    var plan = acmePlan()
    plan.fields[0].proposed = "another"
    talk.send(.replanned(plan))
    #expect(talk.answer.contains("Review"))
    talk.type("yes", "yes")
    #expect(talk.effects.isEmpty && talk.review.state.screen == .review)
  }

  @Test("a run is taken back key by key, its conflicts decided one by one, by yes alone")
  func takingBack() throws {
    var talk = LineTalk()
    talk.type("history")
    talk.send(.history(sampleRuns))
    #expect(talk.answer.contains("1 of \(sampleRuns.count). "))
    talk.type("2", "enter")
    #expect(talk.effects == [.loadHistory, .loadRollback(runID: sampleRuns[1].id)])
    talk.send(.rollbackPlan(conflictedPlan))
    #expect(talk.answer.contains("4 not chosen, 2 undecided, 1 unchanged."))
    talk.type("R")
    #expect(talk.answer.contains("2 conflicts are undecided"))
    talk.type("yes")
    #expect(talk.effects.count == 2)
    talk.type("esc", "n")
    talk.type("space")
    #expect(talk.answer.contains("discarding the current value"))
    talk.type("n", "space", "space", "1", "space")
    #expect(talk.answer.contains("2 of 7 chosen"), "\(talk.said)")
    talk.type("R")
    #expect(talk.answer.contains("Roll back 2 of 7 keys of run"))
    for line in ["", "y", "R", "roll back", "Yes"] { talk.enter(line) }
    #expect(talk.effects.count == 2)
    talk.type("yes", "yes")
    guard case .rollback(_, let only, let decisions)? = talk.effects.last else { return #expect(Bool(false)) }
    #expect(Set(try #require(only).map(\.key)) == ["anonymous_id", "user_id", "last_activity_time"])
    #expect(Set(decisions.values) == [.restore, .keep])
  }

  @Test("leaving asks where decisions are not applied: yes keeps them, quit-and-forget in full loses them")
  func leaving() {
    var talk = LineTalk()
    talk.type("quit")
    #expect(talk.effects == [.quit])
    talk = LineTalk()
    talk.type("accept", "q")
    #expect(talk.answer.contains("1 unapplied decision is saved for the next review"))
    #expect(talk.answer.contains("yes quits, quit-and-forget quits and discards it, esc stays."))
    for line in ["y", "d", "quit", "quit and", "forget", "Yes"] { talk.enter(line) }
    #expect(talk.effects.isEmpty && talk.review.state.screen == .quit)
    talk.type("esc")
    #expect(talk.review.state.screen == .review)
    talk.type("q", "yes")
    #expect(talk.effects == [.quit])
    for name in ["quit-and-forget", "quit and discard"] {
      talk = LineTalk()
      talk.type("accept", "q", "nonsense", name)
      #expect(talk.effects.isEmpty && talk.said.first == "Read this before you answer yes.")
      talk.type(name)
      #expect(talk.effects == [.quitForgetting])
    }
  }

  @Test("where decisions cannot be kept that is said once, and leaving says what is lost")
  func keepingNothing() {
    var talk = LineTalk()
    talk.type("accept")
    talk.send(.keeping(.impossible("The disk is full.")))
    #expect(talk.said.last == "The decisions cannot be saved here. The disk is full.")
    talk.type("q")
    #expect(talk.answer.contains("yes quits and discards it, esc stays."))
    talk.type("quit-and-forget")
    #expect(talk.effects.isEmpty)
  }

  @Test("what an earlier review has kept is read and asked about first; yes takes it up as one step")
  func takingUp() {
    var talk = LineTalk(kept: sampleKept)
    for words in [
      "5 unapplied decisions", "Still apply 4", "user_id", "No longer apply 1", "anonymous_id",
      "yes restores what still applies, d discards everything, esc asks again next time.",
    ] { #expect(talk.answer.contains(words), "\(words)") }
    talk.type("", "1", "accept", "y", "use-saved", "apply")
    #expect(talk.review.state.screen == .kept && talk.review.state.decisions.isEmpty && talk.effects.isEmpty)
    talk.type("again", "yes")
    #expect(talk.review.state.decisions == sampleKept.decisions && talk.review.state.screen == .review)
    talk.type("undo")
    #expect(talk.review.state.decisions.isEmpty && talk.review.state.history.done.isEmpty)
  }

  @Test("d forgets it; later leaves it saved")
  func leavingOut() {
    var talk = LineTalk(kept: sampleKept)
    talk.type("d")
    #expect(talk.review.state.decisionsToKeep.isEmpty && talk.review.state.hasAnsweredKept)
    #expect(talk.answer.contains("2 of 8. ? user_id"))
    talk = LineTalk(kept: sampleKept)
    talk.type("later")
    #expect(talk.review.state.decisionsToKeep == sampleKept.decisions && talk.review.state.screen == .review)
    talk = LineTalk(kept: KeptReview(moment: sampleKept.moment, decisions: [:], misfits: ["traits"]))
    talk.type("yes")
    #expect(talk.review.state.screen == .kept && talk.answer.contains("None of them still applies"))
  }

  @Test("keys that the user has moved are typed as they are now, and yes stays yes")
  func movedKeys() throws {
    var keymap = Keymap()
    keymap.set(.character("Z"), "apply-this", on: "preview", line: 1)
    keymap.set(.character("y"), nil, on: "preview", line: 2)
    var state = ReviewState(
      plan: acmePlan(), size: LineSession<ReviewState>.size,
      options: LineSession<ReviewState>.options(ReviewOptions(keymap: keymap)), backupLocation: "/runs")
    _ = reduce(&state, .key(.character(" ")))
    var review = LineSession(state)
    _ = review.start()
    #expect(review.take(line: "a").lines.contains { $0.contains("yes applies this change") })
    #expect(review.take(line: "Z").lines == ["Type yes in full."])
    _ = review.take(line: "again")
    #expect(review.take(line: "yes").effects.count == 1)
  }
}
