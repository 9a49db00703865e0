import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Ranges of fields")
struct RangeTests {
  @Test("v and moving choose rows; one key decides for all of them and one undo takes it back")
  func confirms() {
    var session = Session()
    session.type("vjj ")
    #expect(session.state.decisions == ["anonymous_id": .migrate, "user_id": .migrate, "traits": .migrate])
    #expect(session.state.message == "3 accepted.")
    #expect(session.state.history.done.count == 1)
    session.type("u")
    #expect(session.state.decisions.isEmpty)
    #expect(session.state.message == "Undone: 3 decisions.")
    #expect(session.state.cursor == "anonymous_id")
    session.type("U")
    #expect(session.state.decisions.count == 3)
    #expect(session.state.message == "Done again: 3 decisions.")
    #expect(session.state.log.entries.map(\.kind) == [.decision, .decision, .decision])
    #expect(session.state.log.entries.first?.text == "Accepted: anonymous_id, user_id, traits")
  }

  @Test("fields for which it is impossible are left alone and counted")
  func leavesOut() {
    var session = Session()
    session.type("<end>vkkk ")
    #expect(session.state.decisions.count == 3 && session.state.decisions["rudder.app_build"] == nil)
    #expect(session.state.message == "3 accepted; 1 has no proposal.")
    session.type("<esc>k<end>v ")
    #expect(session.state.message == "The field has no proposal.")
    #expect(session.effects == [.bell])
    session.type("<home>t")
    #expect(session.state.message == "None of the 8 fields has a value of the target's to keep.")
  }

  @Test("where all that can carry the decision have it, it is taken back; else it is set for the rest")
  func toggles() {
    var session = Session()
    session.type("jj vkk ")
    #expect(session.state.decisions.count == 3)
    #expect(session.state.message == "2 accepted; 1 was already.")
    session.type(" ")
    #expect(session.state.decisions.isEmpty)
    #expect(session.state.message == "3 undone.")
    session.type("s")
    #expect(session.state.decisions.values.allSatisfy { $0 == .skip } && session.state.decisions.count == 3)
  }

  @Test("every row of the range has a mark, without colours too", arguments: [Glyphs.unicode, .ascii])
  func marks(glyphs: Glyphs) {
    var session = Session(columns: 120, glyphs: glyphs)
    session.type("vjj")
    let mark = glyphs == .ascii ? "*" : "•"
    let pointer = glyphs == .ascii ? ">" : "▸"
    let first = session.state.layout.listRows.lowerBound
    let rows = first..<(first + 3)
    #expect(session.lines[rows].map { String(Array($0)[1]) } == [mark, mark, pointer])
    #expect(String(Array(session.lines[rows.upperBound])[1]) == " ")
    #expect(session.lines.last?.contains("range of 3") == true)
    session.type("<esc>")
    #expect(session.lines[rows].map { String(Array($0)[1]) } == [" ", " ", pointer])
  }

  @Test("the range is left by v and by esc, and ends with a new plan")
  func leaving() {
    var session = Session()
    session.type("vjv")
    #expect(session.state.range == nil && session.state.cursor == "user_id")
    session.type("vj<esc>")
    #expect(session.state.range == nil)
    session.type("<esc>")
    #expect(session.state.message == "No range, search or filter is on; q quits.")
    session.type("vk")
    var plan = acmePlan()
    plan.fields.swapAt(0, 5)
    session.send(.replanned(plan))
    #expect(session.state.range == nil)
  }

  @Test("in the details a key is about that field alone, and e asks for the range to be left")
  func details() {
    var session = Session()
    session.type("vjj<enter> <esc>")
    #expect(session.state.decisions == ["traits": .migrate])
    #expect(session.state.range == 0...2)
    session.type("e")
    #expect(session.state.editor == nil)
    #expect(session.state.message == "A value is typed for one field; v leaves the range.")
  }
}
