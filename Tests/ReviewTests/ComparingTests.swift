@testable import Carryover
@testable import CarryoverReview

@Suite("Comparing on the screen") struct ComparingTests {
  private static let before = container([
    store(
      nestedPath,
      [
        "gone": "old value", "kept": 7, "rl_auth_token": "hush-1",
        "traits": #"{"plan": "free", "n": [1, 2, 3], "z": 1}"#,
      ]),
    store("Library/Preferences/removed.plist", ["a": 1]),
  ])
  private static let after = container([
    store(
      nestedPath,
      [
        "kept": 7, "new": true, "rl_auth_token": "hush-2", "traits": #"{"plan": "pro", "n": [2, 3], "z": 1}"#,
      ])
  ])

  private static func comparing(_ before: Container, _ after: Container, columns: Int = 100, _ script: String = "")
    -> Browsing
  {
    var browsing = Browsing(after, columns: columns, rows: 30)
    browsing.state = BrowserState(
      ComparedContainers(.init(path: "Monday", container: before), .init(path: "Tuesday", container: after)),
      size: Size(columns: columns, rows: 30))
    browsing.type(script)
    return browsing
  }

  private func line(_ browsing: Browsing, _ word: String) throws -> String {
    try #require(browsing.lines.first { $0.contains(word) }, "\(browsing.text)")
  }

  @Test(arguments: [80, 100, 120]) func `marks stand in front of the rows, and both values are side by side`(
    columns: Int
  ) throws {
    let browsing = Self.comparing(Self.before, Self.after, columns: columns)
    #expect(browsing.lines[0].contains("Monday → Tuesday"))
    let gone = try line(browsing, "gone")
    #expect(gone.contains("▸- ") && gone.contains("old value"))
    #expect(try line(browsing, " new ").contains("│ + ") && line(browsing, " kept ").contains("│   "))
    let traits = try line(browsing, "traits")
    #expect(traits.contains("│ ~ ") && traits.contains("› traits"))
    #expect(try line(browsing, "removed.plist").contains("│ - "))
    #expect(try line(browsing, "rl_auth_token").components(separatedBy: "(secret)").count == 3)
    #expect(!browsing.text.contains("hush"))
  }

  @Test func `n and N go from difference to difference, and open what hides them`() throws {
    var browsing = Self.comparing(Self.before, Self.after)
    var seen: [String] = []
    for _ in 0..<7 {
      seen.append(browsing.state.outline.path(try #require(browsing.state.selectedRow)).labelText)
      browsing.type("n")
    }
    #expect(seen == ["gone", "new", "rl_auth_token", "traits.plan", "traits.n[0]", "a", "gone"])
    #expect(browsing.state.lastLineWords == "2 of 6 differences")
    browsing.type("NN")
    #expect(try #require(browsing.selected).contains(" a "))
    browsing.type("N")
    let element = try #require(browsing.selected)
    #expect(element.contains("- ") && element.contains("[0]"))
    #expect(try line(browsing, " plan ").contains("free") && line(browsing, " plan ").contains("pro"))
  }

  @Test func `a search finds text of both sides, and n then goes from match to match`() throws {
    for (text, name) in [("free", "plan"), ("old value", "gone"), ("true", "new")] {
      let browsing = Self.comparing(Self.before, Self.after, "/\(text)<enter>")
      #expect(try #require(browsing.selected).contains(name), "\(browsing.text)")
    }
    var browsing = Self.comparing(Self.before, Self.after, "/hush")
    #expect(browsing.text.contains("no match"))
    browsing.type("<esc><esc>")
    browsing = Self.comparing(Self.before, Self.after, "/fre<enter>m")
    #expect(browsing.text.contains("free → pro"))
  }

  @Test func `details show both values in full, and S shows secrets`() {
    var browsing = Self.comparing(Self.before, Self.after, "nnni")
    for word in ["traits.plan", "Change", "Before", "free", "After", "pro"] { #expect(browsing.text.contains(word)) }
    browsing.type("<esc>NS")
    #expect(browsing.text.contains("hush-1") && browsing.text.contains("hush-2"))
  }

  @Test func `a filter, an order and what is closed keep the marks`() throws {
    var browsing = Self.comparing(Self.before, Self.after, "fplan<enter>")
    #expect(browsing.state.listedStores == 1)
    let plan = try line(browsing, " plan  ")
    #expect(plan.contains("~"))
    browsing.type("<esc>s")
    #expect(browsing.state.differencePlaces.count == 6)
    browsing.type("n")
    #expect(browsing.state.outline.difference(try #require(browsing.state.selectedRow)) != nil)
  }

  @Test func `what changes a container says that two are only compared`() {
    for key in ["e", "D", "+", "H", "R"] {
      let browsing = Self.comparing(Self.before, Self.after, key)
      #expect(
        browsing.state.message
          == "A comparison is read-only; open one container with carryover browse to change values.", "\(key)")
    }
  }

  private func values(_ old: PropertyListValue, _ new: PropertyListValue) throws -> (before: String, after: String) {
    let (old, new) = (container([store(nestedPath, ["k": old])]), container([store(nestedPath, ["k": new])]))
    let difference = try #require(StoreComparison(old, new).stores.first?.values().first?.1)
    let (shown, ink) = (ComparedValues(difference, isMasked: false), Ink(ReviewOptions()))
    return (ink.oneLine(shown.before), ink.oneLine(shown.after))
  }

  @Test(.timeLimit(.minutes(1))) func `of values of 5 MB, the parts that differ are shown`() throws {
    let text = String(repeating: "é", count: 2_500_000)
    let texts = try values(.string(text + "old"), .string(text + "new"))
    #expect(texts.before.hasSuffix("éold") && texts.after.hasSuffix("énew"), "\(texts)")
    let bytes = [UInt8](repeating: 1, count: 5_000_003)
    let data = try values(.data(bytes + [1]), .data(bytes + [2]))
    #expect(data.before == "5000004 bytes …0101010101" && data.after == "5000004 bytes …0101010102", "\(data)")
  }

  @Test func `of a packed value that is too large for a row, no part is shown`() throws {
    let start = #"{"pad": ""# + String(repeating: "x", count: 70_000) + #"", "token": "hush-"#
    let values = try values(.string(start + #"1"}"#), .string(start + "2"))
    #expect(!values.before.contains("hush") && !values.after.contains("hush"), "\(values)")
  }

  @Test func `containers that are equal have no marks`() {
    var browsing = Self.comparing(Self.after, Self.after, "n")
    #expect(browsing.state.lastLineWords == "no difference" && browsing.state.message == "There are no differences.")
    browsing.type("?")
    #expect(browsing.text.contains("difference"))
  }
}
