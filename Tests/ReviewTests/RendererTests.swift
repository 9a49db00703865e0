import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Renderer")
struct RendererTests {
  /// Keys that change, one after the other, everything a row of the review can depend on.
  private static let script =
    "jjj<end><pgup>g" + "j s tue" + "<esc>" + "vjjs<esc>uU" + "/id<enter>nN<esc>" + "fis:todo<enter>jj<esc>"
    + "2jjjG1" + "<tab><s-tab>" + "++--<><>=" + "3jj<esc>" + "w<esc>" + "?<esc>" + "12j" + ":3<enter>" + "A<esc>"
    + "ex<esc>" + "a<esc>" + "x<esc>" + "zzz" + "uuuuu"

  @Test(
    "each frame is what it would be drawn afresh",
    arguments: [(120, 40), (80, 24), (60, 16), (200, 50), (50, 10)], [Glyphs.unicode, .ascii])
  func afresh(size: (columns: Int, rows: Int), glyphs: Glyphs) {
    var plan = acmePlan()
    for index in 0..<30 { plan.fields.append(largePlan(40).fields[index]) }
    var session = Session(plan, columns: size.columns, rows: size.rows, glyphs: glyphs)
    let renderer = ReviewRenderer()
    #expect(renderer.frame(of: session.state) == render(session.state))
    for (index, key) in Session.keys(Self.script).enumerated() {
      session.send(.key(key))
      #expect(renderer.frame(of: session.state) == render(session.state), "key \(index), \(key)")
    }
    session.send(.resized(Size(columns: 140, rows: 30)))
    #expect(renderer.frame(of: session.state) == render(session.state))
    session.send(.notice("Something."))
    #expect(renderer.frame(of: session.state) == render(session.state))
    plan.fields[0].legacy = .string("another")
    plan.fields.removeLast(3)
    session.send(.replanned(plan))
    #expect(renderer.frame(of: session.state) == render(session.state))
    session.send(.replanned(emptyOf(plan)))
    #expect(renderer.frame(of: session.state) == render(session.state))
  }

  private func emptyOf(_ plan: Plan) -> Plan {
    var plan = plan
    plan.fields = []
    return plan
  }

  @Test("a move of the cursor draws the two rows, the lines about the field, and nothing else")
  func fewRows() {
    var session = Session(columns: 120, rows: 40)
    session.type("jj")
    let form = session.state.form
    let before = session.state.reviewRows(form)
    session.type("j")
    #expect(session.state.form == form)
    let after = session.state.reviewRows(form)
    let layout = session.state.layout
    let changed = after.rows(differingFrom: before, layout)
    #expect(changed.filter(layout.listRows.contains).count == 2)
    #expect(
      changed.allSatisfy {
        layout.listRows.contains($0) || layout.warningRows.contains($0) || $0 == layout.size.rows - 1
      })
    #expect(changed.filter(layout.warningRows.contains).count <= 4)
  }
}
