import Carryover
import CarryoverReview
import CarryoverSystem
import PropertyLists
import Testing

@Suite("Opened values in words")
struct InspectedTextTests {
  private func bytes(_ value: PropertyListValue, _ format: PropertyListFormat = .binary) throws -> PropertyListValue {
    .data(try PropertyListDocument.encode(value, as: format))
  }

  private func archive(_ object: PropertyListValue, _ more: PropertyListValue...) -> PropertyListValue {
    [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
      "$objects": .array(["$null", object] + more),
    ]
  }

  private var user: PropertyListValue {
    archive(
      ["$class": .uid(2), "name": .uid(3), "self": .uid(1)], ["$classname": "ACMEUser", "$classes": ["ACMEUser"]], "Ada"
    )
  }

  @Test("every packing has its words")
  func packings() throws {
    let list: [(PropertyListValue, type: String, packing: String?, inline: String)] = [
      ("abc", "string", nil, "abc"), (["a": 1], "dictionary", nil, "dictionary of 1 key"),
      (#"{"a": 1, "b": 2}"#, "object", "JSON in a string", "JSON object of 2 members in a string"),
      (.data(Array("[1]".utf8)), "array", "JSON in data", "JSON array of 1 element in data"),
      (
        try bytes(["a": 1, "b": 2]), "dictionary", "binary property list in data",
        "binary property list of 2 keys in data"
      ),
      (try bytes(["a": 1], .xml), "dictionary", "XML property list in data", "XML property list of 1 key in data"),
      (try bytes("x"), "string", "binary property list in data", "binary property list in data: x"),
      (try bytes(user), "ACMEUser", "keyed archive in data", "keyed archive of ACMEUser"),
      (user, "ACMEUser", "keyed archive", "keyed archive of ACMEUser"),
      (.data(Array("hello".utf8)), "string", "text in data", "text in data: hello"),
      (
        try bytes("[1]"), "array", "JSON in a string in a binary property list in data",
        "JSON array of 1 element in a string in a binary property list in data"
      ),
    ]
    for (value, type, packing, inline) in list {
      let value = InspectedValue(value)
      #expect(InspectedText.type(value) == type && InspectedText.packing(value) == packing)
      #expect(InspectedText.inline(value) == inline)
    }
  }

  @Test("values of JSON and of archives stand on one line")
  func inside() throws {
    let json = InspectedValue(#"{"a": 1.50, "b": null, "c": "42", "d": {}, "e": true}"#)
    #expect(
      json.children.map { InspectedText.inline($0.value) } == ["1.50", "null", "\"42\"", "object of 0 members", "true"])
    #expect(json.children.map { InspectedText.type($0.value) } == ["number", "null", "string", "object", "boolean"])
    let members = InspectedValue(user).children.map(\.value)
    #expect(members.map { InspectedText.inline($0) } == ["Ada", "contains itself (object 1)"])
    #expect(members.map { InspectedText.rawType($0) } == ["string", "cycle"])
    #expect(members.map { InspectedText.whole($0) } == ["Ada", nil])
  }

  @Test("a long value makes no long line, and what was left packed says so")
  func bounded() throws {
    let long = String(repeating: "a", count: 1 << 20)
    #expect(InspectedText.inline(InspectedValue(.string(long)), limit: 80).utf8.count < 1000)
    let object = archive(["$class": .uid(2)], ["$classname": .string(long), "$classes": []])
    #expect(InspectedText.inline(InspectedValue(object), limit: 80).utf8.count < 1000)
    let row = InspectedValue(.string("[\"\(long)\"]"), limits: .row)
    #expect(
      InspectedText.inline(row) == "1048580 bytes, not opened here" && InspectedText.packing(row) == "packed string")
  }
}
