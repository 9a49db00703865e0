import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("The first and the last line")
struct BarsTests {
  /// Two fields that are decided in each way the sample has, so that there are many counts.
  private static func manyCounts(_ columns: Int) throws -> Session {
    try Session(
      samplePlan("HalfFilled"), columns: columns, rows: 24,
      decisions: ["traits": .skip, "session_id": .migrate, "rudder.app_build": .edit(421)])
  }

  @Test("counts in the title stand whole or not at all, and those the apply waits for always", arguments: 60...130)
  func counts(columns: Int) throws {
    let session = try Self.manyCounts(columns)
    let title = session.lines[0]
    #expect(title.hasPrefix(" Carryover  "))
    #expect(title.contains(" 1 in conflict"))
    let shown = session.state.titleCounts
    let all = FieldState.allCases.filter { session.state.tally[$0] > 0 }
    #expect(shown.count == all.count || shown.last?.text.hasSuffix(" …") == true)
    for count in shown { #expect(title.contains(count.text), "\(title)") }
    #expect((shown.first?.columns.lowerBound ?? 0) >= " Carryover  ".count)
  }

  @Test("counts of a window without room for any are still made")
  func noRoom() throws {
    #expect(try !Self.manyCounts(1).state.titleCounts.isEmpty)
  }

  @Test("a conflict says in the last line how the target's value is kept, as long as it is one")
  func conflictSaysBothKeys() throws {
    var session = try Session(samplePlan("HalfFilled"), columns: 80, rows: 24)
    session.type("n")
    #expect(session.state.selected?.status == .conflict)
    #expect(session.lines.last?.contains("t keep") == true)
    session.type("t")
    session.type("n")
    #expect(session.lines.last?.contains("t keep") == false)
  }

  @Test("a menu with more items than fit says where its cursor stands")
  func menuPlace() throws {
    var session = try Session(samplePlan("HalfFilled"), columns: 60, rows: 16)
    session.type("F")
    let count = try #require(session.state.menu?.items.count)
    #expect(session.lines[14].contains(" 1 of \(count) "))
    session.type("j")
    #expect(session.lines[14].contains(" 2 of \(count) "))
  }

  @Test("a letter that a menu has nothing under is answered")
  func menuAnswers() throws {
    var session = try Session(samplePlan("CorruptTraits"), columns: 80, rows: 24)
    session.type("A")
    let items = try #require(session.state.menu?.items.map(\.key))
    #expect(!items.contains("P"))
    session.type("P")
    #expect(session.lines.last?.contains("P has no entry here.") == true)
    #expect(session.state.screen == .decideMany && session.state.decisions.isEmpty)
  }

  @Test("a narrow window leaves out the format of a store, and cuts no count of keys", arguments: [60, 80, 120])
  func storeFacts(columns: Int) {
    let rows = Browsing(columns: columns, rows: 16).lines.filter { $0.contains(".plist ") && $0.contains(" bytes ") }
    #expect(!rows.isEmpty)
    for row in rows { #expect(row.contains("key"), "\(row)") }
    #expect(rows.contains { $0.contains("binary") || $0.contains("XML") } == (columns > 60))
  }

  @Test("the line of a search in the stores says how it ends, whatever it has found", arguments: 60...120)
  func searchOfStores(columns: Int) {
    var browsing = Browsing(columns: columns, rows: 16)
    browsing.type("/a")
    let last = browsing.lines.last ?? ""
    #expect(last.hasPrefix(" /a "))
    #expect(last.contains("enter go  esc cancel"), "\(last)")
  }
}
