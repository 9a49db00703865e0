import Carryover
import PropertyLists
import Testing

@Suite("Files with keys")
struct KeyedFileTests {
  private static let path = "Library/Application Support/acme/id"

  @Test("JSON is edited by byte range; property lists as before", arguments: ["id", "id.plist"])
  func format(_ name: String) throws {
    let bytes = Array(#"{"id":"x"}"#.utf8)
    guard name == "id" else {
      #expect(throws: KeyedFile.Problem.self) { try KeyedFile(bytes: bytes, path: name) }
      return
    }
    let file = try KeyedFile(bytes: bytes, path: name)
    #expect(file.format == .json && file.dictionary["id"] == "x")
    #expect(try file.editing([.set("id", "y"), .set("n", 7)]) == Array(#"{"id":"y","n":7}"#.utf8))
    #expect(try file.editing([.remove("id")]) == Array("{}".utf8))
    #expect(try file.editing([]) == bytes)
  }

  @Test("values keep their meaning in JSON, at any size, and what JSON cannot express is refused")
  func values() throws {
    let expressible: [PropertyListValue] = [
      "text", true, 0, -7, .integer(try #require(PropertyListInteger("18446744073709551615"))),
      .real(PropertyListReal(1.5)),
      ["a", 1, ["b": false]], [:], .null,
    ]
    for value in expressible {
      let bytes = try KeyedFile.encode(["key": value], as: .json)
      #expect(try KeyedFile(bytes: bytes, path: Self.path).dictionary["key"] == value)
    }
    let others: [PropertyListValue] = [
      .data([1]), .real(PropertyListReal(Double.infinity)), .real(PropertyListReal(Double.nan)), [.data([])],
      ["a": .data([])],
    ]
    for value in others {
      #expect(throws: KeyedFile.Problem.self) { try KeyedFile.encode(["key": value], as: .json) }
      #expect(throws: KeyedFile.Problem.self) {
        try KeyedFile(bytes: Array("{}".utf8), path: Self.path).editing([.set("key", value)])
      }
    }
  }

  @Test("a keyed archive is edited in its object table, unless its name says that it is a property list")
  func archive() throws {
    let bytes = try KeyedFile.encode(["id": "x", "n": 1], as: .archive)
    #expect(try KeyedFile(bytes: bytes, path: "id.plist").format == .binary)
    let file = try KeyedFile(bytes: bytes, path: Self.path)
    #expect(file.format == .archive && file.dictionary == ["id": "x", "n": 1])
    let edited = try KeyedFile(bytes: file.editing([.set("id", "y"), .remove("n")]), path: Self.path)
    #expect(edited.dictionary == ["id": "y"])
    #expect(throws: KeyedFile.Problem.self) {
      try KeyedFile(bytes: KeyedArchive.encode(["x"]), path: Self.path)
    }
  }

  @Test("a file without keys says why", arguments: ["", "[1]", "{", "\"x\"", "{} x", "7"])
  func unreadable(_ text: String) {
    #expect(throws: KeyedFile.Problem.self) { try KeyedFile(bytes: Array(text.utf8), path: Self.path) }
  }
}
