import CarryoverRecipes
import Testing

@Suite("The reader of recipe files")
struct ReaderTests {
  private static func codes(_ text: String) -> [String] { codes(Array(text.utf8)) }

  /// The issues as `R004 2:1`.
  private static func codes(_ bytes: [UInt8]) -> [String] {
    RecipeReader.read(bytes).issues.map { "\($0.code.rawValue) \($0.place.line):\($0.place.column)" }
  }

  @Test(
    "what is refused has a code, a line and a column",
    arguments: [
      ("a: \u{202E}b", "R001 1:4"), ("a: b\rc: d", "R001 1:6"), ("\u{FEFF}a: b", "R001 1:1"), ("a: \u{0}", "R001 1:4"),
      ("a: b\n\tc: d", "R002 2:1"), ("a: &x b", "R003 1:4"), ("a: *x", "R003 1:4"), ("a: !!str b", "R003 1:4"),
      ("<<: {a: b}", "R003 1:1"), ("a: b\na: c", "R004 2:1"), ("a: b\n---\nc: d", "R006 2:1"),
      ("%YAML 1.2\n---\na: b", "R006 1:1"),
      (#"a: "\q""#, "R007 1:5"), ("a: b\nc: \"d", "R008 2:4"), ("a: [b,\n  c]", "R009 1:4"), ("a: b\n  c", "R009 1:4"),
      ("a: 'b\n  c'", "R009 1:4"), ("a: |2\n   b", "R009 1:4"), ("a:", "R013 1:3"), ("a: ~", "R013 1:4"),
      ("a: null", "R013 1:4"),
      ("a: yes", "R014 1:4"), ("a: 1:30", "R014 1:4"), ("a: 2025-11-20", "R014 1:4"), ("a: b: c", "R015 1:5"),
      ("", "R015 1:1"),
      ("? [a]\n: b", "R015 1:3"), ("a: 007", "R016 1:4"), ("a: +1", "R016 1:4"), ("a: 0x1f", "R016 1:4"),
      ("a: TRUE", "R016 1:4"),
      ("a: .inf", "R016 1:4"), ("a: [b?]", "R016 1:5"), ("1: a", "R016 1:1"),
    ])
  func refusals(_ text: String, _ issue: String) {
    #expect(Self.codes(text) == [issue])
  }

  @Test("the limits of size, line, depth and number hold, one below them too")
  func limits() {
    func lines(_ count: Int) -> String { (0..<count).map { "k\($0): v" }.joined(separator: "\n") }
    #expect(Self.codes([UInt8](repeating: 0x23, count: 256 * 1024 + 1)) == ["R005 1:1"])
    #expect(Self.codes("a: " + String(repeating: "b", count: 4093)) == [])
    #expect(Self.codes("a: " + String(repeating: "b", count: 4094)) == ["R005 1:4097"])
    let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    #expect(Self.codes(deep(24)) == [] && Self.codes(deep(25)) == ["R005 1:25"])
    #expect(Self.codes(lines(9_999)) == [] && Self.codes(lines(10_000)) == ["R005 10000:8"])
    #expect(Self.codes(deep(100_000).prefix(4096).description) == ["R005 1:25"])
  }

  @Test("every type of value is read, with its place")
  func values() throws {
    let text = "a: text\nb: 12345678901234567890\nc: -0.5e3\nd: true\ne: [x, \"1\"]\nf: {g: 'h'}\ni: |-\n  j\n  k\n"
    let (root, issues) = RecipeReader.read(Array(text.utf8))
    #expect(issues == [])
    guard case .map(let entries)? = root?.content else {
      Issue.record("no map")
      return
    }
    #expect(entries.map(\.key) == ["a", "b", "c", "d", "e", "f", "i"])
    #expect(entries.map(\.place.line) == [1, 2, 3, 4, 5, 6, 7])
    #expect(entries[0].value.content == .text("text") && entries[0].value.place == TextPlace(line: 1, column: 4))
    #expect(entries[1].value.content == .integer("12345678901234567890"))
    #expect(entries[2].value.content == .decimal("-0.5e3") && entries[3].value.content == .boolean(true))
    guard case .list(let items) = entries[4].value.content else {
      Issue.record("no list")
      return
    }
    #expect(items.map(\.content) == [.text("x"), .text("1")] && items[1].place == TextPlace(line: 5, column: 8))
    #expect(entries[6].value.content == .text("j\nk"))
  }

  @Test("JSON's pairs of surrogates are read, and places after them are those of the file; lone surrogates are refused")
  func surrogatePairs() {
    let json = #"{"a\ud83d\ude00": "é\uD83D\uDE00\ude00x", "b": "\ud83d\ude00"}"#
    let pair = RecipeReader.read(Array(json.replacing(#"\ude00x"#, with: "x").utf8))
    #expect(pair.issues.isEmpty)
    guard case .map(let entries)? = pair.root?.content else {
      Issue.record("no map")
      return
    }
    #expect(entries.map(\.key) == ["a😀", "b"])
    #expect(entries.map(\.value.content) == [.text("é😀x"), .text("😀")])
    #expect(entries.map(\.place.column) == [2, 37] && entries.map(\.value.place.column) == [19, 42])
    #expect(Self.codes(json) == ["R007 1:35"])
    for lone in [#"{"a": "\ud83d"}"#, #"{"a": "\ud83dx\ude00"}"#, #"{"a": "\ude00\ud83d"}"#] {
      #expect(Self.codes(lone).map { String($0.prefix(6)) } == ["R007 1"], "\(lone)")
    }
    // Backslashes that are no escapes, and YAML, which has no pairs.
    #expect(Self.codes(#"{"a": "\\ud83d\\ude00"}"#) == [])
    #expect(Self.codes(#"a: "\ud83d\ude00""#) == ["R007 1:7"])
    #expect(Self.codes(#"{"a": '\ud83d\ude00'}"#) == [])
  }

  @Test("JSON is read too, over several lines")
  func json() {
    let (root, issues) = RecipeReader.read(Array("{\n  \"a\": [1,\n  \"\\u0041\"]\n}".utf8))
    #expect(issues == [])
    let yaml = RecipeReader.read(Array("a: [1, A]".utf8)).root
    func plain(_ node: RecipeNode?) -> String {
      switch node?.content {
      case .map(let entries): "{" + entries.map { "\($0.key): \(plain($0.value))" }.joined() + "}"
      case .list(let items): "[" + items.map(plain).joined(separator: ", ") + "]"
      case let other?: "\(other)"
      case nil: "nothing"
      }
    }
    #expect(plain(root) == plain(yaml))
  }
}
