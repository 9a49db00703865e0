@testable import Carryover

@Suite("Packed values opened in place") struct UnpackingTests {
  private func outline(_ value: InspectedValue, _ path: String = "") -> [String] {
    value.children.flatMap { child -> [String] in
      let place = path + (child.label.name.map { "." + $0 } ?? "")
      if case .index(let index) = child.label { return outline(child.value, place + "[\(index)]") }
      return child.value.isContainer ? outline(child.value, place) : [place]
    }
  }

  @Test func `JSON in a string is opened, and JSON in a string of that`() throws {
    let value = InspectedValue(#" {"a": 1, "b": "[true, \"x\"]", "c": "{no json}"} "#, name: "k")
    #expect(value.packings == [.jsonText] && value.isContainer && value.count == 3)
    let inner = try #require(value.child(at: 1))
    #expect(inner.label == .name("b") && inner.value.packings == [.jsonText] && inner.value.count == 2)
    #expect(inner.value.stored == nil && value.stored != nil)
    guard case .json(.string("{no json}"))? = value.child(at: 2)?.value.content else { return #expect(Bool(false)) }
  }

  @Test(arguments: ["", " ", "{", "[1,2", "{'a': 1}", "[info] started]", "42", "\"x\"", "true", "{\"a\":1}x"])
  func `text that is no JSON object or array stays as it is`(text: String) {
    let value = InspectedValue(.string(text))
    #expect(value.packings.isEmpty && !value.isContainer && value.count == 0 && value.children.isEmpty)
    #expect(value.stored == .string(text))
  }

  @Test func `data that holds a property list is opened, in either format`() throws {
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

  @Test func `a property list whose root is packed again is opened at once`() throws {
    let value = InspectedValue(.data(try PackedValues.bytes(#"{"a": 1}"#)))
    #expect(value.packings == [.binaryPropertyList, .jsonText] && value.count == 1)
  }

  @Test func `data that holds JSON or text is shown as such`() {
    let json = InspectedValue(.data(Array(#"{"a": [1]}"#.utf8)))
    #expect(json.packings == [.jsonData] && json.count == 1)
    let text = InspectedValue(.data(Array("Grüße\n".utf8)))
    #expect(text.packings == [.utf8Text])
    if case .propertyList(.string("Grüße\n")) = text.content {} else { Issue.record("another text") }
    for bytes in [[], [0, 1], [0xFF, 0x41], [0x41, 0x1B]] as [[UInt8]] {
      #expect(InspectedValue(.data(bytes)).packings.isEmpty)
    }
  }

  @Test func `damaged content stays as it is stored`() throws {
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

  @Test func `an archive is opened with its class, and what is packed in its members`() throws {
    let bytes = try PackedValues.archive(
      "ACMEUser", ["json": .uid(3), "plist": .uid(4), "self": .uid(1)], #"{"a": 1}"#,
      .data(try PackedValues.bytes(["b": 2])))
    let value = InspectedValue(.data(bytes))
    #expect(value.packings == [.binaryPropertyList, .keyedArchive] && value.count == 3)
    guard case .keyed(.object(let object)) = value.content else { return #expect(Bool(false), "no object") }
    #expect(object.objectClass.name == "ACMEUser")
    #expect(value.children.map(\.label) == [.name("json"), .name("plist"), .name("self")])
    #expect(value.children.map(\.value.packings) == [[.jsonText], [.binaryPropertyList], []])
    #expect(outline(value) == [".json.a", ".plist.b", ".self"])
    guard case .keyed(.cycle(object: 1))? = value.child(at: 2)?.value.content else { return #expect(Bool(false)) }
    let inPlace = InspectedValue(try PropertyListDocument(bytes: bytes).root)
    #expect(inPlace.packings == [.keyedArchive] && inPlace.count == 3)
  }

  @Test func `a dictionary's pair without a text as its key is a pair`() throws {
    let pairs = [
      KeyedPair("a", .plain(.null)), KeyedPair(.plain(7), .plain("[1]")), KeyedPair(.plain(.null), .plain(true)),
    ]
    let value = InspectedValue(.keyed(.dictionary(pairs)), name: nil, isStored: false, depth: 0, limits: .default)
    #expect(value.children.map(\.label) == [.name("a"), .index(1), .index(2)])
    let pair = try #require(value.child(at: 1)?.value)
    #expect(pair.children.map(\.label) == [.name("key"), .name("value")])
    #expect(pair.child(at: 1)?.value.packings == [.jsonText])
    #expect(value.child(at: 3) == nil && value.child(at: -1) == nil)
  }

  @Test func `the root of a store is opened in each format`() throws {
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

  @Test func `limits leave a value packed, and say so`() throws {
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

  @Test func `a small file that unfolds without end is not opened`() throws {
    var value: PropertyListValue = .array([])
    for _ in 0..<100 { value = .array([value]) }
    #expect(InspectedValue(.data(try PackedValues.bytes(value))).isContainer)
    let deep = "[" + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "]"
    #expect(InspectedValue(.string(deep)).packings.isEmpty)
  }
}

enum PackedValues {
  /// An archive of one object of a class with members; what they refer to follows as object 3 and on.
  static func archive(
    _ className: String, _ members: PropertyListDictionary, _ more: PropertyListValue...
  ) throws -> [UInt8] {
    var object = members
    object["$class"] = .uid(2)
    let definition: PropertyListValue = [
      "$classname": .string(className), "$classes": [.string(className), "NSObject"],
    ]
    let root: PropertyListValue = [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": .uid(1)],
      "$objects": .array(["$null", .dictionary(object), definition] + more),
    ]
    return try PropertyListDocument.encode(root, as: .binary)
  }

  static func bytes(_ value: PropertyListValue, as format: PropertyListFormat = .binary) throws -> [UInt8] {
    try PropertyListDocument.encode(value, as: format)
  }
}

@Suite("Paths to values") struct InspectedPathTests {
  @Test(
    arguments: [
      ([], ""), ([.name("rl_traits"), .name("address"), .name("lines"), .index(2)], "rl_traits.address.lines[2]"),
      ([.index(0), .index(1), .name("a")], "[0][1].a"), ([.name("rl_traits.userId")], "\"rl_traits.userId\""),
      ([.name("a[0]")], "\"a[0]\""), ([.name("")], "\"\""), ([.name("a\"b\\c")], #""a\"b\\c""#),
      ([.name("\u{1B}[2J")], #""\u{1B}[2J""#), ([.name(#"\u{1b}[2J"#)], #""\\u{1b}[2J""#),
      ([.name("straße")], "\"straße\""), ([.name("NS.keys"), .index(0)], "\"NS.keys\"[0]"),
      ([.name("$class")], "$class"),
    ] as [([InspectedChild.Label], String)])
  func `a path names the store and the way in it, quotes odd names`(labels: [InspectedChild.Label], text: String) {
    let path = InspectedPath(store: "Library/Preferences/com.acme.shop.plist", labels: labels)
    #expect(path.labelText == text)
    #expect(path.text == "Library/Preferences/com.acme.shop.plist" + (labels.isEmpty ? "" : ": " + text))
  }

  @Test(arguments: [
    ("Library/Application Support/Grüße.plist", "Library/Application Support/Grüße.plist"),
    ("a: b.plist", "\"a: b.plist\""), ("a\nb", #""a\nb""#), ("", "\"\""), (" a", "\" a\""),
  ])
  func `a store's path is quoted where its end would not be clear`(path: String, text: String) {
    #expect(InspectedPath(store: path, labels: [.name("k")]).text == text + ": k")
  }
}

@Suite("Looking for text in stores") struct InspectedSearchTests {
  @Test func `letters beyond ASCII match by their bytes`() throws {
    let document = try PropertyListDocument(bytes: try PackedValues.bytes(["Größe": "ÄX"]))
    let stores = [Store(path: "a", content: .document(document))]
    let (exact, other) = (InspectedSearch(stores, for: "GRöße"), InspectedSearch(stores, for: "äx"))
    #expect(exact.matches.count == 1 && other.matches.isEmpty)
  }

  @Test func `what unfolds without end is given up, and said to be`() throws {
    let json = Store(path: "b.json", content: .json(try JSONText(#"[["needle", "needle"], "needle"]"#)))
    #expect(InspectedSearch([json], for: "needle", most: 3).isCut)
  }
}

@Suite("Values read as moments") struct MomentReadingTests {
  /// 2025-11-20T12:02:03.456Z.
  private static let milliseconds: Int64 = 1_763_640_123_456

  private func reading(_ value: PropertyListValue, _ name: String? = nil) -> MomentReading? {
    MomentReading(.propertyList(value), name: name)
  }

  @Test(
    "a number is read by its size, whatever its name and type",
    arguments: [
      (1_763_640_123, 1_763_640_123_000, .secondsSince1970), ("1763640123", 1_763_640_123_000, .secondsSince1970),
      (1_763_640_123.456, milliseconds, .secondsSince1970), ("1763640123.456", milliseconds, .secondsSince1970),
      (1_763_640_123_456, milliseconds, .millisecondsSince1970),
      (1_763_640_123_456_789, milliseconds, .microsecondsSince1970),
      (.date(PropertyListDate(secondsSince1970: 1)), 1000, .date),
    ] as [(PropertyListValue, Int64, MomentReading.Unit)])
  func bySize(value: PropertyListValue, milliseconds: Int64, unit: MomentReading.Unit) {
    #expect(reading(value) == MomentReading(Moment(millisecondsSince1970: milliseconds), unit))
  }

  @Test func `JSON and archives are read like property lists`() throws {
    let json = MomentReading(.json(.number(JSONNumber(1_763_640_123))), name: nil)
    #expect(json?.unit == .secondsSince1970)
    #expect(MomentReading(.json("1763640123"), name: nil) == json)
    #expect(MomentReading(.init(.plain(1_763_640_123)), name: nil) == json)
    #expect(MomentReading(.init(.plain(.date(PropertyListDate(secondsSince1970: 0)))), name: nil)?.unit == .date)
    #expect(MomentReading(.json(.array([])), name: "date") == nil)
  }

  @Test func `a number outside the years 2000 to 2099 is no moment, and the first and last of them are`() {
    #expect(reading(946_684_799) == nil && reading(946_684_800)?.moment.text == "2000-01-01T00:00:00Z")
    #expect(reading(4_102_444_799)?.moment.text == "2099-12-31T23:59:59Z" && reading(4_102_444_800) == nil)
    for value in [
      0, 42, -1_763_640_123, 9_007_199_254_740_993, .real(PropertyListReal(.nan)), true, "x", "", "1e9",
      "+1763640123", "1763640123.", "1.763.640.123", .real(PropertyListReal(.infinity)), .null,
    ] as [PropertyListValue] {
      #expect(reading(value, "time") == nil, "\(value)")
    }
  }

  @Test(arguments: [
    "date", "lastLaunch", "created_at", "since", "expiresOn", "expiration", "first-run", "timeStamp", "kTimestamp",
    "com.acme.session.time", "NSUpdateDate", "URLDate",
  ])
  func `seconds since 2001 are read where the name speaks of time`(name: String) {
    // 2025-11-20T12:02:03Z
    let expected = MomentReading(Moment(secondsSince1970: 1_763_640_123), .secondsSince2001)
    #expect(reading(785_332_923, name) == expected && reading(785_332_923.5, name) != nil)
    #expect(reading(86_400, name) == nil, "small numbers are intervals")
  }

  @Test(
    "names that have the words only within others do not speak of time",
    arguments: ["update", "candidates", "latest_ing", "sometimes", "lasting", "format", nil])
  func otherNames(name: String?) { #expect(reading(785_332_923, name) == nil) }

  @Test(arguments: ["uptime", "system_uptime_date", "lastUpTime", "timeout", "ttl"])
  func `an uptime or a duration is no moment`(name: String) {
    #expect(reading(785_332_923, name) == nil && reading(1_763_640_123, name) == nil)
  }

  @Test func `elements have the name of their array, members their own`() throws {
    let value = InspectedValue(#"{"date": [785332923], "count": 785332923}"#, name: "k")
    #expect(value.child(at: 0)?.value.child(at: 0)?.value.moment?.unit == .secondsSince2001)
    #expect(value.child(at: 1)?.value.moment == nil)
  }
}
