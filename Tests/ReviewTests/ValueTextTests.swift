import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists
import Testing

@testable import CarryoverReview

@Suite("Values as text")
struct ValueTextTests {
  @Test(
    "text that could be taken for another type stands in quotation marks",
    arguments: [
      ("abc", "abc"), ("4.2.0", "4.2.0"), ("42", "\"42\""), ("1e5", "\"1e5\""), ("true", "\"true\""), ("", "\"\""),
      (" x", "\" x\""), (42, "42"), (true, "true"), (.data([0, 255]), "2 bytes 00ff"), ([1, 2], "array of 2 elements"),
      (["a": 1], "dictionary of 1 key"), (.uid(3), "UID 3"), (.null, "null"),
    ] as [(PropertyListValue, String)])
  func inline(value: PropertyListValue, text: String) {
    #expect(value.inline(limit: 40) == text)
  }

  @Test("moments are told from numbers by their size, in UTC and at an offset")
  func moments() throws {
    let seconds = try #require(MomentReading(ofTime: 1_763_640_123))
    #expect(seconds.unit.words == "seconds since 1970")
    #expect(MomentText.text(seconds.moment) == "2025-11-20 12:02:03")
    #expect(MomentText.text(seconds.moment, offset: -19_800) == "2025-11-20 06:32:03")
    #expect(MomentText.zone(-19_800) == "-05:30" && MomentText.zone(7200) == "+02:00")
    let milliseconds = try #require(MomentReading(ofTime: "1763640123456"))
    #expect(MomentText.text(milliseconds.moment) == "2025-11-20 12:02:03.456")
    #expect(MomentReading(ofTime: 42) == nil && MomentReading(ofTime: "x") == nil)
    #expect(MomentText.text(Moment(millisecondsSince1970: .max)) == "no calendar date")
    #expect(MomentReading(ofTime: .date(PropertyListDate(secondsSince2001: .nan))) == nil)
  }

  @Test("JSON text is laid out with every lexeme as it stands")
  func outline() throws {
    let outline = try #require(JSONOutline(#" {"a" : 1.0,"b":[ ],"c":{"d":[1,"x\"}"]}} "#))
    #expect(outline.memberCount == 3)
    let text = outline.rows.map { String(repeating: "  ", count: $0.depth) + $0.text }
    #expect(
      text == [
        "{", #"  "a": 1.0,"#, #"  "b": [],"#, #"  "c": {"#, #"    "d": ["#, "      1,", #"      "x\"}""#, "    ]",
        "  }", "}",
      ])
    #expect(
      outline.rows.map(\.member) == [nil, "\"a\"", "\"b\"", "\"c\"", "\"c\"", "\"c\"", "\"c\"", "\"c\"", "\"c\"", nil])
  }

  @Test("what does not nest is not laid out", arguments: ["", "x", "\"x\"", "{", "{]", "{}}", "[1] 2", "{\"", ",{}"])
  func noOutline(text: String) {
    #expect(JSONOutline(text) == nil)
  }

  @Test("brackets without end are refused, not followed")
  func deepOutline() {
    #expect(JSONOutline(String(repeating: "[", count: 100_000)) == nil)
  }

  @Test("wrapped lines fit, and wrapping exactly loses nothing", arguments: UInt64(0)..<50)
  func wrapping(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let text = (0..<20).map { _ in DisplayText.visible(generator.hostileText()) }.joined(separator: " ")
    let width = Int.random(in: 4...30, using: &generator)
    for exact in [true, false] {
      let lines = Wrapping.wrap([Span(text)], first: width, rest: width, exact: exact)
      for line in lines { #expect(line.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } <= width) }
      let joined = lines.flatMap { $0 }.map(\.text).joined()
      if exact {
        #expect(
          joined.unicodeScalars.elementsEqual(DisplayWidth.clusters(of: text).map(\.text).joined().unicodeScalars))
      } else {
        let clusters = DisplayWidth.clusters(of: text).map(\.text)
        #expect(joined.unicodeScalars.filter { $0 != " " } == clusters.joined().unicodeScalars.filter { $0 != " " })
      }
    }
  }

  @Test("a text that is cut ends with a whole word and a sign, and fits", arguments: [8, 9, 10, 11])
  func cut(width: Int) {
    func wrapped(_ text: String, exact: Bool = false, limit: Int = 1) -> [String] {
      Wrapping.wrap([Span(text)], first: width, rest: width, exact: exact, limit: limit).map {
        $0.map(\.text).joined()
      }
    }
    #expect(wrapped("alpha beta gamma delta") == [width < 11 ? "alpha…" : "alpha beta…"])
    #expect(wrapped("alpha") == ["alpha"])
    let long = wrapped(String(repeating: "x", count: 40), exact: true, limit: 2)
    #expect(long.last == String(repeating: "x", count: width - 1) + "…" && long.count == 2)
  }

  @Test("the line editor keeps combining marks with their letter and moves by what a person sees")
  func lineEditor() {
    var editor = LineEditor(.editor, of: "f", text: "ab")
    editor.line.insert("\u{301}")
    #expect(editor.cursor == 2 && editor.characters.count == 2)
    editor.line.move(.left)
    editor.line.insert("x y")
    #expect(editor.text == "ax yb\u{301}")
    editor.line.delete(.wordLeft)
    #expect(editor.text == "ax b\u{301}")
    editor.line.delete(.start)
    #expect(editor.text == "b\u{301}")
    editor.line.delete(.end)
    #expect(editor.text.isEmpty)
    editor.line.delete(.left)
    editor.line.delete(.right)
    #expect(editor.cursor == 0)
  }
}
