import Testing

@testable import CarryoverSystem
@testable import CarryoverTerminal

@Suite("Certain widths")
struct CertainWidthTests {
  @Test(
    "What people write in is certain",
    arguments: [
      "Zoë Straße", "e\u{301}", "Ελλάδα", "Київ", "漢字かなカナｶｆ", "한국어", "שָׁלוֹם", "مَرْحَبًا", "ไทยที่นี่", "हुन", "ქართული",
      "Հայ", "አማርኛ", "─│┌✓✗▲≠→…“”", "❤☺♥☀", "𝒜𐍈", "①", "𠀀",
    ])
  func certain(text: String) {
    #expect(text.unicodeScalars.allSatisfy(DisplayText.hasCertainWidth))
  }

  @Test(
    "What terminals disagree about is not",
    arguments: [
      "😀", "⌚", "\u{1F1E9}", "\u{1F3FD}", "\u{93F}", "\u{94D}", "\u{E33}", "\u{FF9E}", "\u{1100}", "\u{1161}",
      "\u{11A8}", "䷀", "☰", "㉈",
      "𝌀", "\u{1FAE8}", "\u{897}", "\u{1F93B}",
    ] as [Unicode.Scalar])
  func uncertain(scalar: Unicode.Scalar) {
    #expect(!DisplayText.hasCertainWidth(scalar))
    #expect(!DisplayText.isShown(scalar, ascii: false))
  }

  @Test("What is known without looking up properties follows the rule")
  func commonRanges() {
    for range in DisplayText.commonRanges {
      let wrong = range.compactMap(Unicode.Scalar.init).filter { !DisplayText.isCertainByRule($0) }
      #expect(wrong.isEmpty)
    }
  }

  @Test("Whatever takes a column is a character by itself, and whatever takes none joins the one before")
  func neighbours() {
    var columns = [0, 0, 0]
    for value in UInt32(0xA1)...0x3FFFF {
      guard let scalar = Unicode.Scalar(value), DisplayText.isShown(scalar, ascii: false) else { continue }
      let width = DisplayWidth.columns(of: scalar)
      columns[width] += 1
      let text = String(String.UnicodeScalarView(["a", scalar, "a"]))
      if text.count != (width == 0 ? 2 : 3) { Issue.record("U+\(String(value, radix: 16))") }
    }
    #expect(columns[0] > 1000 && columns[1] > 10_000 && columns[2] > 80_000)
  }
}
