import Carryover
import CarryoverRecipes
import CarryoverVendors
import Foundation
import PropertyLists
import Testing

@Suite("The layout of recipe files")
struct RecipeFormatterTests {
  private let formatter: RecipeFormatter
  /// Without a schema, keys stay in their order.
  private let plain = RecipeFormatter(schema: .object([]))

  init() throws {
    let schema = BuiltIn.repository.appendingPathComponent("Documentation/Schemas/recipe-1.json")
    formatter = RecipeFormatter(schema: try JSONText(String(contentsOf: schema, encoding: .utf8)).value)
  }

  private func text(_ text: String) -> String? {
    formatter.text(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("the built-in recipes are laid out already", arguments: BuiltIn.all)
  func builtIn(_ builtIn: BuiltIn) throws {
    let bytes = try builtIn.bytes()
    let formatted = try #require(formatter.recipe(bytes, vendors: vendors))
    #expect(String(decoding: formatted, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
  }

  @Test("keys come in the schema's order, each with its comments; unknown keys come last")
  func order() {
    let before = """
      # The file.

      title:   "A title"   # beside the title
      x-tool: {b: 1, a: 2}
      # above the id,
      #   in two lines
      "id": 'abc'


      carryover: recipe/1
      fields:
      - form: string
        # above the key
        key: b  # beside the key
        from: [ {steps: [text],key: "${token}"} ]
        # at the end of the field
      # above the second field
      -   key: c
          from:
             - {key: d}
             # below the sources
          form: "string"
      # the end

      """
    let after = """
      # The file.

      carryover: recipe/1
      # above the id,
      #   in two lines
      id: abc
      title: A title  # beside the title
      fields:
        # above the key
        - key: b  # beside the key
          form: string
          from: [{key: "${token}", steps: [text]}]
          # at the end of the field
        # above the second field
        - key: c
          form: string
          from:
            - {key: d}
            # below the sources
      x-tool: {b: 1, a: 2}
      # the end

      """
    #expect(text(before) == after)
    #expect(text(after) == after)
  }

  @Test("a comment stays where it is, wherever it is allowed")
  func comments() {
    for (before, after) in [
      ("a: # on the key\n  b: 1\n", "a:  # on the key\n  b: 1\n"),
      ("a:\n  # above the value\n  1\nb: 2\n", "# above the value\na: 1\nb: 2\n"),
      ("a: # on the key\n  1 # on the value\n", "# on the key\na: 1  # on the value\n"),
      ("- # on the dash\n  a: 1\n", "# on the dash\n- a: 1\n"),
      ("a: |- # on the bar\n   x\n    # text\nb: 1\n", "a: |-  # on the bar\n  x\n   # text\nb: 1\n"),
      ("--- # on the marker\na: 1\n...\n", "# on the marker\na: 1\n"), ("a: 'x # y' # z\n", "a: \"x # y\"  # z\n"),
      ("a: x#y\n", "a: x#y\n"), ("? a # on the key\n: 1\n", "# on the key\na: 1\n"), ("a: [b]#c", "a: [b]  #c\n"),
      ("a: |\n  x", "a: |-\n  x\n"), ("a: \"x\"#c", "a: x  #c\n"),
      ("a:\n- 1\n# about b\nb: 2\n", "a:\n  - 1\n# about b\nb: 2\n"),
      ("a:\n- 1\n # below\nb: 2\n", "a:\n  - 1\n  # below\nb: 2\n"),
      ("a: 1\n\n\n\n# x\n\n\n# y\n\n\n", "a: 1\n\n# x\n\n# y\n"),
      ("# c\n\n-\n  a:\n\n    1\n", "# c\n\n- a: 1\n"),
      ("# only\n\n\na: 1", "# only\n\na: 1\n"), ("a: 1\r\n# x\r\nb: 2\r\n", "a: 1\n# x\nb: 2\n"),
    ] as [(String, String)] {
      let formatted = plain.text(Array(before.utf8)).map { String(decoding: $0, as: UTF8.self) }
      #expect(formatted == after, "\(before)")
      #expect(plain.text(Array(after.utf8)) == Array(after.utf8), "\(after)")
    }
  }

  @Test("text over several lines keeps each of its blanks, and blank lines after it are not part of it")
  func blocks() {
    let before = "a: |\n     x\n       y\n\n     z  \n\n\nb:\n - >-\n   one\n   two\n       \n - c: |-\n     last"
    let after = "a: |\n  x\n    y\n\n  z  \n\nb:\n  - >-\n    one\n    two\n        \n  - c: |-\n      last\n"
    #expect(plain.text(Array(before.utf8)).map { String(decoding: $0, as: UTF8.self) } == after)
    #expect(plain.text(Array(after.utf8)) == Array(after.utf8))
    #expect(plain.text(Array("a: |\n\n\nb: 1\n".utf8)) == Array("a: |\n\nb: 1\n".utf8))
  }

  @Test("a list or a map in brackets is below its key if both are too wide for one line")
  func wide() {
    let items = "[\(Array(repeating: "item", count: 19).joined(separator: ", "))]"
    let short = "keys: \(items)\n"
    let long = "a key that is longer: \(items)\n"
    #expect(short.utf8.count == 121 && plain.text(Array(short.utf8)) == Array(short.utf8))
    let broken = "a key that is longer:\n  \(items)\n"
    #expect(plain.text(Array(long.utf8)) == Array(broken.utf8) && plain.text(Array(broken.utf8)) == Array(broken.utf8))
    // Laid out, the line would be longer than a file may have.
    let longest = "a: [\(Array(repeating: "b", count: 2040).joined(separator: ","))]\n"
    #expect(RecipeReader.read(Array(longest.utf8)).issues.isEmpty && plain.text(Array(longest.utf8)) == nil)
  }

  @Test("JSON stays JSON, and with a comment it is refused")
  func json() {
    let before = #"{"title":"a","id":'b',"fields":[{"form":"string","key":"k","from":[{"key":"\u202e"}]}], "x":[]}"#
    let after = """
      {
        "id": "b",
        "title": "a",
        "fields": [
          {
            "key": "k",
            "form": "string",
            "from": [
              {"key": "\\u202e"}
            ]
          }
        ],
        "x": []
      }

      """
    #expect(text(before) == after)
    #expect(text(after) == after)
    #expect(text("# a comment\n" + before) == nil)
  }

  @Test("a text with errors is refused")
  func errors() {
    for text in [
      "", "a", "a: b: c", "a: [", "a: &x 1", "a: 1\na: 2", "\ta: 1", "a: \u{FEFF}", "a: ~", "a: 1\n---\nb: 1",
    ] {
      let isValid = RecipeReader.read(Array(text.utf8)).issues.isEmpty && !text.isEmpty
      #expect((plain.text(Array(text.utf8)) != nil) == isValid, "\(text)")
    }
    #expect(formatter.recipe(Array("a: 1\n".utf8), vendors: vendors) == nil, "not a recipe")
  }

  @Test("every generated text is laid out, once and for all, with the same values and comments")
  func generated() throws {
    for seed in 0..<1500 {
      var maker = TextMaker(seed: UInt64(seed))
      let before = maker.text()
      let bytes = Array(before.utf8)
      #expect(RecipeReader.read(bytes).issues.isEmpty, "\(before)")
      let formatted = try #require(plain.text(bytes), "\(before)")
      let after = String(decoding: formatted, as: UTF8.self)
      #expect(plain.text(formatted) == formatted, "\(before)\n\(after)")
      let (old, new) = (RecipeReader.read(bytes).root, RecipeReader.read(formatted).root)
      #expect(try YAMLNode(#require(old)) == YAMLNode(#require(new)), "\(before)\n\(after)")
      #expect(!after.contains("\n\n\n") || before.contains("|") || before.contains(">"))
      let lines = after.split(separator: "\n").map(String.init)
      for (comment, key) in maker.notes {
        let place = try #require(lines.firstIndex { $0.hasSuffix(comment) }, "\(comment) is lost:\n\(before)\n\(after)")
        guard let key else { continue }
        let next = lines[place...].first { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("#") }
        #expect(next?.contains(key) == true, "\(comment) is no longer at \(key):\n\(before)\n\(after)")
      }
    }
  }

  @Test("whatever the bytes are, the result is the same recipe or none")
  func mutated() throws {
    let original = try BuiltIn.all[9].bytes()
    var random = TextMaker(seed: 7)
    let pieces: [[UInt8]] = [
      "#", " #", "\n", "\n\n", " ", "  ", "- ", ":", "'", "\"", "|", "|-\n", "[", "]", "{", "}", "\r\n", "---\n", "? ",
      "é",
    ]
    .map { Array($0.utf8) }
    var changed = 0
    for _ in 0..<500 {
      var bytes = original
      for _ in 0...random.next(2) {
        let place = random.next(bytes.count)
        let end = min(bytes.count, place + random.next(3))
        bytes.replaceSubrange(place..<end, with: pieces[random.next(pieces.count)])
      }
      guard let formatted = formatter.recipe(bytes, vendors: vendors) else { continue }
      let (old, new) = (RecipeFile.read(bytes, vendors: vendors), RecipeFile.read(formatted, vendors: vendors))
      #expect(old.file?.recipe == new.file?.recipe && new.file != nil)
      #expect(old.file?.tests.map(\.given) == new.file?.tests.map(\.given))
      #expect(formatter.recipe(formatted, vendors: vendors) == formatted)
      changed += formatted == bytes ? 0 : 1
    }
    #expect(changed > 5)
  }
}

/// Makes untidy texts in the YAML of recipes, the same for the same seed.
private struct TextMaker {
  private var state: UInt64
  private var count = 0
  /// Comments, each with the key that the next line after it has; nil where that can be another one.
  private(set) var notes: [(comment: String, key: String?)] = []

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  mutating func text() -> String {
    let end = next(3) == 0 ? ["", "# end"] : []
    if !end.isEmpty { notes.append(("# end", nil)) }
    return ((next(5) == 0 ? ["---"] : []) + map(0, depth: 0, isInline: false) + end).joined(separator: "\n")
      + (next(3) == 0 ? "" : "\n")
  }

  private mutating func name(_ prefix: String) -> String {
    count += 1
    return "\(prefix)\(count)-"
  }

  private static func margin(_ columns: Int) -> String { String(repeating: " ", count: columns) }

  /// - Parameter isInline: whether the first line follows a dash.
  private mutating func map(_ indent: Int, depth: Int, isInline: Bool) -> [String] {
    var lines: [String] = []
    for index in 0...next(3) {
      let key = name("k")
      if index > 0 || !isInline { lines += above(indent, key) }
      let written = [key, "'\(key)'", "\"\(key)\""][next(3)]
      let start = Self.margin(indent) + written + ":"
      switch next(depth < 4 ? 8 : 5) {
      case 0, 1: lines.append(start + gap() + scalar() + beside(key))
      case 2: lines.append(start + gap() + flow(0) + beside(key))
      case 3: lines += [start + " " + ["|", "|-", ">", ">-"][next(4)] + beside(key)] + block(indent + 1 + next(4))
      case 4: lines += [start] + (next(3) == 0 ? [""] : []) + [Self.margin(indent + 1 + next(3)) + scalar()]
      case 5: lines += [start + beside(key)] + map(indent + 1 + next(4), depth: depth + 1, isInline: false)
      default: lines += [start + beside(key)] + list(indent + next(4), depth: depth + 1)
      }
    }
    return lines
  }

  private mutating func list(_ indent: Int, depth: Int) -> [String] {
    (0...next(2)).flatMap { _ -> [String] in
      let dash = Self.margin(indent) + "-"
      let blanks = 1 + next(3)
      switch next(depth < 4 ? 4 : 2) {
      case 0:
        let item = name("i")
        return above(indent, item) + [dash + Self.margin(blanks) + item + beside(item)]
      case 1: return [dash + Self.margin(blanks) + flow(0)]
      case 2:
        var lines = map(indent + 1 + blanks, depth: depth + 1, isInline: true)
        lines[0] = dash + Self.margin(blanks) + lines[0].drop { $0 == " " }
        return lines
      default: return [dash] + map(indent + 1 + blanks, depth: depth + 1, isInline: false)
      }
    }
  }

  /// Blank lines and comments that belong to a key.
  private mutating func above(_ indent: Int, _ key: String) -> [String] {
    (0..<max(0, next(5) - 2)).map { _ in
      if next(3) == 0 { return Self.margin(next(2) * next(9)) }
      let comment = "#" + Self.margin(next(2)) + name("c")
      notes.append((comment, key))
      return Self.margin(indent) + comment
    }
  }

  private mutating func beside(_ key: String) -> String {
    guard next(4) == 0 else { return Self.margin(next(5) == 0 ? 2 : 0) }
    let comment = "# " + name("c") + "'\": - |"
    notes.append((comment, nil))
    return gap() + comment
  }

  private mutating func gap() -> String { Self.margin(1 + next(2) * next(4)) }

  private mutating func scalar() -> String {
    switch next(6) {
    case 0: "1"
    case 1: "true"
    case 2: "a b#c-${d}"
    case 3: "'it''s # no comment'"
    case 4: Self.json(YAMLWriterTests.hostile[next(YAMLWriterTests.hostile.count)])
    default: YAMLWriter.scalar(YAMLWriterTests.hostile[next(YAMLWriterTests.hostile.count)])
    }
  }

  /// A text as JSON has it, but for surrogate pairs, which YAML does not have.
  private static func json(_ text: String) -> String {
    let json = JSONValue.string(text).text(visible: true)
    return json.contains("\\ud") ? YAMLWriter.scalar(text) : json
  }

  private mutating func flow(_ depth: Int) -> String {
    let items = (0..<next(3)).map { _ in depth < 2 && next(3) == 0 ? flow(depth + 1) : YAMLWriter.scalar(name("f")) }
    let blank = Self.margin(next(2))
    return next(2) == 0
      ? "[\(blank)\(items.joined(separator: "," + blank))\(blank)]"
      : "{\(blank)\(items.map { "\(name("m")): \($0)" }.joined(separator: "," + blank))\(blank)}"
  }

  /// The lines of a text over several lines, of which the first one is not blank.
  private mutating func block(_ indent: Int) -> [String] {
    (0...next(3)).map { index in
      if index > 0, next(3) == 0 { return Self.margin(next(2) * next(indent + 3)) }
      return Self.margin(indent) + (index > 0 ? Self.margin(next(3)) : "") + ["text", "# text", "- a: b", "'"][next(4)]
    }
  }
}
