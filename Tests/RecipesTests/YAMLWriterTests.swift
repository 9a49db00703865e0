import Carryover
import CarryoverRecipes
import CarryoverVendors
import PropertyLists
import Testing

@Suite("The writer of recipe files")
struct YAMLWriterTests {
  /// Texts that a reader could take for something else, or that could pose as other text.
  static let hostile = [
    "", " ", "a ", " a", "a  b", "-", "- a", "--- a", "---", "...", "?", "? a", "a?", ":", "a: b", "a:", ": a", "#",
    "a #b", "a#b",
    "&a", "*a", "!a", "!!str a", "%YAML 1.2", "@a", "`a`", "|", ">", "|-", "[a]", "{a}", "a, b", "a]", "}", "<<", "=",
    "'", "''", "it's", "\"", "\"a\"", "a\"b'c", "\\", "a\\b'", #"{"a":"b\"c"}"#, "\\u0041", "null", "Null", "~", "true",
    "True", "FALSE", "yes", "No", "on", "OFF", "y", "N", "1", "-1", "+1", "007", "0x1f", "0o7", "0b1", "1_000", "1:30",
    "1.5", ".5", "5.", "1e3", ".inf", "-.INF", ".nan", "NaN", "2025-11-20", "2026-01-10T08:00:00Z", "${token}", "$a",
    "a\nb", "\n", "a\r\nb", "\t", "a\tb", "\u{0}", "\u{7}", "\u{1B}[31m", "\u{7F}", "\u{85}", "\u{A0}", "\u{AD}",
    "\u{200B}", "\u{200E}", "\u{202E}abc", "\u{2028}", "\u{2029}", "\u{2066}", "\u{FEFF}", "\u{FFFD}", "\u{FFFE}",
    "\u{E000}", "\u{E0041}", "\u{10FFFF}", "e\u{301}", "\u{301}", "é", "→", "日本", "\u{1F9EA}", "a.b", "a/b", "a-b",
    "a_b",
    String(repeating: "x", count: 900), String(repeating: "\"", count: 300),
  ]

  private static let mixed = {
    var state: UInt64 = 42
    func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    return (0..<2000).map { _ in (0...next(5)).map { _ in String(hostile[next(hostile.count)].prefix(12)) }.joined() }
  }()

  @Test("every text is read back as it was, as a value and as a key, in brackets and on lines of its own")
  func texts() {
    for text in Self.hostile + Self.mixed {
      let value = RecipeNode(.text(text))
      expectReadBack(value)
      expectReadBack([value, value])
      expectReadBack(.init(.map([.init(text, value)])))
      expectReadBack(["a": [["b": [["c": value], .init(.map([.init(text, [value])]))]]]])
    }
  }

  @Test("every kind of value is read back as it was, at any depth, and comments are not values")
  func kinds() {
    for number in ["0", "-1", "18446744073709551615"] { expectReadBack(.init(.integer(number))) }
    for number in ["0.5", "-1.5e-7", "1e+100"] { expectReadBack(.init(.decimal(number))) }
    for flag in [true, false] { expectReadBack(.init(.boolean(flag))) }
    expectReadBack([])
    expectReadBack([:])
    var deep: RecipeNode = "a"
    for level in 1..<23 { deep = level % 2 == 0 ? ["k": deep, "l": [:]] : [deep, []] }
    expectReadBack(deep)
    var noted: RecipeNode = ["a": ["b", "c"], "d": [["e": "f"]]]
    noted = .init(.map([.init("x", .init(noted.content, comments: ["", "A: note.", "\u{1B}\n- x: \u{202E}"]))]))
    expectReadBack(noted)
    expectReadBack([.init(.text("a"), comments: ["one", "two"]), "b"])
  }

  @Test("a wide list has a line for each item, and a narrow one is on one line")
  func layout() {
    let word = String(repeating: "w", count: 30)
    #expect(YAMLWriter.text(["a": ["b", "c"], "d": [["e": "f"]]]) == "a: [b, c]\nd: [{e: f}]\n")
    let wide: RecipeNode = ["a": .init(.list(Array(repeating: .init(.text(word)), count: 4)))]
    #expect(YAMLWriter.text(wide) == "a:\n" + String(repeating: "  - \(word)\n", count: 4))
  }

  @Test("every type of a property list that tests can have is read back as it was, and no other is written")
  func propertyLists() throws {
    let values: PropertyListDictionary = [
      "text": "1", "integer": .integer(PropertyListInteger(-5)), "real": 1.0, "small": .real(PropertyListReal(1e-300)),
      "flag": false, "date": .date(PropertyListDate(secondsSince2001: 0.25)), "data": .data([0, 255, 10]),
      "none": .data([]),
      "list": [1, ["a", []]], "map": ["a": ["data": "x", "b": 1]], "empty": [:],
    ]
    let node = try #require(RecipeNode(propertyList: .dictionary(values)))
    let recipe: RecipeNode = [
      "carryover": "recipe/1", "id": "abc", "version": .init(.integer("1")), "title": "t", "read": [["suite": "a"]],
      "write": ["suite": "b"], "detect": ["text"], "opt-out-keys": [],
      "fields": [["key": "text", "form": "string", "from": [["key": "text"]]]],
      "tests": [["name": "t", "given": ["Library/Preferences/a.plist": node], "expect": ["fields": [:]]]],
    ]
    let read = RecipeFile.read(Array(YAMLWriter.text(recipe).utf8), vendors: [])
    #expect(!read.issues.contains { $0.code.severity > .note })
    #expect(read.file?.tests.first?.given == ["Library/Preferences/a.plist": .propertyList(.dictionary(values))])
    let others: [PropertyListValue] = [
      .null, .uid(1), .set([]), .real(PropertyListReal(.nan)), .real(PropertyListReal(.infinity)),
      .date(PropertyListDate(secondsSince2001: .nan)), ["data": "AAAA"], ["real": 1], [["a": .null]],
    ]
    for value in others { #expect(RecipeNode(propertyList: value) == nil, "\(value)") }
  }

  @Test("the built-in recipes are written as recipes that say the same", arguments: BuiltIn.all)
  func builtIn(_ builtIn: BuiltIn) throws {
    let root = try #require(RecipeReader.read(try builtIn.bytes()).root)
    let read = RecipeFile.read(Array(YAMLWriter.text(root).utf8), vendors: vendors)
    #expect(read.issues == [] && read.file?.recipe == builtIn.recipe)
    #expect(
      try read.file?.tests.map(\.given) == RecipeFile.read(builtIn.bytes(), vendors: vendors).file?.tests.map(\.given))
  }

  private func expectReadBack(_ node: RecipeNode, _ location: SourceLocation = #_sourceLocation) {
    let text = YAMLWriter.text(node)
    let (root, issues) = RecipeReader.read(Array(text.utf8))
    #expect(issues.isEmpty, "\(issues) in \(text)", sourceLocation: location)
    #expect(root?.bare == node.bare, "\(text)", sourceLocation: location)
    #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
  }
}

extension RecipeNode {
  /// The value without places and comments.
  fileprivate var bare: RecipeNode {
    switch content {
    case .text, .integer, .decimal, .boolean: RecipeNode(content)
    case .list(let items): RecipeNode(.list(items.map(\.bare)))
    case .map(let entries): RecipeNode(.map(entries.map { Entry($0.key, $0.value.bare) }))
    }
  }
}
