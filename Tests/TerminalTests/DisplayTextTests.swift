@testable import CarryoverSystem
@testable import CarryoverTerminal

@Suite("Escaping") struct DisplayTextTests {
  @Test(arguments: [
    ("\n", #"\n"#), ("\t", #"\t"#), ("\r", #"\r"#), ("\r\n", #"\r\n"#), ("\u{0}", #"\u{0}"#),
    ("\u{1B}[31m", #"\u{1B}[31m"#), ("\u{7F}", #"\u{7F}"#), ("\u{9B}", #"\u{9B}"#), ("\u{202E}", #"\u{202E}"#),
    ("\u{2066}", #"\u{2066}"#), ("\u{200B}", #"\u{200B}"#), ("\u{200D}", #"\u{200D}"#), ("\u{FEFF}", #"\u{FEFF}"#),
    ("\u{AD}", #"\u{AD}"#), ("\u{2028}", #"\u{2028}"#), ("\u{2029}", #"\u{2029}"#), ("\u{E000}", #"\u{E000}"#),
    ("\u{F0000}", #"\u{F0000}"#), ("\u{10FFFF}", #"\u{10FFFF}"#), ("\u{FFFF}", #"\u{FFFF}"#),
    ("\u{378}", #"\u{378}"#), ("\u{E0041}", #"\u{E0041}"#), ("\u{FE0F}", #"\u{FE0F}"#), ("\u{3164}", #"\u{3164}"#),
    ("\u{34F}", #"\u{34F}"#), ("\u{A0}", #"\u{A0}"#), ("\u{2003}", #"\u{2003}"#), ("😀", #"\u{1F600}"#),
  ])
  func `Every kind of hidden scalar is shown`(text: String, expected: String) {
    #expect(DisplayText.visible("a" + text + "b") == "a" + expected + "b")
  }

  @Test(arguments: ["", "plain", "é ü 漢字 가 ❤ Ω", "e\u{301}", "a\u{3000}b", #"https:\/\/a.b\/c"#, #"C:\Acme"#, #"end\"#])
  func `Visible text stays as it is`(text: String) {
    #expect(DisplayText.visible(text).unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test(arguments: [
    (#"\n"#, #"\\n"#), (#"\u{41}"#, #"\\u{41}"#), (#"\u00e9"#, #"\u00e9"#), (#"\\"#, #"\\\"#), (#"\\n"#, #"\\\\n"#),
    ("\\\n", #"\\\n"#), ("\\\u{1B}", #"\\\u{1B}"#), (#"\x"#, #"\x"#), (#"\u\n"#, #"\u\\n"#), (#"\u"#, #"\u"#),
    (#"\tmp"#, #"\\tmp"#),
  ])
  func `A backslash is doubled only where it would read as an escape`(text: String, expected: String) {
    #expect(DisplayText.visible(text) == expected)
  }

  private func unescaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = Substring.UnicodeScalarView(text.unicodeScalars)
    while let first = rest.popFirst() {
      guard first == "\\" else {
        result.append(first)
        continue
      }
      switch rest.first {
      case "\\": result.append("\\")
      case "n": result.append("\n")
      case "t": result.append("\t")
      case "r": result.append("\r")
      case "u" where rest.dropFirst().first == "{":
        let digits = rest.dropFirst(2).prefix { $0 != "}" }
        rest = rest.dropFirst(2 + digits.count)
        if let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init) { result.append(scalar) }
      default:
        result.append("\\")
        continue
      }
      rest.removeFirst()
    }
    return String(result)
  }

  @Test func `No two texts look alike: what is shown can be read back`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<2000 {
      let text = random.text(upTo: 12)
      let shown = DisplayText.visible(text)
      #expect(unescaped(shown).unicodeScalars.elementsEqual(text.unicodeScalars))
      #expect(shown.unicodeScalars.allSatisfy { DisplayText.isShown($0, ascii: false) })
      #expect(DisplayText.visible(text, ascii: true).utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    }
  }

  @Test(arguments: [
    ("rl_application_build_key", 21, "rl_applica…_build_key"), ("short", 5, "short"), ("abcdef", 5, "ab…ef"),
    ("漢字漢字", 6, "漢…字"), ("abc", 2, "a…"), ("abc", 0, ""), ("a\nb", 4, #"a\nb"#),
  ])
  func `a name is cut in its middle, and never wider than its limit`(text: String, limit: Int, expected: String) {
    #expect(DisplayText.visibleEnds(text, limit: limit) == expected)
    #expect(DisplayText.visibleEnds(expected, limit: 40, isEscaped: true) == expected)
    let long = String(repeating: "e\u{301}", count: 5000) + text
    #expect(DisplayWidth.columns(of: DisplayText.visibleEnds(long, limit: limit)) <= limit)
  }

  @Test func `A limit cuts to columns with an ellipsis and agrees with the whole`() {
    #expect(DisplayText.visible("a\nb", limit: 4) == #"a\nb"#)
    #expect(DisplayText.visible("a\nbc", limit: 4) == #"a\n…"#)
    #expect(DisplayText.visible("漢字", limit: 3) == "漢…")
    #expect(DisplayText.visible("abc", limit: 0) == "")
    #expect(DisplayText.visible("é", limit: 3, ascii: true) == #"\u~"#)
    var random = SeededGenerator(seed: 5)
    for limit in 0..<300 {
      let text = random.text(upTo: 60)
      let cut = DisplayText.visible(text, limit: limit % 40)
      let whole = DisplayText.visible(text)
      #expect(DisplayWidth.columns(of: cut) <= limit % 40)
      if DisplayWidth.columns(of: whole) <= limit % 40 {
        #expect(DisplayWidth.clusters(of: cut) == DisplayWidth.clusters(of: whole))
      }
    }
  }

  @Test func `A limit reads no further than it shows`() {
    let long = String(repeating: "z\u{301}\u{301}\u{301}\u{301}\u{301}", count: 200_000)
    let clock = ContinuousClock()
    let whole = clock.measure { _ = DisplayWidth.columns(of: long) }
    // The best of several: a busy machine may interrupt one of them.
    let cuts = (0..<10).map { _ in
      clock.measure { #expect(DisplayWidth.columns(of: DisplayText.visible(long, limit: 40)) == 40) }
    }
    #expect(cuts.contains { $0 * 20 < whole })
  }

  @Test(.timeLimit(.minutes(1))) func `A million hidden scalars are shown in time that grows with them`() {
    #expect(DisplayText.visible(String(repeating: "\u{200D}", count: 1_000_000)).utf8.count == 8_000_000)
  }

  @Test func `Lines stay lines where text is printed after the screen; backslashes and emoji stay in what is copied`() {
    #expect(DisplayText.visibleLines("a\u{1B}\nb\r\n") == "a\\u{1B}\nb\\r\n")
    #expect(DisplayText.harmless("\\n\n\u{1B}😀") == #"\n\n\u{1B}😀"#)
  }
}

@Suite("Width") struct DisplayWidthTests {
  /// Expected columns are those of `wcwidth` in Unicode 17 for each scalar.
  @Test(arguments: [
    ("a", 1), ("é", 1), ("ß", 1), ("Ω", 1), ("я", 1), ("…", 1), ("─", 1), ("✓", 1), ("€", 1), ("\u{300}", 0),
    ("\u{5B0}", 0), ("\u{93F}", 1), ("\u{941}", 0), ("\u{E31}", 0), ("\u{E33}", 1), ("\u{1100}", 2),
    ("\u{1161}", 0), ("\u{11A8}", 0), ("\u{20DD}", 0), ("⌚", 2), ("☔", 2), ("☀", 1), ("❤", 1), ("⬛", 2), ("漢", 2),
    ("あ", 2), ("カ", 2), ("ｶ", 1), ("Ａ", 2), ("가", 2), ("、", 2), ("\u{3000}", 2), ("\u{302A}", 0), ("😀", 2),
    ("🀄", 2), ("🀀", 1), ("\u{1F1E9}", 1), ("\u{1F3FD}", 2), ("🦊", 2), ("\u{20000}", 2),
    ("𝒳", 1), ("\u{1E8D0}", 0), ("\u{1DF25}", 1), ("\u{1FAE8}", 2), ("\u{1C89}", 1), ("\u{31EF}", 2), ("䷀", 2),
  ])
  func `Scalars take the columns that wcwidth gives them`(text: String, columns: Int) throws {
    let scalar = try #require(text.unicodeScalars.first)
    #expect(DisplayWidth.columns(of: scalar) == columns, "U+\(String(scalar.value, radix: 16))")
  }

  @Test func `The table's ranges ascend and do not touch`() {
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

  @Test(.enabled(if: knowsUnicode17)) func `Unassigned code points are one column, but where Han is to come`() {
    var count = 0
    for value in UInt32(0x300)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory == .unassigned else { continue }
      count += 1
      let columns = Self.wideToCome.contains { $0.contains(value) } ? 2 : 1
      if DisplayWidth.columns(of: scalar) != columns { Issue.record("U+\(String(value, radix: 16))") }
    }
    #expect(count > 800_000)
  }

  @Test func `Flags, skin tones, families and conjoining jamo are laid out as the codes of their scalars`() {
    func shown(_ text: String) -> String { DisplayWidth.clusters(of: text).map(\.text).joined() }
    #expect(shown("🇩🇪") == #"\u{1F1E9}\u{1F1EA}"#)
    #expect(shown("👍🏽") == #"\u{1F44D}\u{1F3FD}"#)
    #expect(shown("👨\u{200D}👧") == #"\u{1F468}\u{200D}\u{1F467}"#)
    #expect(shown("\u{1100}\u{1161}") == #"\u{1100}\u{1161}"#)
    #expect(DisplayWidth.columns(of: "👨\u{200D}👧") == 9 + 8 + 9)
    #expect(DisplayWidth.columns(of: "❤\u{FE0F}") == 1 + 8)
  }

  @Test func `A base takes four combining scalars; the fifth, and one without a base, stand on a dotted circle`() {
    let clusters = DisplayWidth.clusters(of: "e\u{301}")
    #expect(clusters.map(\.columns) == [1])
    #expect(clusters.first?.text.unicodeScalars.count == 2)
    let stacked = DisplayWidth.clusters(of: "z" + String(repeating: "\u{301}", count: 9))
    #expect(stacked.map { $0.text.unicodeScalars.count } == [5, 5, 2])
    #expect(stacked.dropFirst().allSatisfy { $0.text.unicodeScalars.first == "\u{25CC}" })
    #expect(DisplayWidth.clusters(of: "\u{301}").map(\.columns) == [1])
  }

  @Test func `No cluster has a hidden scalar or more than one base`() {
    var random = SeededGenerator(seed: 3)
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

@Suite("Certain widths") struct CertainWidthTests {
  @Test(arguments: [
    "Zoë Straße", "e\u{301}", "Ελλάδα", "Київ", "漢字かなカナｶｆ", "한국어", "שָׁלוֹם", "مَرْحَبًا", "ไทยที่นี่", "हुन", "ქართული",
    "Հայ", "አማርኛ", "─│┌✓✗▲≠→…“”", "❤☺♥☀", "𝒜𐍈", "①", "𠀀",
  ])
  func `What people write in is certain`(text: String) {
    #expect(text.unicodeScalars.allSatisfy(DisplayText.hasCertainWidth))
  }

  @Test(
    arguments: [
      "😀", "⌚", "\u{1F1E9}", "\u{1F3FD}", "\u{93F}", "\u{94D}", "\u{E33}", "\u{FF9E}", "\u{1100}", "\u{1161}",
      "\u{11A8}", "䷀", "☰", "㉈",
      "𝌀", "\u{1FAE8}", "\u{897}", "\u{1F93B}",
    ] as [Unicode.Scalar])
  func `What terminals disagree about is not`(scalar: Unicode.Scalar) {
    #expect(!DisplayText.hasCertainWidth(scalar))
    #expect(!DisplayText.isShown(scalar, ascii: false))
  }

  @Test func `What is known without looking up properties follows the rule`() {
    for range in DisplayText.commonRanges {
      let wrong = range.compactMap(Unicode.Scalar.init).filter { !DisplayText.isCertainByRule($0) }
      #expect(wrong.isEmpty)
    }
  }

  @Test func `Whatever takes a column is a character by itself, and whatever takes none joins the one before`() {
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

@Suite("Cells without strings") struct PlainTextTests {
  @Test func `a cell keeps its base and all four that combine with it`() {
    let text = "e\u{301}\u{302}\u{303}\u{304}"
    #expect(Cell(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(Cell(text) != Cell("e\u{301}\u{302}\u{303}\u{305}"))
  }
}
