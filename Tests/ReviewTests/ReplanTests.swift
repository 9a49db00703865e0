import Carryover
import CarryoverSystem
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Planning again")
struct ReplanTests {
  @Test("decisions stay with fields that are as they were, and only with those")
  func keepsDecisions() {
    var session = Session()
    session.type("n jjs")
    var plan = acmePlan()
    plan.fields[1].legacy = 43
    session.send(.replanned(plan))
    #expect(session.state.decisions == ["session_id": .skip])
    #expect(session.state.tally[.toDecide] == 1)
    #expect(session.state.message == "The plan changed: 1 decision no longer applies.")
    #expect(session.state.history.done.map { $0.changes.map(\.field) } == [["session_id"]])
    session.type("u")
    #expect(session.state.decisions.isEmpty)
    #expect(session.state.history.done.isEmpty)
  }

  @Test("a preview of the old plan is withdrawn, so that no change is applied unseen")
  func withdrawsPreview() {
    var session = Session()
    session.type("n a")
    var plan = acmePlan()
    plan.fields[0].proposed = "another"
    session.send(.replanned(plan))
    #expect(session.state.screen == .review)
    session.type("y")
    #expect(session.effects == [.bell])
  }

  @Test("the cursor stays with its field wherever that is now")
  func cursorFollows() {
    var session = Session()
    session.type("jjj")
    var plan = acmePlan()
    plan.fields.reverse()
    session.send(.replanned(plan))
    #expect(session.state.cursor == "session_id")
    plan.fields.removeAll { $0.id == "session_id" }
    session.send(.replanned(plan))
    #expect(session.state.selected != nil)
    session.type("s")
    #expect(session.state.decisions.count == 1)
  }

  @Test("after an apply the decisions that were carried out are no loss")
  func afterApply() {
    var session = Session()
    session.type("n ay")
    session.send(.applied(.success(acmeReport)))
    var plan = acmePlan()
    for index in 0..<7 {
      plan.fields[index].current = plan.fields[index].proposed
      plan.fields[index].status = .unchanged
    }
    session.send(.replanned(plan))
    #expect(session.state.screen == .result)
    #expect(session.state.message == nil)
    #expect(session.state.hasUnappliedDecisions == false)
    #expect(session.state.tally[.unchanged] == 7)
  }
}
