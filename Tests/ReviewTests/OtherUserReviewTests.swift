import Carryover
import Testing

@testable import CarryoverReview

@Suite("A review of a target that has another user")
struct OtherUserReviewTests {
  private func session() throws -> Session {
    var session = Session(try samplePlan("Findings/target.other-user"), columns: 80, rows: 24, atFirstRow: false)
    #expect(session.state.selected?.id == "user_id")
    session.type("t")
    return session
  }

  private func decisions(_ session: Session) -> Decisions {
    session.state.decisions.filter { ["user_id", "traits"].contains($0.key) }
  }

  @Test("keeping that user skips the legacy user's traits, in one step, and says so")
  func kept() throws {
    var session = try session()
    #expect(decisions(session) == ["user_id": .keep, "traits": .skip])
    #expect(
      session.state.message?.contains("traits is skipped too: it does not describe the target's user.") == true)
    session.type("u")
    #expect(decisions(session) == [:])
  }

  @Test("replacing that user after all takes the traits along again")
  func replaced() throws {
    var session = try session()
    session.type(" ")
    #expect(decisions(session) == ["user_id": .migrate])
    #expect(session.state.message?.contains("traits goes with user_id: it is no longer skipped.") == true)
  }

  @Test("who takes the skip back wants the traits, and that is what the run would write")
  func wanted() throws {
    var session = try session()
    session.type("js")
    #expect(decisions(session) == ["user_id": .keep, "traits": .migrate])
    #expect(session.state.plan.changes(session.state.decisions).contains { $0.key == "traits" })
  }

  @Test("a proposal accepted before, with all the others, does not stay accepted beside another user")
  func acceptedBefore() throws {
    var session = Session(try samplePlan("Findings/target.other-user"), columns: 80, rows: 24, atFirstRow: false)
    session.state.decideMany(.clean)
    session.type("t")
    #expect(decisions(session) == ["user_id": .keep, "traits": .skip])
  }

  @Test("keeping every conflict's value at once does the same")
  func many() throws {
    var session = Session(try samplePlan("Findings/target.other-user"), columns: 80, rows: 24)
    session.state.decideMany(.keepConflicts)
    #expect(decisions(session) == ["user_id": .keep, "traits": .skip])
    #expect(session.state.message == "1 kept. traits is skipped too: it does not describe the target's user.")
  }
}
