import Carryover
import CarryoverSystem
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Deciding many fields")
struct DecideManyTests {
  private static let both = ["is_manual_session", "last_activity_time"]

  private static func conflictPlan() -> Plan {
    var plan = acmePlan()
    for index in [3, 4] {
      plan.fields[index].status = .conflict
      plan.fields[index].current = "other"
      plan.fields[index].findings = []
    }
    return plan
  }

  @Test("confirming what is clean leaves out what is to decide, in one step")
  func clean() {
    var session = Session()
    session.type("Ar")
    #expect(session.state.screen == .review)
    #expect(session.state.message == "6 accepted.")
    #expect(session.state.decisions["user_id"] == nil && session.state.decisions["rudder.app_build"] == nil)
    #expect(session.state.history.done.count == 1)
    session.type("u")
    #expect(session.state.decisions.isEmpty && session.state.message == "Undone: 6 decisions.")
    #expect(session.effects.isEmpty)
  }

  @Test("confirming a group says what it leaves out; only the item that says so includes it")
  func group() {
    var session = Session()
    session.type("A")
    #expect(session.text.contains("accept all proposals in group identity"))
    #expect(session.text.contains("the same, including 1 undecided"))
    session.type("j")
    #expect(session.text.contains("Not included: 1 undecided in the group."))
    session.type("<enter>")
    #expect(session.state.decisions == ["anonymous_id": .migrate])
    session.type("uAP")
    #expect(session.state.decisions == ["anonymous_id": .migrate, "user_id": .migrate])
    session.type("uAs")
    #expect(session.state.decisions == ["anonymous_id": .skip, "user_id": .skip])
  }

  @Test("what is decided already is left alone but by taking back")
  func leavesDecided() {
    var session = Session()
    session.type("sjs")
    session.type("Ar")
    #expect(session.state.decisions["anonymous_id"] == .skip && session.state.decisions.count == 7)
    session.type("Au")
    #expect(session.state.decisions.isEmpty && session.state.message == "7 undone.")
    session.type("u")
    #expect(session.state.decisions.count == 7)
  }

  @Test("conflicts are kept or replaced alike; one that is flagged for something else stays")
  func conflicts() {
    var plan = Self.conflictPlan()
    plan.fields[4].findings = [Finding(.userIDNotString(kind: "number", text: "42"))]
    var session = Session(plan)
    session.type("At")
    #expect(session.state.decisions == ["session_id": .keep])
    session.type("uA#")
    #expect(session.state.decisions == ["session_id": .migrate])
    #expect(session.state.tally[.conflict] == 1)
  }

  @Test("in a range only its fields are meant, and the menu says so")
  func range() {
    var session = Session(Self.conflictPlan())
    session.type("jjjjvA")
    #expect(session.text.contains("only the 1 field in the range"))
    session.type("#")
    #expect(session.state.decisions == ["is_manual_session": .migrate])
    #expect(session.state.tally[.conflict] == 1)
  }

  @Test("with a filter on only listed fields are meant, and the menu says so")
  func filtered() {
    var session = Session()
    session.type("fgroup:session<enter>A")
    #expect(session.text.contains("only the 3 fields listed"))
    #expect(session.text.contains("accept all these ready fields"))
    session.type("r")
    #expect(session.state.decisions.count == 3)
    // What a decision changes does not take the row away under the cursor.
    #expect(session.state.rows.count == 3)
  }

  @Test("an item that concerns no field cannot be chosen, and esc leaves the menu")
  func empty() {
    var session = Session()
    session.type("At")
    #expect(session.state.screen == .decideMany)
    #expect(session.state.message == "No field matches.")
    session.type("<esc>")
    #expect(session.state.screen == .review && session.state.decisions.isEmpty)
    session.type("A")
    session.send(.replanned(Self.conflictPlan()))
    #expect(session.state.screen == .review)
  }
}
