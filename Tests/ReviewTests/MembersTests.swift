import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("The members of a value")
struct MembersTests {
  private static let legacy =
    #"{ "id" : 42, "email":"old@acme.example","a\/b":1.50,"plan":{"tier":"gold","since":2019}, "gone":true }"#
  private static let proposal = #"{ "email":"new@acme.example","a\/b":1.50,"plan":{"tier":"gold","since":2019} }"#

  private func session(
    legacy: PropertyListValue = .string(legacy), proposed: PropertyListValue? = .string(proposal),
    current: PropertyListValue? = nil, rows: Int = 40, redaction: Redaction? = nil
  ) -> Session {
    var plan = acmePlan()
    plan.fields[2].legacy = legacy
    plan.fields[2].proposed = proposed
    plan.fields[2].current = current
    var masks = redaction
    masks?.learn(plan)
    var session = Session(plan, rows: rows, redaction: masks)
    session.type("jjm")
    return session
  }

  private func edited(_ session: Session) -> String? {
    guard case .edit(let value) = session.state.decisions["traits"] else { return nil }
    return value.jsonText
  }

  @Test("each member is a row with its three values and what happens to it; what is unchanged is folded")
  func rows() throws {
    let session = session(current: #"{"email":"x","plan":{"tier":"basic"},"own":[1]}"#)
    let lines = session.lines
    func line(_ name: String) throws -> String { try #require(lines.first { $0.contains("  \(name) ") }) }
    #expect(try line("id").contains("42") && (try line("id")).contains("removed"))
    #expect(try line("email").contains("old@") && (try line("email")).contains("new@"))
    #expect(try line("email").contains("changed"))
    #expect(try line("tier").contains("gold") && (try line("tier")).contains("differs"))
    #expect(try line("own").contains("[1]"))
    #expect(lines.contains { $0.contains("- plan") && $0.contains("differs") })
    #expect(session.text.contains("Members: 2 removed, 1 changed, 4 differs"))
  }

  @Test("many unchanged members are one row, which opens and folds again")
  func folding() {
    let many = (0..<240).map { #""m\#($0)":\#($0)"# }.joined(separator: ",")
    var session = session(legacy: .string("{\"id\":1,\(many)}"), proposed: .string("{\(many)}"))
    #expect(session.text.contains("… 240 members unchanged") && !session.text.contains("m17"))
    session.type("j")
    #expect(session.text.contains("enter shows them"))
    session.type("<enter>")
    #expect(session.state.members?.rows.count == 241 && session.text.contains("m17"))
    session.type("h")
    #expect(session.state.members?.rows.count == 2)
  }

  @Test("taking and dropping members keeps every other byte, each is one step to undo, and all back is the proposal")
  func deciding() {
    var session = session()
    session.type("1")
    #expect(
      edited(session) == #"{ "email":"new@acme.example","a\/b":1.50,"plan":{"tier":"gold","since":2019},"id":42 }"#)
    #expect(session.text.contains("2 Edited"))
    session.type("j1")
    #expect(edited(session)?.contains(#""email":"old@acme.example""#) == true)
    session.type("uu")
    #expect(session.state.decisions["traits"] == nil && session.text.contains("2 Proposed"))
    session.type("U2")
    #expect(session.state.decisions["traits"] != nil)
    session.type("s")
    #expect(edited(session)?.contains("email") == false)
    session.type("2")
    #expect(edited(session)?.contains(#""email":"new@acme.example""#) == true)
  }

  @Test("members of members are taken, dropped and edited as JSON; what is no JSON is refused with its reason")
  func nested() {
    var session = session(current: #"{"plan":{"tier":"basic"}}"#)
    while session.state.selectedMember?.path != ["plan", "tier"] { session.type("j") }
    session.type("3")
    #expect(edited(session)?.contains(#""plan":{"tier":"basic","since":2019}"#) == true)
    session.type("s")
    #expect(edited(session)?.contains(#""plan":{"since":2019}"#) == true)
    session.type("e<c-u>gold")
    #expect(session.text.contains("Edit traits.plan.tier (JSON)") && session.text.contains("JSON is needed"))
    session.type("<enter>")
    #expect(session.state.screen == .editor)
    session.type("<c-u>\"gold\"<enter>")
    #expect(session.state.screen == .members)
    #expect(edited(session)?.contains(#""plan":{"since":2019,"tier":"gold"}"#) == true)
    #expect(session.state.history.done.count == 3)
  }

  @Test("a value stored as a dictionary, or as data, is compared by its members too")
  func otherForms() {
    let dictionary: PropertyListValue = ["email": "d@acme.example"]
    #expect(session(legacy: dictionary).text.contains("d@acme.exam"))
    #expect(session(legacy: .data(Array(#"{"email":"b@acme.example"}"#.utf8))).text.contains("b@acme.exam"))
  }

  @Test("a field without members, and a proposal that is none, say so")
  func obstacles() {
    var session = Session()
    session.type("m")
    #expect(session.state.screen == .review && session.text.contains("This value has no members."))
    #expect(self.session(proposed: nil).text.contains("There is no proposal with members."))
    #expect(self.session(proposed: "[1]").text.contains("not the text of a JSON object"))
  }

  @Test("hostile names and values are escaped; masked ones stay masked, and nothing of them is edited")
  func hostile() {
    let shown = session(legacy: .string("{\"\u{202E}x\\u001b[2J\":\"\\u001b[31mred\u{202E}\"}"), proposed: "{}")
    #expect(!shown.text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    #expect(shown.text.contains("removed"))
    var masked = session(redaction: Redaction(recipes: [.rudderStackObjC]))
    #expect(masked.state.screen == .members && masked.text.contains("email"))
    #expect(!masked.text.contains("acme.example"))
    for key in ["1", "2", "3", "s", "e", "E"] {
      masked.type(key)
      #expect(masked.state.decisions.isEmpty && masked.state.screen == .members && masked.lastErrand == nil)
    }
    #expect(masked.text.contains("Values are masked here"))
  }

  @Test("line by line, the same members are read and taken by their words")
  func lines() {
    var plan = acmePlan()
    plan.fields[2].legacy = .string(Self.legacy)
    plan.fields[2].proposed = .string(Self.proposal)
    var talk = LineTalk(plan)
    talk.type("3", "members")
    #expect(talk.answer.contains("Members of traits") && talk.answer.contains("id, removed: legacy 42, written none"))
    talk.type("use-legacy")
    #expect(talk.answer.contains("id, unchanged"))
    talk.type("2", "edit \"me@acme.example\"")
    guard case .edit(.string(let text)) = talk.review.state.decisions["traits"] else { return #expect(Bool(false)) }
    #expect(text.contains("me@acme.example") && text.contains(#""id":42"#))
  }

  @Test("ten thousand members are moved in without walking through them")
  func large() {
    func cost(_ count: Int) -> Duration {
      let many = (0..<count).map { #""m\#($0)":{"x":\#($0)}"# }.joined(separator: ",")
      var session = session(legacy: .string("{\(many)}"), proposed: "{}")
      #expect(session.state.members?.rows.count == 2 * count)
      return ContinuousClock().measure { for _ in 0..<40 { session.type("j"); _ = session.lines } }
    }
    _ = cost(100)
    #expect(cost(10_000) < max(cost(100), .milliseconds(20)) * 12)
  }
}
