import CarryoverSystem
import Testing

@testable import CarryoverTerminal

@Suite("Escaping")
struct DisplayTextTests {
  @Test(
    "Every kind of hidden scalar is shown",
    arguments: [
      ("\n", #"\n"#), ("\t", #"\t"#), ("\r", #"\r"#), ("\r\n", #"\r\n"#), ("\u{0}", #"\u{0}"#),
      ("\u{1B}[31m", #"\u{1B}[31m"#), ("\u{7F}", #"\u{7F}"#), ("\u{9B}", #"\u{9B}"#), ("\u{202E}", #"\u{202E}"#),
      ("\u{2066}", #"\u{2066}"#), ("\u{200B}", #"\u{200B}"#), ("\u{200D}", #"\u{200D}"#), ("\u{FEFF}", #"\u{FEFF}"#),
      ("\u{AD}", #"\u{AD}"#), ("\u{2028}", #"\u{2028}"#), ("\u{2029}", #"\u{2029}"#), ("\u{E000}", #"\u{E000}"#),
      ("\u{F0000}", #"\u{F0000}"#), ("\u{10FFFF}", #"\u{10FFFF}"#), ("\u{FFFF}", #"\u{FFFF}"#),
      ("\u{378}", #"\u{378}"#), ("\u{E0041}", #"\u{E0041}"#), ("\u{FE0F}", #"\u{FE0F}"#), ("\u{3164}", #"\u{3164}"#),
      ("\u{34F}", #"\u{34F}"#), ("\u{A0}", #"\u{A0}"#), ("\u{2003}", #"\u{2003}"#), ("😀", #"\u{1F600}"#),
    ])
  func hidden(text: String, expected: String) {
    #expect(DisplayText.visible("a" + text + "b") == "a" + expected + "b")
  }

  @Test(
    "Visible text stays as it is",
    arguments: ["", "plain", "é ü 漢字 가 ❤ Ω", "e\u{301}", "a\u{3000}b", #"https:\/\/a.b\/c"#, #"C:\Acme"#, #"end\"#])
  func untouched(text: String) {
    #expect(DisplayText.visible(text).unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test(
    "A backslash is doubled only where it would read as an escape",
    arguments: [
      (#"\n"#, #"\\n"#), (#"\u{41}"#, #"\\u{41}"#), (#"\u00e9"#, #"\u00e9"#), (#"\\"#, #"\\\"#), (#"\\n"#, #"\\\\n"#),
      ("\\\n", #"\\\n"#), ("\\\u{1B}", #"\\\u{1B}"#), (#"\x"#, #"\x"#), (#"\u\n"#, #"\u\\n"#), (#"\u"#, #"\u"#),
      (#"\tmp"#, #"\\tmp"#),
    ])
  func backslash(text: String, expected: String) {
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
        if let scalar = UInt32(String(digits), radix: 16).flatMap(Unicode.Scalar.init) {
          result.append(scalar)
        }
      default:
        result.append("\\")
        continue
      }
      rest.removeFirst()
    }
    return String(result)
  }

  @Test("No two texts look alike: what is shown can be read back")
  func readBack() {
    var random = RandomText(seed: 11)
    for _ in 0..<2000 {
      let text = random.text(upTo: 12)
      let shown = DisplayText.visible(text)
      #expect(unescaped(shown).unicodeScalars.elementsEqual(text.unicodeScalars))
      #expect(shown.unicodeScalars.allSatisfy { DisplayText.isShown($0, ascii: false) })
      #expect(DisplayText.visible(text, ascii: true).utf8.allSatisfy { (0x20..<0x7F).contains($0) })
    }
  }

  @Test(
    "a name is cut in its middle, and never wider than its limit",
    arguments: [
      ("rl_application_build_key", 21, "rl_applica…_build_key"), ("short", 5, "short"), ("abcdef", 5, "ab…ef"),
      ("漢字漢字", 6, "漢…字"), ("abc", 2, "a…"), ("abc", 0, ""), ("a\nb", 4, #"a\nb"#),
    ])
  func ends(text: String, limit: Int, expected: String) {
    #expect(DisplayText.visibleEnds(text, limit: limit) == expected)
    let long = String(repeating: "e\u{301}", count: 5000) + text
    #expect(DisplayWidth.columns(of: DisplayText.visibleEnds(long, limit: limit)) <= limit)
  }

  @Test("A limit cuts to columns with an ellipsis and agrees with the whole")
  func limit() {
    #expect(DisplayText.visible("a\nb", limit: 4) == #"a\nb"#)
    #expect(DisplayText.visible("a\nbc", limit: 4) == #"a\n…"#)
    #expect(DisplayText.visible("漢字", limit: 3) == "漢…")
    #expect(DisplayText.visible("abc", limit: 0) == "")
    #expect(DisplayText.visible("é", limit: 3, ascii: true) == #"\u~"#)
    var random = RandomText(seed: 5)
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

  @Test("A limit reads no further than it shows")
  func bounded() {
    let long = String(repeating: "z\u{301}\u{301}\u{301}\u{301}\u{301}", count: 200_000)
    let clock = ContinuousClock()
    let whole = clock.measure { _ = DisplayWidth.columns(of: long) }
    // The best of several: a busy machine may interrupt one of them.
    let cuts = (0..<10).map { _ in
      clock.measure { #expect(DisplayWidth.columns(of: DisplayText.visible(long, limit: 40)) == 40) }
    }
    #expect(cuts.contains { $0 * 20 < whole })
  }

  @Test("A million hidden scalars are shown in time that grows with them", .timeLimit(.minutes(1)))
  func linear() {
    let text = String(repeating: "\u{200D}", count: 1_000_000)
    #expect(DisplayText.visible(text).utf8.count == 8_000_000)
  }

  @Test("Lines stay lines where text is printed after the screen; backslashes and emoji stay in what is copied")
  func otherForms() {
    #expect(DisplayText.visibleLines("a\u{1B}\nb\r\n") == "a\\u{1B}\nb\\r\n")
    #expect(DisplayText.harmless("\\n\n\u{1B}😀") == #"\n\n\u{1B}😀"#)
  }
}
