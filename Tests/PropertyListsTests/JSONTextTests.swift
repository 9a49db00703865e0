@Suite("JSON text") struct JSONTextTests {
  private static func number(_ lexeme: String) -> JSONValue {
    JSONNumber(lexeme: lexeme).map(JSONValue.number) ?? .null
  }

  private func error(_ text: String, limits: JSONLimits = .default) -> JSONError? {
    let error = thrown { () throws(JSONError) in try JSONText(text, limits: limits) }
    #expect(error?.description.isEmpty != true)
    return error
  }

  @Test func `Values keep order, duplicates and the text of numbers`() throws {
    let text = #" {"z": 1.0, "a": [true, false, null, -0, 1E5, "x\n\u00e9\ud83d\ude00\/"], "z": {}} "#
    let json = try JSONText(text)
    #expect(
      json.value
        == .object([
          JSONMember("z", Self.number("1.0")),
          JSONMember("a", [true, false, .null, Self.number("-0"), Self.number("1E5"), "x\né😀/"]), JSONMember("z", [:]),
        ]))
    #expect(json.members.map(\.name) == ["z", "a", "z"])
    let bytes = Array(text.utf8)
    #expect(String(decoding: bytes[json.members[0].nameRange], as: UTF8.self) == #""z""#)
    #expect(String(decoding: bytes[json.members[2].valueRange], as: UTF8.self) == "{}")
    #expect(json.value["a"]?.elements?.count == 6)
  }

  @Test(arguments: [
    ("", "The JSON text is empty", 1, 1), ("  \n ", "The JSON text is empty", 1, 1),
    ("{\"a\":1,\n}", "“}” is not JSON at this place", 2, 1),
    ("[1,]", "“]” is not JSON at this place", 1, 4), ("[1 2]", "“2]” is not JSON at this place", 1, 4),
    ("nul", "“nul” is not JSON at this place", 1, 1),
    ("[\n  01]", "A number is not written as JSON wants it", 2, 3),
    ("1.", "A number is not written as JSON wants it", 1, 1), ("-", "A number is not written as JSON wants it", 1, 1),
    ("1e", "A number is not written as JSON wants it", 1, 1), ("+1", "“+1” is not JSON at this place", 1, 1),
    ("'a'", "“'a'” is not JSON at this place", 1, 1),
    ("\"a\nb\"", "A string has a control character that is not escaped", 1, 3),
    ("\"\\x\"", "A backslash in a string is not followed by a known escape", 1, 2),
    ("\"\\u12g4\"", "A backslash in a string is not followed by a known escape", 1, 2),
    ("{} x", "1 byte follows the end of the JSON value", 1, 4),
    ("[1", "The JSON text ends in the middle of a value", 1, 3),
    ("{\"a\"", "The JSON text ends in the middle of a value", 1, 5),
    ("{\"a\":", "The JSON text ends in the middle of a value", 1, 6),
    ("\"abc", "The JSON text ends in the middle of a value", 1, 5), ("{a:1}", "“a:1}” is not JSON at this place", 1, 2),
    ("{\"a\" 1}", "“1}” is not JSON at this place", 1, 6), ("NaN", "“NaN” is not JSON at this place", 1, 1),
    ("\"é\" 1", "1 byte follows the end of the JSON value", 1, 5),
    ("\u{FEFF}{}", "“\u{FEFF}{}” is not JSON at this place", 1, 1),
  ])
  func `What is no JSON is refused with line and column`(text: String, reason: String, line: Int, column: Int) {
    let error = error(text)
    #expect(error?.reason == reason)
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test(arguments: [true, false])
  func `A document that is written piece by piece has the bytes of the whole one`(pretty: Bool) {
    let document: JSONValue = [
      "schema": "x/1", "empty": [], "none": [:], "list": [1, [2, []], ["a": [:], "b": ["c\u{200B}"]]],
      "last": ["within": [true, .null]],
    ]
    var writer = JSONWriter(pretty: pretty, visible: true)
    var bytes: [UInt8] = []
    func write(_ value: JSONValue, depth: Int) {
      if let members = value.members, depth < 3 {
        writer.beginObject()
        for member in members {
          writer.name(member.name)
          write(member.value, depth: depth + 1)
        }
        writer.end()
      } else if let elements = value.elements, depth < 3 {
        writer.beginArray()
        for element in elements { write(element, depth: depth + 1) }
        writer.end()
      } else {
        writer.write(value)
      }
      bytes += writer.take()
      #expect(writer.count == 0)
    }
    write(document, depth: 0)
    #expect(String(decoding: bytes, as: UTF8.self) == document.text(pretty: pretty, visible: true))
  }

  @Test func `Bytes that are not UTF-8 are refused`() {
    for bytes: [UInt8] in [[0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFF], [0x22, 0xC0, 0x80, 0x22]] {
      #expect(throws: JSONError.self) { try JSONText(bytes: bytes) }
    }
  }

  @Test func `Depth, size and number of values are bounded`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[{\"a\":", count: depth / 2) + "1" + String(repeating: "}]", count: depth / 2)
    }
    #expect(error(nested(512)) == nil)
    #expect(error(nested(514))?.reason == "Arrays and objects nest deeper than 512 levels")
    #expect(error(String(repeating: "[", count: 1_000_000))?.reason == "Arrays and objects nest deeper than 512 levels")
    #expect(error("[1,2,3]", limits: JSONLimits(values: 3))?.reason == "The JSON text has more than 3 values")
    #expect(
      error("[1,2,3]", limits: JSONLimits(size: 3))?.reason == "The JSON text is longer than the limit of 3 bytes")
  }

  @Test func `Duplicates, lone surrogates and numbers that others would change are found`() throws {
    let json = try JSONText(
      """
      {"a": 1.0, "b": {"x": 1, "x": 2},
       "a": "\\ud800", "c": [1e400, 9223372036854775808, 0.1, 4.10, 12, -5],
       "d": 0.1234567890123456789}
      """)
    #expect(
      json.findings.map(\.kind) == [
        .numberNotPreserved("1.0"), .duplicateMember("x"), .duplicateMember("a"), .loneSurrogate,
        .numberOutOfRange("1e400"), .numberNotPreserved("9223372036854775808"), .numberNotPreserved("4.10"),
        .numberNotPreserved("0.1234567890123456789"),
      ])
    #expect(json.findings[2].line == 2)
    #expect(json.findings[2].column == 2)
    #expect(json.value.members?[2].value == "\u{FFFD}")
    #expect(json.findings.allSatisfy { !$0.description.isEmpty })
    let many = try JSONText("[1.0,1.0,1.0]", limits: JSONLimits(findings: 1))
    #expect(many.findings.last?.kind == .more(count: 2))
  }

  @Test func `Removing members keeps every other byte`() throws {
    let cases: [(String, Set<String>, String)] = [
      (#"{"a":1,"b":2,"c":3}"#, ["a"], #"{"b":2,"c":3}"#), (#"{"a":1,"b":2,"c":3}"#, ["b"], #"{"a":1,"c":3}"#),
      (#"{"a":1,"b":2,"c":3}"#, ["c"], #"{"a":1,"b":2}"#), (#"{"a":1,"b":2,"c":3}"#, ["a", "b"], #"{"c":3}"#),
      (#"{"a":1,"b":2,"c":3}"#, ["b", "c"], #"{"a":1}"#), (#"{"a":1,"b":2,"c":3}"#, ["a", "c"], #"{"b":2}"#),
      (#"{"a":1,"b":2,"c":3}"#, ["a", "b", "c"], "{}"), (#"{"a":1,"a":2}"#, ["a"], "{}"),
      ("{\n  \"a\": 1,\n  \"b\": 2.50\n}\n", ["a"], "{\n  \"b\": 2.50\n}\n"),
      ("{\n  \"a\": 1,\n  \"b\": 2.50\n}\n", ["b"], "{\n  \"a\": 1\n}\n"),
      (#"{"a\u0062":1, "c":"\/"}"#, ["ab"], #"{"c":"\/"}"#), (#"{"a":1}"#, ["b"], #"{"a":1}"#),
    ]
    for (text, names, expected) in cases { #expect(try JSONText(text).removingMembers(named: names) == expected) }
  }

  @Test func `Setting a member replaces its value or adds it in the style of the others`() throws {
    let cases: [(String, String, JSONValue, String)] = [
      (#"{"a":1,"b":2}"#, "a", "x\"y", #"{"a":"x\"y","b":2}"#), (#"{"a":1.0}"#, "a", Self.number("1.0"), #"{"a":1.0}"#),
      ("{}", "a", 1, #"{"a":1}"#), (#"{ "a": 1 }"#, "b", [true, .null], #"{ "a": 1, "b": [true,null] }"#),
      (#"{"a": 1, "b": 2}"#, "c", 3, #"{"a": 1, "b": 2, "c": 3}"#),
      ("{\n  \"a\": 1\n}", "b", 2, "{\n  \"a\": 1,\n  \"b\": 2\n}"),
      (#"{"a":1,"b":2,"a":3}"#, "a", 4, #"{"a":4,"b":2}"#),
    ]
    for (text, name, value, expected) in cases {
      #expect(try JSONText(text).settingMember(name, to: value) == expected)
    }
  }

  @Test func `a member of a member is read, set and removed by its path; every byte outside of it stays`() throws {
    let text = try JSONText(#" {"a" : {"b\/c" : [1.0, {}],"d":"\u00e9"} , "e":2 } "#)
    #expect(text.text(at: ["a", "b/c"]) == "[1.0, {}]" && text.text(at: ["a", "x"]) == nil)
    #expect(text.text(at: ["e", "x"]) == nil && text.text(at: []) == nil)
    #expect(try text.setting(["a", "b/c"], toText: "1.50") == #" {"a" : {"b\/c" : 1.50,"d":"\u00e9"} , "e":2 } "#)
    #expect(try text.setting(["a", "b/c"], toText: nil) == #" {"a" : {"d":"\u00e9"} , "e":2 } "#)
    #expect(try text.setting(["a", "x"], toText: nil) == text.text)
    #expect(
      try text.setting(["e", "x"], toText: "true") == #" {"a" : {"b\/c" : [1.0, {}],"d":"\u00e9"} , "e":{"x":true} } "#)
    #expect(throws: JSONError.self) { try text.setting(["e"], toText: "no") }
    // Of two members of one name the last counts, and one is left.
    #expect(
      try JSONText(#"{"a":{"x":1},"a":{"x":2,"y":3}}"#).setting(["a", "x"], toText: "4") == #"{"a":{"x":4,"y":3}}"#)
  }

  @Test func `Renaming a member changes its name only`() throws {
    #expect(
      try JSONText(#"{ "id" : 1.0, "x": {"id":2} }"#).renamingMember("id", to: "a\"b")
        == #"{ "a\"b" : 1.0, "x": {"id":2} }"#)
    #expect(try JSONText(#"{"a":1}"#).renamingMember("b", to: "c") == #"{"a":1}"#)
    #expect(try JSONText(#"{"\u0061":1}"#).renamingMember("a", to: "a") == #"{"\u0061":1}"#)
  }

  @Test func `A text without members is not edited`() throws {
    let json = try JSONText("[1]")
    let error = JSONError("The JSON value is not an object", at: PropertyListPosition(offset: 0))
    #expect(throws: error) { try json.removingMembers(named: ["a"]) }
    #expect(throws: error) { try json.settingMember("a", to: 1) }
    #expect(throws: error) { try json.renamingMember("a", to: "b") }
  }

  @Test func `Random edits: the text says what the value says, and other members keep their bytes`() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<(Extent.isFull ? 2_000 : 500) {
      let text = generator.jsonObject()
      let json = try JSONText(text)
      let members = json.value.members ?? []
      let names = Set((0..<generator.roll(4)).map { _ in "n\(generator.roll(6))" })
      let removed = try JSONText(json.removingMembers(named: names))
      #expect(removed.value == .object(members.filter { !names.contains($0.name) }))
      #expect(pieces(removed) == pieces(json).filter { !names.contains($0.name) })

      let name = "n\(generator.roll(8))"
      let set = try JSONText(json.settingMember(name, to: "new"))
      var expected: [JSONMember] = []
      for member in members where member.name != name || !expected.contains(where: { $0.name == name }) {
        expected.append(member.name == name ? JSONMember(name, "new") : member)
      }
      if !members.contains(where: { $0.name == name }) { expected.append(JSONMember(name, "new")) }
      #expect(set.value == .object(expected))
      #expect(pieces(set).filter { $0.name != name } == pieces(json).filter { $0.name != name })

      let renamed = try JSONText(json.renamingMember(name, to: "other"))
      #expect(renamed.value == .object(members.map { $0.name == name ? JSONMember("other", $0.value) : $0 }))
    }
  }

  private struct Piece: Equatable {
    let name: String
    let nameText: [UInt8]
    let valueText: [UInt8]
  }

  private func pieces(_ json: JSONText) -> [Piece] {
    let bytes = Array(json.text.utf8)
    return json.members.map {
      Piece(name: $0.name, nameText: Array(bytes[$0.nameRange]), valueText: Array(bytes[$0.valueRange]))
    }
  }

  @Test func `Thousands of damaged texts give a value that writes and reads back, or an error`() throws {
    var generator = SeededGenerator(seed: 5)
    var accepted = 0
    let count = Extent.isFull ? 20_000 : 4_000
    for _ in 0..<count {
      let bytes = generator.mutate(Array(generator.jsonObject().utf8))
      guard let json = try? JSONText(bytes: bytes) else { continue }
      accepted += 1
      #expect(try JSONText(json.value.text()).value == json.value)
    }
    #expect(accepted > count / 20 && accepted < count / 20 * 19)
  }
}

@Suite("Writing JSON") struct JSONWritingTests {
  @Test func `Strings are escaped for terminals and scripts`() {
    let value: JSONValue = "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1B}\u{7F}\u{9B}\u{2028}\u{2029}é😀"
    #expect(value.text() == #""\"\\/\b\f\n\r\t\u0000\u001b\u007f\u009b\u2028\u2029é😀""#)
  }

  @Test(arguments: [
    ("\u{202E}", #"\u202e"#), ("\u{200B}", #"\u200b"#), ("\u{FEFF}", #"\ufeff"#), ("\u{AD}", #"\u00ad"#),
    ("\u{85}", #"\u0085"#), ("\u{E000}", #"\ue000"#), ("\u{378}", #"\u0378"#), ("\u{E0041}", #"\udb40\udc41"#),
    ("\u{10FFFF}", #"\udbff\udfff"#), ("\u{2028}", #"\u2028"#), ("\u{7F}", #"\u007f"#), ("\"", #"\""#),
    ("漢가あéͷ😀e\u{301}", "漢가あéͷ😀e\u{301}"),
  ])
  func `What a terminal would obey or not show is escaped, and reads back`(text: String, expected: String) throws {
    for before in 0..<18 {
      let run = String(repeating: "x", count: before)
      let value = JSONValue.string(run + text + run)
      #expect(value.text().utf8.elementsEqual("\"\(run)\(expected)\(run)\"".utf8))
      #expect(try JSONText(value.text()).value == value)
    }
  }

  @Test(
    "Text that is looked at has nothing without a shape of its own, and reads back; other text keeps it",
    arguments: [
      ("❤\u{FE0F}", #"❤\ufe0f"#), ("\u{34F}", #"\u034f"#), ("\u{115F}", #"\u115f"#), ("\u{3164}", #"\u3164"#),
      ("\u{FFA0}", #"\uffa0"#), ("\u{A0}", #"\u00a0"#), ("\u{2003}", #"\u2003"#), ("\u{E0100}", #"\udb40\udd00"#),
      ("\u{17B4}", #"\u17b4"#), ("\u{180B}", #"\u180b"#),
    ])
  func shapelessScalars(text: String, expected: String) throws {
    let value: JSONValue = .object([JSONMember(text, [.string("a " + text + "\u{3000}é漢e\u{301}")])])
    let visible = value.text(visible: true)
    #expect(visible.utf8.elementsEqual("{\"\(expected)\":[\"a \(expected)\u{3000}é漢e\u{301}\"]}".utf8))
    #expect(try JSONText(visible).value == value)
    #expect(value.text().unicodeScalars.elementsEqual("{\"\(text)\":[\"a \(text)\u{3000}é漢e\u{301}\"]}".unicodeScalars))
  }

  @Test func `Every ASCII scalar is escaped or not wherever it stands in a run`() throws {
    for code in UInt8(0)..<128 {
      let plain = code >= 0x20 && code < 0x7F && code != 0x22 && code != 0x5C
      for place in 0..<9 {
        var bytes = Array(repeating: UInt8(ascii: " "), count: 16)
        bytes[place] = code
        let value = JSONValue.string(String(decoding: bytes, as: UTF8.self))
        #expect((value.text().utf8.count == 18) == plain)
        #expect(try JSONText(value.text()).value == value)
      }
    }
  }

  @Test func `Objects keep the order given; pretty text is indented by two`() {
    let value: JSONValue = ["schema": "x/1", "n": 5, "r": 1.5, "list": [1, [], [:]], "none": .null, "b": true]
    #expect(value.text() == #"{"schema":"x/1","n":5,"r":1.5,"list":[1,[],{}],"none":null,"b":true}"#)
    let pretty = """
      {
        "a": [
          1,
          {
            "b": {}
          }
        ]
      }
      """
    #expect((["a": [1, ["b": [:]]]] as JSONValue).text(pretty: true) == pretty)
  }

  @Test func `An object of Swift values keeps their order, and nil is null or no member`() {
    enum Kind: String, JSONConvertible { case word }
    let (text, none): (String?, Int?) = ("a", nil)
    let isShown = none != nil
    #expect(
      JSONValue.object(["z": text, "none": none, "kinds": [Kind.word], "real": Double.infinity, "b": 1.5, "a": 1])
        == ["z": "a", "none": .null, "kinds": ["word"], "real": .null, "b": 1.5, "a": 1])
    #expect(
      JSONValue.object(present: [
        "z": text, "none": none, "null": JSONValue(none), "flag": isShown ? true : nil, "list": isShown ? [1] : nil,
        "kind": Kind.word,
      ]) == ["z": "a", "null": .null, "kind": "word"])
  }

  @Test func `Numbers`() {
    #expect(JSONValue(0.1).text() == "0.1")
    #expect(JSONValue(Double.nan).text() == "null")
    #expect(JSONValue(1e22).text() == "1e+22")
    #expect(JSONValue(3.0).text() == "3")
    #expect(JSONValue(nil as String?).text() == "null")
    #expect(JSONNumber(lexeme: "1e5")?.double == 100_000)
    #expect(JSONNumber(lexeme: "01") == nil)
    #expect(JSONNumber(lexeme: "12")?.isCanonical == true)
    #expect(JSONNumber(lexeme: "1.50")?.isCanonical == false)
  }
}

extension SeededGenerator {
  /// The text of an object with odd spacing, escapes, duplicates and nested values.
  mutating func jsonObject() -> String {
    var text = space() + "{" + space()
    for index in 0..<roll(7) {
      if index > 0 { text += space() + "," + space() }
      let name = roll(6)
      text +=
        (roll(5) == 0 ? "\"\\u006e\(name)\"" : "\"n\(name)\"") + space() + ":" + space() + jsonValue(levels: 2)
    }
    return text + space() + "}" + space()
  }

  private mutating func space() -> String { ["", "", "", " ", "\n  ", "\t"][roll(6)] }

  private mutating func jsonValue(levels: Int) -> String {
    switch roll(levels > 0 ? 9 : 7) {
    case 0: return "1.0"
    case 1: return ["-0", "1E5", "12345678901234567890", "4.10", "1e400"][roll(5)]
    case 2: return ["true", "false", "null"][roll(3)]
    case 3: return #""\/\u00e9\n""#
    case 4: return #""\ud800 x""#
    case 5: return "\"é😀\""
    case 6: return "\"\""
    case 7: return "[" + (0..<roll(4)).map { _ in jsonValue(levels: levels - 1) }.joined(separator: " ,") + "]"
    default: return "{\"k\": " + jsonValue(levels: levels - 1) + " ,\"k\":1}"
    }
  }
}
