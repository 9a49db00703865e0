import CarryoverSystem
import Testing

@testable import CarryoverTerminal

@Suite("Width")
struct DisplayWidthTests {
  /// Expected columns are those of `wcwidth` in Unicode 17 for each scalar.
  @Test(
    "Scalars take the columns that wcwidth gives them",
    arguments: [
      ("a", 1), ("é", 1), ("ß", 1), ("Ω", 1), ("я", 1), ("…", 1), ("─", 1), ("✓", 1), ("€", 1), ("\u{300}", 0),
      ("\u{5B0}", 0), ("\u{93F}", 1), ("\u{941}", 0), ("\u{E31}", 0), ("\u{E33}", 1), ("\u{1100}", 2),
      ("\u{1161}", 0), ("\u{11A8}", 0), ("\u{20DD}", 0), ("⌚", 2), ("☔", 2), ("☀", 1), ("❤", 1), ("⬛", 2), ("漢", 2),
      ("あ", 2), ("カ", 2), ("ｶ", 1), ("Ａ", 2), ("가", 2), ("、", 2), ("\u{3000}", 2), ("\u{302A}", 0), ("😀", 2),
      ("🀄", 2), ("🀀", 1), ("\u{1F1E9}", 1), ("\u{1F3FD}", 2), ("🦊", 2), ("\u{20000}", 2),
      ("𝒳", 1), ("\u{1E8D0}", 0), ("\u{1DF25}", 1), ("\u{1FAE8}", 2), ("\u{1C89}", 1), ("\u{31EF}", 2), ("䷀", 2),
    ])
  func scalar(text: String, columns: Int) throws {
    let scalar = try #require(text.unicodeScalars.first)
    #expect(DisplayWidth.columns(of: scalar) == columns, "U+\(String(scalar.value, radix: 16))")
  }

  @Test("The table's ranges ascend and do not touch")
  func table() {
    #expect(WidthTable.unicodeVersion == "17.0.0")
    for ranges in [WidthTable.zero, WidthTable.wide] {
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
    }
  }

  private static let wideToCome: [ClosedRange<UInt32>] = [
    0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

  /// Whether the standard library, which decides what is shown, is as new as the table.
  private static var knowsUnicode17: Bool { Unicode.Scalar(0x1FAC8)?.properties.generalCategory == .otherSymbol }

  @Test("Unassigned code points are one column, but where Han is to come", .enabled(if: knowsUnicode17))
  func unassigned() {
    var count = 0
    for value in UInt32(0x300)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory == .unassigned else { continue }
      count += 1
      let columns = Self.wideToCome.contains { $0.contains(value) } ? 2 : 1
      if DisplayWidth.columns(of: scalar) != columns { Issue.record("U+\(String(value, radix: 16))") }
    }
    #expect(count > 800_000)
  }

  @Test("Flags, skin tones, families and conjoining jamo are laid out as the codes of their scalars")
  func sequences() {
    func shown(_ text: String) -> String { DisplayWidth.clusters(of: text).map(\.text).joined() }
    #expect(shown("🇩🇪") == #"\u{1F1E9}\u{1F1EA}"#)
    #expect(shown("👍🏽") == #"\u{1F44D}\u{1F3FD}"#)
    #expect(shown("👨\u{200D}👧") == #"\u{1F468}\u{200D}\u{1F467}"#)
    #expect(shown("\u{1100}\u{1161}") == #"\u{1100}\u{1161}"#)
    #expect(DisplayWidth.columns(of: "👨\u{200D}👧") == 9 + 8 + 9)
    #expect(DisplayWidth.columns(of: "❤\u{FE0F}") == 1 + 8)
  }

  @Test("A base takes four combining scalars; the fifth, and one without a base, stand on a dotted circle")
  func combining() {
    let clusters = DisplayWidth.clusters(of: "e\u{301}")
    #expect(clusters.map(\.columns) == [1])
    #expect(clusters.first?.text.unicodeScalars.count == 2)
    let stacked = DisplayWidth.clusters(of: "z" + String(repeating: "\u{301}", count: 9))
    #expect(stacked.map { $0.text.unicodeScalars.count } == [5, 5, 2])
    #expect(stacked.dropFirst().allSatisfy { $0.text.unicodeScalars.first == "\u{25CC}" })
    #expect(DisplayWidth.clusters(of: "\u{301}").map(\.columns) == [1])
  }

  @Test("No cluster has a hidden scalar or more than one base")
  func anyText() {
    var random = RandomText(seed: 3)
    for _ in 0..<400 {
      let text = random.text(upTo: 20)
      for cluster in DisplayWidth.clusters(of: text) {
        let scalars = cluster.text.unicodeScalars
        #expect(scalars.allSatisfy { DisplayText.isShown($0, ascii: false) })
        #expect((1...5).contains(scalars.count))
        #expect(scalars.dropFirst().allSatisfy { DisplayWidth.columns(of: $0) == 0 })
        #expect(scalars.first.map { DisplayWidth.columns(of: $0) } == cluster.columns)
      }
    }
  }
}
