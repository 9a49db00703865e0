import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Packed values opened in place")
struct UnpackingTests {
  private func outline(_ value: InspectedValue, _ path: String = "") -> [String] {
    value.children.flatMap { child -> [String] in
      let place = path + (child.label.name.map { "." + $0 } ?? "")
      if case .index(let index) = child.label { return outline(child.value, place + "[\(index)]") }
      return child.value.isContainer ? outline(child.value, place) : [place]
    }
  }

  @Test("JSON in a string is opened, and JSON in a string of that")
  func nestedJSON() throws {
    let value = InspectedValue(#" {"a": 1, "b": "[true, \"x\"]", "c": "{no json}"} "#, name: "k")
    #expect(value.packings == [.jsonText] && value.isContainer && value.count == 3)
    let inner = try #require(value.child(at: 1))
    #expect(inner.label == .name("b") && inner.value.packings == [.jsonText] && inner.value.count == 2)
    #expect(inner.value.stored == nil && value.stored != nil)
    guard case .json(.string("{no json}"))? = value.child(at: 2)?.value.content else {
      Issue.record("damaged JSON is changed")
      return
    }
  }

  @Test(
    "text that is no JSON object or array stays as it is",
    arguments: ["", " ", "{", "[1,2", "{'a': 1}", "[info] started]", "42", "\"x\"", "true", "{\"a\":1}x"])
  func plainText(text: String) {
    let value = InspectedValue(.string(text))
    #expect(value.packings.isEmpty && !value.isContainer && value.count == 0 && value.children.isEmpty)
    #expect(value.stored == .string(text))
  }

  @Test("data that holds a property list is opened, in either format")
  func propertyLists() throws {
    let list: PropertyListValue = ["a": [1, 2], "b": .data(try PackedValues.bytes(["c": "[3]"]))]
    for (format, packing) in [(PropertyListFormat.binary, Packing.binaryPropertyList), (.xml, .xmlPropertyList)] {
      let value = InspectedValue(.data(try PackedValues.bytes(list, as: format)))
      #expect(value.packings == [packing] && value.count == 2)
      let inner = try #require(value.child(at: 1)?.value)
      #expect(inner.packings == [.binaryPropertyList] && inner.stored == nil)
      #expect(inner.child(at: 0)?.value.packings == [.jsonText])
    }
    let text = String(decoding: try PackedValues.bytes(list, as: .xml), as: UTF8.self)
    #expect(InspectedValue(.string(text)).packings == [.xmlPropertyList])
  }

  @Test("a property list whose root is packed again is opened at once")
  func packedRoot() throws {
    let value = InspectedValue(.data(try PackedValues.bytes(#"{"a": 1}"#)))
    #expect(value.packings == [.binaryPropertyList, .jsonText] && value.count == 1)
  }

  @Test("data that holds JSON or text is shown as such")
  func textInData() {
    let json = InspectedValue(.data(Array(#"{"a": [1]}"#.utf8)))
    #expect(json.packings == [.jsonData] && json.count == 1)
    let text = InspectedValue(.data(Array("Grüße\n".utf8)))
    #expect(text.packings == [.utf8Text])
    if case .propertyList(.string("Grüße\n")) = text.content {} else { Issue.record("another text") }
    for bytes in [[], [0, 1], [0xFF, 0x41], [0x41, 0x1B]] as [[UInt8]] {
      #expect(InspectedValue(.data(bytes)).packings.isEmpty)
    }
  }

  @Test("damaged content stays as it is stored")
  func damaged() throws {
    let bytes = try PackedValues.bytes(["a": 1])
    let cut = Array(bytes.dropLast(3))
    #expect(InspectedValue(.data(cut)).stored == .data(cut) && InspectedValue(.data(cut)).packings.isEmpty)
    let archive: PropertyListValue = [
      "$version": 100_000, "$archiver": "A", "$top": ["root": .uid(9)], "$objects": ["$null"],
    ]
    let value = InspectedValue(.data(try PackedValues.bytes(archive)))
    #expect(value.packings == [.binaryPropertyList] && value.count == 4)
    #expect(InspectedValue(archive).packings.isEmpty)
  }

  @Test("an archive is opened with its class, and what is packed in its members")
  func keyedArchive() throws {
    let bytes = try PackedValues.archive(
      "ACMEUser", ["json": .uid(3), "plist": .uid(4), "self": .uid(1)], #"{"a": 1}"#,
      .data(try PackedValues.bytes(["b": 2])))
    let value = InspectedValue(.data(bytes))
    #expect(value.packings == [.binaryPropertyList, .keyedArchive] && value.count == 3)
    guard case .keyed(.object(let object)) = value.content else {
      Issue.record("no object")
      return
    }
    #expect(object.objectClass.name == "ACMEUser")
    #expect(value.children.map(\.label) == [.name("json"), .name("plist"), .name("self")])
    #expect(value.children.map(\.value.packings) == [[.jsonText], [.binaryPropertyList], []])
    #expect(outline(value) == [".json.a", ".plist.b", ".self"])
    guard case .keyed(.cycle(object: 1))? = value.child(at: 2)?.value.content else {
      Issue.record("no cycle")
      return
    }
    let inPlace = InspectedValue(try PropertyListDocument(bytes: bytes).root)
    #expect(inPlace.packings == [.keyedArchive] && inPlace.count == 3)
  }

  @Test("a dictionary's pair without a text as its key is a pair")
  func otherKeys() throws {
    let pairs = [
      KeyedPair(.string("a"), .null), KeyedPair(.integer(7), .string("[1]")), KeyedPair(.null, .boolean(true)),
    ]
    let value = InspectedValue(
      .keyed(.dictionary(pairs)), name: nil, isStored: false, depth: 0, limits: .default)
    #expect(value.children.map(\.label) == [.name("a"), .index(1), .index(2)])
    let pair = try #require(value.child(at: 1)?.value)
    #expect(pair.children.map(\.label) == [.name("key"), .name("value")])
    #expect(pair.child(at: 1)?.value.packings == [.jsonText])
    #expect(value.child(at: 3) == nil && value.child(at: -1) == nil)
  }

  @Test("the root of a store is opened in each format")
  func stores() throws {
    let list = try PropertyListDocument(bytes: try PackedValues.bytes(["a": 1]))
    let root = try #require(InspectedValue(Store(path: "a.plist", content: .document(list))))
    #expect(root.packings.isEmpty && root.count == 1 && root.child(at: 0)?.value.stored == 1)
    let archive = try PropertyListDocument(bytes: try PackedValues.archive("ACMEUser", ["a": .uid(3)], "x"))
    let user = try #require(InspectedValue(Store(path: "u.archive", content: .document(archive))))
    #expect(user.packings == [.keyedArchive] && user.children.map(\.label) == [.name("a")])
    let json = try #require(InspectedValue(Store(path: "a.json", content: .json(try JSONText(#"{"b": [1]}"#)))))
    #expect(json.packings.isEmpty && json.children.map(\.label) == [.name("b")])
    #expect(InspectedValue(Store(path: "x", content: .unreadable("It is empty."))) == nil)
  }

  @Test("limits leave a value packed, and say so")
  func limits() throws {
    let text = PropertyListValue.string("[" + String(repeating: " ", count: 1 << 17) + "1]")
    let row = InspectedValue(text, limits: .row)
    #expect(row.isLeftPacked && row.packings.isEmpty && !row.isContainer)
    #expect(!InspectedValue(text).isLeftPacked && InspectedValue(text).count == 1)
    let long = PropertyListValue.string(String(repeating: "a", count: 1 << 17))
    #expect(!InspectedValue(long, limits: .row).isLeftPacked, "nothing is packed in it")
    let data = PropertyListValue.data(try PackedValues.bytes(.data([UInt8](repeating: 0, count: 1 << 17))))
    #expect(InspectedValue(data, limits: .row).isLeftPacked)
    var value: PropertyListValue = ["end": 1]
    for _ in 0..<40 { value = .data(try PackedValues.bytes(["in": value])) }
    var opened = InspectedValue(value)
    var depth = 0
    while let child = opened.child(at: 0) {
      opened = child.value
      depth += 1
    }
    #expect(depth == 16, "what is packed deeper stays packed")
  }

  @Test("a small file that unfolds without end is not opened")
  func unfolding() throws {
    var value: PropertyListValue = .array([])
    for _ in 0..<100 { value = .array([value]) }
    #expect(InspectedValue(.data(try PackedValues.bytes(value))).isContainer)
    let deep = "[" + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "]"
    #expect(InspectedValue(.string(deep)).packings.isEmpty)
  }
}
