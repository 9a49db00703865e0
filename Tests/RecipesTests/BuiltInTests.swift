/// A recipe that is shipped: its file in `Recipes`, and the Swift that is made from it.
struct BuiltIn: CustomTestStringConvertible, Sendable {
  var recipe: Recipe
  var declaration: String
  var source: String

  static let all = [
    BuiltIn(
      recipe: .rudderStackObjC, declaration: "public static let rudderStackObjC", source: "RudderStack/ObjCRecipe"),
    BuiltIn(
      recipe: .rudderStackSwiftV2, declaration: "public static let rudderStackSwiftV2", source: "RudderStack/BetaRecipe"
    ),
    BuiltIn(recipe: .convertIOS, declaration: "public static let convertIOS", source: "Convert/ConvertRecipe"),
    BuiltIn(recipe: .mixpanelObjC, declaration: "package static let mixpanelObjC", source: "Mixpanel/MixpanelRecipe"),
    BuiltIn(
      recipe: .amplitudeObjC, declaration: "package static let amplitudeObjC", source: "Amplitude/AmplitudeRecipe"),
    BuiltIn(recipe: .segmentObjC, declaration: "package static let segmentObjC", source: "Segment/SegmentRecipe"),
    BuiltIn(
      recipe: .segmentToRudderStack, declaration: "package static let segmentToRudderStack",
      source: "Segment/SegmentToRudderStackRecipe"),
    BuiltIn(
      recipe: .mixpanelToRudderStack, declaration: "package static let mixpanelToRudderStack",
      source: "Mixpanel/MixpanelToRudderStackRecipe"),
    BuiltIn(recipe: .snowplowObjC, declaration: "package static let snowplowObjC", source: "Snowplow/SnowplowRecipe"),
    BuiltIn(
      recipe: .postHogBefore320, declaration: "package static let postHogBefore320", source: "PostHog/PostHogRecipe"),
    BuiltIn(
      recipe: .amplitudeToPostHog, declaration: "package static let amplitudeToPostHog",
      source: "Amplitude/AmplitudeToPostHogRecipe"),
    BuiltIn(recipe: .statsigToFile, declaration: "package static let statsigToFile", source: "Statsig/StatsigRecipe"),
    BuiltIn(recipe: .person, declaration: "package static let person", source: "Person/PersonRecipe"),
  ]

  var fileName: String { recipe.reference.id + ".recipe.yaml" }
  var testDescription: String { recipe.reference.id }

  func bytes() throws -> [UInt8] {
    Array(try Data(contentsOf: packageRoot.appendingPathComponent("Recipes/\(fileName)")))
  }
}

@Suite("The built-in recipes as files") struct BuiltInTests {
  /// With `CARRYOVER_WRITE_RECIPES`, the Swift is made again, which takes effect in the next build.
  @Test(arguments: BuiltIn.all)
  func `a file says the same as the recipe that is compiled from it`(_ builtIn: BuiltIn) throws {
    let read = RecipeFile.read(try builtIn.bytes(), vendors: vendors)
    #expect(read.issues == [])
    let file = try #require(read.file)
    guard ProcessInfo.processInfo.environment["CARRYOVER_WRITE_RECIPES"] == nil else {
      let path = packageRoot.appendingPathComponent("Sources/CarryoverVendors/\(builtIn.source).swift")
      try Data(RecipeSource(file: file, declaration: builtIn.declaration).text(fileName: builtIn.fileName).utf8)
        .write(to: path)
      return
    }
    #expect(file.recipe == builtIn.recipe)
  }

  @Test func `every built-in recipe says how the app prevents the losses; code in fences keeps its lines`() {
    for recipe in Recipe.builtIn {
      let text = recipe.inTheApp ?? ""
      #expect(text.contains { !$0.isWhitespace }, "\(recipe.reference.id)")
      #expect(recipe.lines.contains("In the app:"))
    }
    #expect(Recipe.segmentObjC.inTheApp?.contains("segmentio.userId") == true, "where the ids are")
    #expect(
      Paragraph.all(of: "One\nline.\n\n```swift\nlet a = 1\n\n  .b()\n```\nMore.")
        == [.words("One line."), .code(["let a = 1", "", "  .b()"]), .words("More.")])
    #expect(Paragraph.all(of: "```\nopen") == [.code(["open"])] && Paragraph.all(of: "\n\n").isEmpty)
  }

  @Test func `every built-in recipe has a file, and every file is a built-in recipe`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: packageRoot.appendingPathComponent("Recipes").path)
    #expect(
      files.filter { $0.hasSuffix(".recipe.yaml") }.sorted()
        == Recipe.builtIn.map { $0.reference.id + ".recipe.yaml" }.sorted())
    #expect(Set(BuiltIn.all.map(\.recipe)) == Set(Recipe.builtIn))
  }
}

@Suite("The writer of recipe files") struct YAMLWriterTests {
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
    var random = SeededGenerator(seed: 42)
    return (0..<2000).map { _ in
      (0...random.roll(5)).map { _ in String(hostile[random.roll(hostile.count)].prefix(12)) }.joined()
    }
  }()

  @Test func `every text is read back as it was, as a value and as a key, in brackets and on lines of its own`() {
    for text in Self.hostile + Self.mixed {
      let value = RecipeNode(.text(text))
      expectReadBack(value)
      expectReadBack([value, value])
      expectReadBack(.init(.map([.init(text, value)])))
      expectReadBack(["a": [["b": [["c": value], .init(.map([.init(text, [value])]))]]]])
    }
  }

  @Test func `every kind of value is read back as it was, at any depth, and comments are not values`() {
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

  @Test func `a wide list has a line for each item, and a narrow one is on one line`() {
    let word = String(repeating: "w", count: 30)
    #expect(YAMLWriter.text(["a": ["b", "c"], "d": [["e": "f"]]]) == "a: [b, c]\nd: [{e: f}]\n")
    let wide: RecipeNode = ["a": .init(.list(Array(repeating: .init(.text(word)), count: 4)))]
    #expect(YAMLWriter.text(wide) == "a:\n" + String(repeating: "  - \(word)\n", count: 4))
  }

  @Test func `every type of a property list that tests can have is read back as it was, and no other`() throws {
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

  @Test(arguments: BuiltIn.all)
  func `the built-in recipes are written as recipes that say the same`(_ builtIn: BuiltIn) throws {
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

@Suite("The reader of recipe files") struct ReaderTests {
  private static func codes(_ text: String) -> [String] { codes(Array(text.utf8)) }

  private static func codes(_ bytes: [UInt8]) -> [String] {
    RecipeReader.read(bytes).issues.map { "\($0.code.rawValue) \($0.place.line):\($0.place.column)" }
  }

  @Test(arguments: [
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
  func `what is refused has a code, a line and a column`(_ text: String, _ issue: String) {
    #expect(Self.codes(text) == [issue])
  }

  @Test func `the limits of size, line, depth and number hold, one below them too`() {
    func lines(_ count: Int) -> String { (0..<count).map { "k\($0): v" }.joined(separator: "\n") }
    #expect(Self.codes([UInt8](repeating: 0x23, count: 256 * 1024 + 1)) == ["R005 1:1"])
    #expect(Self.codes("a: " + String(repeating: "b", count: 4093)) == [])
    #expect(Self.codes("a: " + String(repeating: "b", count: 4094)) == ["R005 1:4097"])
    let deep = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    #expect(Self.codes(deep(24)) == [] && Self.codes(deep(25)) == ["R005 1:25"])
    #expect(Self.codes(lines(9_999)) == [] && Self.codes(lines(10_000)) == ["R005 10000:8"])
    #expect(Self.codes(deep(100_000).prefix(4096).description) == ["R005 1:25"])
  }

  @Test func `every type of value is read, with its place`() throws {
    let text = "a: text\nb: 12345678901234567890\nc: -0.5e3\nd: true\ne: [x, \"1\"]\nf: {g: 'h'}\ni: |-\n  j\n  k\n"
    let (root, issues) = RecipeReader.read(Array(text.utf8))
    #expect(issues == [])
    guard case .map(let entries)? = root?.content else { return #expect(Bool(false), "no map") }
    #expect(entries.map(\.key) == ["a", "b", "c", "d", "e", "f", "i"])
    #expect(entries.map(\.place.line) == [1, 2, 3, 4, 5, 6, 7])
    #expect(entries[0].value.content == .text("text") && entries[0].value.place == TextPlace(line: 1, column: 4))
    #expect(entries[1].value.content == .integer("12345678901234567890"))
    #expect(entries[2].value.content == .decimal("-0.5e3") && entries[3].value.content == .boolean(true))
    guard case .list(let items) = entries[4].value.content else { return #expect(Bool(false), "no list") }
    #expect(items.map(\.content) == [.text("x"), .text("1")] && items[1].place == TextPlace(line: 5, column: 8))
    #expect(entries[6].value.content == .text("j\nk"))
  }

  @Test func `JSON's pairs of surrogates are read, places after them are right; lone ones are refused`() {
    let json = #"{"a\ud83d\ude00": "é\uD83D\uDE00\ude00x", "b": "\ud83d\ude00"}"#
    let pair = RecipeReader.read(Array(json.replacing(#"\ude00x"#, with: "x").utf8))
    #expect(pair.issues.isEmpty)
    guard case .map(let entries)? = pair.root?.content else { return #expect(Bool(false), "no map") }
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

  @Test func `JSON is read too, over several lines`() {
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
