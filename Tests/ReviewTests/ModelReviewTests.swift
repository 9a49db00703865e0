import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@Suite("A versioned model in the review")
struct ModelReviewTests {
  private static let file = "AppData/Library/Preferences/com.acme.shop.plist"
  private static let old = #"{"name":"John Doe","age":"23"}"#
  private static let new = #"{"alias":"John Doe","email":"---","version":3}"#

  private func model(_ story: Rehearsal) throws -> String? {
    guard case .dictionary(let keys) = try PropertyListDocument(bytes: story.bytes(Self.file)).root else { return nil }
    return keys["person"]?.jsonText
  }

  private func story() throws -> Rehearsal { try Rehearsal("Person", size: Size(columns: 120, rows: 40)) }

  @Test("confirmed, a model gets its newest version; taken back, every byte is what it was (F2, F5)")
  func confirmed() throws {
    let story = try story()
    let before = try story.bytes(Self.file)
    #expect(try model(story) == Self.old)
    story.press(" ", 0, "")
    try story.expect("1 accepted")
    story.press("a", 0, "")
    try story.expect("Nothing is written yet")
    #expect(try story.bytes(Self.file) == before)
    story.press("y", 0, "")
    try story.expect("Applied")
    #expect(try model(story) == Self.new)
    story.press("R", 0, "")
    #expect(try model(story) == Self.new)
    story.press("y", 0, "")
    try story.expect("Rolled back")
    #expect(try story.bytes(Self.file) == before)
  }

  @Test("skipped, a model stays as it is and nothing can be applied; the skip can be taken back (F2, F3)")
  func skipped() throws {
    let story = try story()
    let before = try story.bytes(Self.file)
    story.press("s", 0, "")
    try story.expect("1 skipped")
    story.press("a", 0, "")
    story.press("y", 0, "")
    try story.expect("There is nothing to write")
    #expect(try story.bytes(Self.file) == before)
    story.press("<esc>", 0, "")
    story.press("u", 0, "")
    try story.expect("1 ready")
    story.press("a", 0, "")
    story.press("y", 0, "")
    try story.expect("Applied")
    #expect(try model(story) == Self.new)
  }

  @Test("the details have each step of a model, and confirming, skipping and undoing are decisions on it (F2)")
  func decisions() throws {
    var session = Session(try samplePlan("Person"), rows: 80)
    session.type("<enter>")
    for step in ["version 0 → 1: add email", "version 1 → 2: rename name → alias", "version 2 → 3: remove age"] {
      #expect(session.text.contains(step), "\(step): \(session.text)")
    }
    session.type("<esc> ")
    #expect(session.state.decisions == ["person": .migrate])
    session.type("s")
    #expect(session.state.decisions == ["person": .skip])
    session.type("u")
    #expect(session.state.decisions == ["person": .migrate])
    session.type("uu")
    #expect(session.state.decisions.isEmpty)
    session.type("ay")
    #expect(session.effects.last == .apply([:]))
  }
}
