import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

/// The review by prompts: what each answer does.
@Suite("The review by prompts")
struct LinearReviewTests {
  @Test("it begins with the counts and the first field to decide, with what to do about it")
  func start() {
    let session = LinearSession()
    #expect(session.answer.contains("8 fields: 6 ready, 1 to decide, 1 not carried."))
    #expect(
      session.answer.contains("Target file: AppData/Library/Preferences/com.acme.shop.analytics.2Kx9mQ7abcd.plist"))
    #expect(session.answer.contains("2 of 8. user_id, to decide."))
    #expect(session.answer.contains("Legacy: integer 42; found as rl_traits.userId in "))
    #expect(session.answer.contains("Proposed: string \"42\"; number to string."))
    #expect(session.answer.contains("identity.user-id-not-string: ") && session.answer.contains("What to do: "))
    #expect(session.review.prompt == "user_id, to decide. Answer: ")
  }

  @Test(
    "Enter alone, what is no answer and what could be several decide nothing",
    arguments: ["", "  ", "y", "con x", "un", "re"])
  func nothing(_ line: String) {
    var session = LinearSession()
    session.type(line)
    #expect(session.review.state.decisions.isEmpty)
    #expect(session.effects.isEmpty && !session.said.isEmpty)
  }

  @Test("a decision is said with what is written and with how many are left; the same again changes nothing")
  func deciding() {
    var session = LinearSession()
    session.type("conf")
    #expect(session.review.state.decisions == ["user_id": .migrate])
    #expect(session.answer.contains("user_id is confirmed: string \"42\" is written. 0 left to decide."))
    session.type("confirm")
    #expect(session.review.state.decisions == ["user_id": .migrate])
    session.type("undo")
    #expect(session.review.state.decisions.isEmpty && session.answer.contains("Undone"))
    session.type("redo", "skip")
    #expect(session.review.state.decisions == ["user_id": .skip])
    session.type("take 1")
    #expect(session.review.state.decisions == ["user_id": .edit("41")])
    session.type("take 7", "take x")
    #expect(session.review.state.decisions == ["user_id": .edit("41")])
    session.type("keep")
    #expect(session.answer.contains("holds nothing here that could be kept"))
  }

  @Test("a value that does not fit is refused with the reason, and asked for again until it fits or nothing is typed")
  func editing() {
    var session = LinearSession()
    session.type("go app_build", "edit", "4.2")
    #expect(session.answer.contains("A whole number is needed") && session.review.place == .value)
    session.type("quit")
    #expect(session.review.place == .value)
    session.type("420")
    #expect(session.review.state.decisions == ["rudder.app_build": .edit(420)] && session.review.place == .fields)
    session.type("edit", "")
    #expect(session.review.state.decisions == ["rudder.app_build": .edit(420)] && session.review.place == .fields)
  }

  @Test("several decisions at once are undone as one")
  func allClean() {
    var session = LinearSession()
    session.type("all clean")
    #expect(session.review.state.tally[.ready] == 0 && session.review.state.tally[.confirmed] == 6)
    session.type("undo")
    #expect(session.review.state.decisions.isEmpty)
  }

  @Test("going to a field takes its number or a part of its name that is only its own")
  func going() {
    var session = LinearSession()
    session.type("go 3")
    #expect(session.review.state.cursor == "traits")
    session.type("1")
    #expect(session.review.state.cursor == "anonymous_id")
    session.type("go rudder")
    #expect(session.review.state.cursor == "anonymous_id" && session.answer.hasPrefix("2 have that"))
    session.type("go 9", "go nowhere", "up")
    #expect(session.review.state.cursor == "anonymous_id" && session.answer == "This is the first field.")
    session.type("down", "next", "previous")
    #expect(session.review.state.cursor == "user_id")
  }

  @Test("a filter leaves some fields to go through, and going elsewhere lifts it")
  func filtering() {
    var session = LinearSession()
    session.type("filter session")
    #expect(session.review.state.cursor == "session_id")
    session.type("up")
    #expect(session.answer == "This is the first field.")
    session.type("go user_id")
    #expect(session.review.state.cursor == "user_id" && session.answer.contains("every field is listed again"))
    session.type("filter is:ready")
    #expect(session.said.first == "6 fields." && session.review.state.isFiltered)
    session.type("next")
    #expect(session.answer.contains("1 field to decide is left out by the filter"))
    session.type("all clean")
    #expect(session.answer.contains("6 confirmed.") && session.answer.hasSuffix("1 left to decide."))
    session.type("filter is:what")
    #expect(session.answer.contains("is not known") && session.review.state.rows.count == 6)
    session.type("find has:error", "list is:confirmed")
    #expect(session.said.first == "6 fields.")
    session.type("filter")
    #expect(session.review.state.rows.count == 8 && !session.review.state.isFiltered)
  }

  @Test("the ways to decide many are read with how many each is about, and taken by their number")
  func many() {
    var session = LinearSession()
    session.type("many")
    #expect(session.answer.contains("1 of 7. Confirm all clean fields: 6 fields."), "\(session.answer)")
    session.type("many 99", "many x")
    #expect(session.review.state.decisions.isEmpty)
    session.type("many 1")
    #expect(session.review.state.tally[.confirmed] == 6 && session.answer.contains("1 left to decide."))
    session.type("undo")
    #expect(session.review.state.decisions.isEmpty && session.answer.contains("Undone: 6 decisions."))
  }

  @Test("nothing is applied but by yes in full, after the change was read in this very state")
  func applying() {
    var session = LinearSession()
    session.type("apply")
    #expect(session.review.place == .fields && session.answer.contains("undecided"))
    session.type("yes", "confirm", "apply")
    #expect(session.review.place == .apply && session.answer.contains("user_id becomes string \"42\""))
    for word in ["y", "", "Yes", "YES", "yes please", "apply", "confirm"] {
      session.type(word)
      #expect(session.answer == "The changes were not written." && session.review.place == .fields)
      #expect(session.effects.isEmpty)
      session.type("apply")
    }
    session.type("no", "apply")
    #expect(!session.answer.contains("becomes"), "it was read in this very state")
    session.type("no", "go 1", "skip", "apply")
    #expect(session.answer.contains("7 of") == false && session.answer.contains("anonymous_id: skipped, by decision."))
    session.type("yes")
    #expect(session.effects == [.apply(["user_id": .migrate, "anonymous_id": .skip])])
    session.send(.applied(.success(acmeReport)))
    #expect(session.answer.contains("8 fields: 7 migrated, 1 skipped."))
    #expect(session.answer.contains("/cases/4711/Acme.xcappdata/.carryover/runs"))
    #expect(session.answer.contains("type roll back") && session.review.place == .fields)
  }

  @Test("leaving asks where decisions would be lost or fields are undecided")
  func leaving() {
    var session = LinearSession()
    session.type("quit")
    #expect(session.answer == "1 field is undecided." && session.effects.isEmpty)
    session.type("y", "confirm", "quit")
    #expect(
      session.answer
        == "1 decision has not been applied, and is kept for the next time this container is reviewed.")
    #expect(session.review.prompt.contains("forget to leave and lose the decision"))
    session.type("no")
    #expect(session.effects.isEmpty && session.review.place == .fields)
    session.type("quit", "yes")
    #expect(session.effects == [.quit])
  }

  @Test("forget leaves and keeps nothing; where nothing can be kept, leaving says what is lost")
  func forgetting() {
    var session = LinearSession()
    session.type("confirm", "quit", "forget")
    #expect(session.effects == [.quitForgetting])
    session = LinearSession()
    session.type("quit", "forget")
    #expect(session.effects.isEmpty && session.answer == "Back at the fields.")
    session.type("confirm")
    session.send(.keeping(.impossible("The disk is full.")))
    #expect(session.answer.hasSuffix("The decisions cannot be kept here. The disk is full."))
    session.type("quit")
    #expect(session.answer.contains("1 decision has not been applied and would be lost."))
    #expect(session.answer.contains("The disk is full.") && !session.review.prompt.contains("forget"))
    session.type("forget")
    #expect(session.effects.isEmpty)
  }

  @Test("what an earlier review has kept is read and asked about first; yes takes it up as one step")
  func takingUp() {
    var session = LinearSession(kept: sampleKept)
    for words in [
      "5 decisions of an earlier review were not applied", "1 of 4. user_id: confirmed, string \"42\" is written.",
      "rudder.app_build: edited, integer 420 is written.", "No longer fits: anonymous_id.",
    ] {
      #expect(session.answer.contains(words), "\(words)")
    }
    #expect(session.review.place == .kept && session.review.state.decisions.isEmpty)
    session.type("", "1", "confirm", "apply", "help")
    #expect(session.review.place == .kept && session.review.state.decisions.isEmpty && session.effects.isEmpty)
    session.type("yes")
    #expect(session.review.state.decisions == sampleKept.decisions && session.review.place == .fields)
    #expect(session.answer.contains("4 decisions taken up; undo takes them back."))
    session.type("undo")
    #expect(session.review.state.decisions.isEmpty && session.review.state.history.done.isEmpty)
  }

  @Test("no leaves it out; later and quit leave it kept")
  func leavingOut() {
    var session = LinearSession(kept: sampleKept)
    session.type("no")
    #expect(session.review.state.decisionsToKeep.isEmpty && session.review.state.hasAnsweredKept)
    #expect(session.answer.contains("2 of 8. user_id, to decide."))
    session = LinearSession(kept: sampleKept)
    session.type("later")
    #expect(session.review.state.decisionsToKeep == sampleKept.decisions && session.review.place == .fields)
    session = LinearSession(kept: sampleKept)
    session.type("quit", "yes")
    #expect(session.effects == [.quit] && session.review.state.decisionsToKeep == sampleKept.decisions)
    session = LinearSession(kept: KeptReview(moment: sampleKept.moment, decisions: [:], misfits: ["traits"]))
    session.type("yes")
    #expect(session.review.place == .kept && session.answer.contains("None of them fits any more"))
  }

  @Test("a run is taken back key by key, its conflicts decided one by one")
  func takingBack() throws {
    var session = LinearSession()
    session.type("history")
    session.send(.history(sampleRuns))
    session.type("2")
    #expect(session.effects == [.loadHistory, .loadRollback(runID: sampleRuns[1].id)])
    session.send(.rollbackPlan(conflictedPlan))
    #expect(session.answer.contains("user_id: in conflict"))
    session.type("roll back")
    #expect(session.review.place == .run && session.answer.contains("undecided"))
    session.type("take back")
    #expect(session.answer.contains("last_activity_time: in conflict"))
    session.type("leave", "roll back", "all", "only anonymous_id", "roll back")
    #expect(session.answer.contains("2 of 7 keys"))
    session.type("")
    #expect(session.answer == "Nothing was taken back." && session.review.place == .run)
    session.type("roll back", "yes")
    guard case .rollback(_, let only, let decisions)? = session.effects.last else { return #expect(Bool(false)) }
    #expect(Set(try #require(only).map(\.key)) == ["anonymous_id", "user_id", "last_activity_time"])
    #expect(Set(decisions.values) == [.restore, .keep])
  }

  @Test("every answer is in the help with what it does, and has its names to itself")
  func help() {
    var session = LinearSession(lastRun: LastRun(id: "run", files: [], fields: []))
    session.type("help")
    for answer in LinearVocabulary.fields.all {
      #expect(session.answer.contains("\(answer.usage)"))
      #expect(session.answer.contains(answer.help))
    }
    #expect(session.answer.contains("undo, or u: Takes the last decision back. Not possible now: "))
    func names<Meaning, State>(_ answers: LinearAnswers<Meaning, State>) -> [String] { answers.all.flatMap(\.names) }
    for names in [
      names(LinearVocabulary.fields), names(LinearVocabulary.history), names(LinearVocabulary.run),
      names(LinearVocabulary.stores), names(LinearVocabulary.kept),
    ] {
      #expect(Set(names).count == names.count)
      #expect(names.allSatisfy { $0 == $0.lowercased() })
    }
  }

  @Test("long values are cut and say so; details say the whole")
  func longValues() {
    var plan = acmePlan()
    let long = String(repeating: "abcdefghi ", count: 100) + "end"
    plan.fields[0].legacy = .string(long)
    var session = LinearSession(plan)
    session.type("go 1")
    #expect(session.answer.contains("cut here, 1003 bytes in all") && !session.answer.contains(" end"))
    session.type("details")
    #expect(session.answer.contains(long))
  }

  @Test("of many fields a list says twenty, then how many more there are, and goes on where it ended")
  func manyFields() {
    var session = LinearSession(largePlan(100_000))
    #expect(session.answer.contains("100000 fields: 90000 ready, 10000 to decide."))
    session.type("list")
    #expect(session.said.count == 22 && session.said.last == "And 99980 more: more reads on.")
    session.type("more")
    #expect(session.said.first?.hasPrefix("21. key_20, ready") == true && session.said.count == 21)
    session.type("find key_9999")
    #expect(session.said.first == "11 fields.")
    session.type("go 100000", "more")
    #expect(session.review.state.cursor == "key_99999" && session.answer == "No list has more to read.")
    session.type("preview")
    #expect(session.said.count < 2100 && session.said.contains("And 89000 more."))
  }

  @Test("with masks nothing of a person is said, and what is confirmed is the value")
  func redaction() {
    let plan = acmePlan()
    var redaction = Redaction(recipes: [.rudderStackObjC])
    redaction.learn(plan)
    var session = LinearSession(redaction.findings(of: plan), redaction: redaction)
    session.type(
      "details", "list all", "warnings", "left behind", "go traits", "details", "confirm", "next", "confirm", "preview",
      "find a@b", "log", "status")
    for secret in ["9f1c2a7e", "a@b.co", "2Kx9mQ7abcd", "b-42", "gold", "brazeExternalId"] {
      let lines = session.text.split(separator: "\n").filter { $0.contains(secret) }
      #expect(lines.isEmpty, "\(lines)")
    }
    #expect(session.review.state.plan.changes(session.review.state.decisions).contains { $0.after == "42" })
  }
}
