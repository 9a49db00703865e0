@testable import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import Testing

@testable import CarryoverReview

@Suite("Where a review begins")
struct BeginningTests {
  @Test("the cursor stands on the first field to decide, in sight; where there is none, on the first")
  func start() {
    #expect(Session(atFirstRow: false).state.cursor == "user_id")
    var plan = acmePlan()
    plan.fields.removeAll { $0.status == .needsDecision }
    #expect(Session(plan, atFirstRow: false).state.cursor == "anonymous_id")
    plan.fields = []
    #expect(Session(plan, atFirstRow: false).state.cursor == nil)
    plan = largePlan(200)
    plan.fields.removeAll { $0.status == .needsDecision && $0.id != "key_193" }
    let session = Session(plan, columns: 60, rows: 16, atFirstRow: false)
    #expect(session.lines.contains { $0.contains("▸") && $0.contains("key_193") })
  }

  @Test("a decision taken before counts")
  func decided() {
    #expect(Session(decisions: ["user_id": .skip], atFirstRow: false).state.cursor == "anonymous_id")
  }

  @Test("after an apply and after a rollback it is there again, as soon as the new plan is")
  func afterRuns() {
    var session = Session(atFirstRow: false)
    session.type(" Gay")
    session.send(.applied(.success(acmeReport)))
    #expect(session.state.cursor == "rudder.app_build")
    var settled = acmePlan()
    for row in settled.fields.indices { settled.fields[row].status = .unchanged }
    session.send(.replanned(settled))
    session.type("<esc>")
    #expect(session.state.screen == .review && session.state.cursor == "anonymous_id")
    session.send(.rolledBack(.success(RunReport(kind: .rollback, runID: "r", outcomes: [], files: ["f"]))))
    session.send(.replanned(acmePlan()))
    session.type("<esc>")
    #expect(session.state.screen == .review && session.state.cursor == "user_id")
  }

  @Test("a run that failed leaves it where it was")
  func afterFailure() {
    var session = Session(atFirstRow: false)
    session.type(" Gay")
    session.send(.applied(.failure(ReviewFailure(message: "No.", remedy: ""))))
    session.send(.replanned(acmePlan()))
    session.type("<esc>")
    #expect(session.state.cursor == "rudder.app_build")
  }

  @Test("decisions that are taken up at the start count")
  func keptDecisions() {
    var session = Session(largePlan(30), atFirstRow: false)
    #expect(session.state.cursor == "key_3")
    session.send(.kept(KeptReview(moment: sampleKept.moment, decisions: ["key_3": .skip])))
    session.type("y")
    #expect(session.state.cursor == "key_13")
  }

  @Test("what is no folder where the backups belong lets nobody apply or take back, and it says so and why")
  func occupiedStateFolder() {
    let occupied = OccupiedStateFolder(path: "/cases/\u{1b}x/.carryover", kind: .regular)
    var session = Session(lastRun: LastRun(id: "r", files: [], fields: []), occupied: occupied)
    session.send(.notice(occupied.notice))
    #expect(session.lines.last?.contains("no backup can be made") == true)
    session.type("n a")
    #expect(session.text.contains("is a file, where a folder is needed") && session.text.contains("--state-dir"))
    session.type("y")
    #expect(session.effects == [.bell])
    session.type("<esc>R")
    session.send(.rollbackPlan(cleanPlan))
    #expect(session.text.contains("is a file, where a folder is needed"))
    session.type("y")
    #expect(session.effects.last == .bell)
  }
}
