@Suite("Keyed archives") struct KeyedArchiveTests {
  private func root(_ builder: ArchiveBuilder) throws -> KeyedValue { try #require(try builder.archive().root) }

  @Test func `A value that needs no class is itself`() throws {
    let pairs: [(PropertyListValue, KeyedValue)] = [
      ("text", .string("text")), (5, .integer(5)), (1.5, .real(PropertyListReal(1.5))), (true, .boolean(true)),
      (false, .boolean(false)), (.data([1, 2]), .data([1, 2])), ("$null", .null), ("", .string("")),
      (.integer(PropertyListInteger(UInt64.max)), .integer(PropertyListInteger(UInt64.max))),
      (.date(PropertyListDate(secondsSince2001: 3)), .date(PropertyListDate(secondsSince2001: 3))),
    ]
    for (object, value) in pairs {
      var builder = ArchiveBuilder()
      builder.objects.append(object)
      #expect(try root(builder) == value)
    }
  }

  @Test func `Every property-list class with one member becomes its value`() throws {
    let uuid = Array(UInt8(0xE0)...0xEF)
    let cases: [(String, PropertyListDictionary, KeyedValue)] = [
      ("NSMutableString", ["NS.string": "text"], .string("text")),
      ("NSString", ["NS.string": "$null"], .string("$null")),
      ("NSString", ["NS.bytes": .data([0xC3, 0xA9])], .string("é")),
      ("NSMutableData", ["NS.data": .data([1])], .data([1])), ("NSData", ["NS.bytes": .data([1])], .data([1])),
      ("NSNumber", ["NS.number": true], .boolean(true)), ("NSNumber", ["NS.boolval": false], .boolean(false)),
      ("NSNumber", ["NS.intval": -7], .integer(-7)), ("NSNumber", ["NS.dblval": 0.5], .real(PropertyListReal(0.5))),
      ("NSDate", ["NS.time": 5.5], .date(PropertyListDate(secondsSince2001: 5.5))),
      ("NSDate", ["NS.time": 5], .date(PropertyListDate(secondsSince2001: 5))), ("NSNull", [:], .null),
      ("NSUUID", ["NS.uuidbytes": .data(uuid)], .uuid(try #require(KeyedUUID(bytes: uuid)))),
    ]
    for (name, members, value) in cases { #expect(try root(.object(name, members)) == value, "\(name)") }
    #expect(KeyedUUID(bytes: uuid)?.description == "E0E1E2E3-E4E5-E6E7-E8E9-EAEBECEDEEEF")
  }

  @Test func `A member may be written in place or be a reference`() throws {
    #expect(try root(.object("NSMutableString", ["NS.string": .uid(3)], "text")) == .string("text"))
    #expect(try root(.object("NSDate", ["NS.time": .uid(3)], 1.5)) == .date(PropertyListDate(secondsSince2001: 1.5)))
  }

  @Test func `Collections keep order, duplicates and mutability's classes in one form`() throws {
    let list: PropertyListDictionary = ["NS.objects": ArchiveBuilder.references(3, 4, 3)]
    let values: [KeyedValue] = [.string("a"), .integer(1), .string("a")]
    for name in ["NSArray", "NSMutableArray"] { #expect(try root(.object(name, list, "a", 1)) == .array(values)) }
    for name in ["NSSet", "NSMutableSet"] { #expect(try root(.object(name, list, "a", 1)) == .set(values)) }
    for name in ["NSOrderedSet", "NSMutableOrderedSet"] {
      #expect(try root(.object(name, list, "a", 1)) == .orderedSet(values))
      let numbered: PropertyListDictionary = ["NS.object.1": .uid(4), "NS.object.0": .uid(3)]
      #expect(try root(.object(name, numbered, "a", 1)) == .orderedSet([.string("a"), .integer(1)]))
      #expect(try root(.object(name, [:])) == .orderedSet([]))
    }
    for name in ["NSDictionary", "NSMutableDictionary"] {
      let members: PropertyListDictionary = [
        "NS.keys": ArchiveBuilder.references(3, 4, 3), "NS.objects": ArchiveBuilder.references(4, 0, 3),
      ]
      let value = try root(.object(name, members, "a", 1))
      let pairs = [
        KeyedPair(.string("a"), .integer(1)), KeyedPair(.integer(1), .null), KeyedPair(.string("a"), .string("a")),
      ]
      #expect(value == .dictionary(pairs))
      #expect(value["a"] == .integer(1))
      #expect(value["b"] == nil)
    }
    #expect(
      try root(.object("NSDictionary", ["NS.key.0": .uid(3), "NS.object.0": .uid(4)], "a", 1))
        == .dictionary([KeyedPair(.string("a"), .integer(1))]))
  }

  @Test func `A URL keeps what it is relative to`() throws {
    let plain: PropertyListDictionary = ["NS.base": .uid(0), "NS.relative": .uid(3)]
    #expect(try root(.object("NSURL", plain, "http://a/b")) == .url(KeyedURL(relative: "http://a/b")))
    #expect(try root(.object("NSURL", ["NS.relative": "x:"])) == .url(KeyedURL(relative: "x:")))
    let base: PropertyListValue = ["$class": .uid(2), "NS.base": .uid(0), "NS.relative": .uid(4)]
    let relative = try root(.object("NSURL", ["NS.base": .uid(3), "NS.relative": .uid(5)], base, "http://a/b", "c"))
    #expect(relative == .url(KeyedURL(relative: "c", bases: ["http://a/b"])))
    #expect(KeyedURL(relative: "c:d", bases: ["x"]).text == "c:d")
    for text in ["", ":a", "1a:b", "a/b:c", "é:"] { #expect(KeyedURL(relative: text, bases: ["x"]).text == nil) }
  }

  @Test func `The file record of a Finder backup is an object with its members`() throws {
    let builder = ArchiveBuilder.object(
      "MBFile",
      [
        "LastModified": 1_763_640_123, "Flags": 0, "GroupID": 501, "LastStatusChange": 1_763_640_124,
        "Birth": 1_763_640_000, "Size": 482, "InodeNumber": 123_456_789, "RelativePath": .uid(3), "Mode": 33_152,
        "UserID": 501, "ProtectionClass": 4, "EncryptionKey": .uid(4), "Target": .uid(0),
      ], "Library/Preferences/com.acme.shop.plist", ["$class": .uid(5), "NS.data": .data([1, 2, 3])],
      ArchiveBuilder.definition("NSMutableData"))
    let value = try root(builder)
    guard case .object(let file) = value else { return #expect(Bool(false), "no object") }
    #expect(file.index == 1)
    #expect(file.objectClass == KeyedClass(name: "MBFile", chain: ["MBFile", "NSObject"]))
    #expect(file.members.map(\.name).first == "LastModified")
    #expect(file.members.count == 13)
    #expect(file["RelativePath"] == .string("Library/Preferences/com.acme.shop.plist"))
    #expect(value["Mode"] == .integer(33_152))
    #expect(file["EncryptionKey"] == .data([1, 2, 3]))
    #expect(file["Target"] == .null)
    #expect(file["$class"] == nil)
  }

  @Test func `Members written in place are read through, references too, and a member twice is kept twice`() throws {
    var builder = ArchiveBuilder.object("Foo", ["list": [1, .uid(3)], "pairs": ["a": .uid(3)]], "x")
    let value = try root(builder)
    #expect(value["list"] == .array([.integer(1), .string("x")]))
    #expect(value["pairs"]?["a"] == .string("x"))
    builder = .object("Foo", ["a": 1, "a": 2, "set": .set([1])])
    guard case .object(let object) = try root(builder) else { return #expect(Bool(false), "no object") }
    #expect(object.members.map(\.value) == [.integer(1), .integer(2), .set([.integer(1)])])
  }

  @Test func `A class derived from a property-list class is not taken for it`() throws {
    var builder = ArchiveBuilder.object("MyDictionary", ["NS.objects": []])
    builder.objects[2] = ["$classname": "MyDictionary", "$classes": ["MyDictionary", "NSDictionary", "NSObject"]]
    guard case .object(let object) = try root(builder) else { return #expect(Bool(false), "no object") }
    #expect(object.objectClass.chain == ["MyDictionary", "NSDictionary", "NSObject"])
  }

  @Test func `The root is the value with that name, or the only one`() throws {
    var builder = ArchiveBuilder()
    builder.objects += ["a", "b"]
    builder.top = ["x": .uid(1), "root": .uid(2)]
    #expect(try builder.archive().root == .string("b"))
    #expect(try builder.archive().top == [KeyedMember("x", .string("a")), KeyedMember("root", .string("b"))])
    builder.top = ["x": .uid(1)]
    #expect(try builder.archive().root == .string("a"))
    builder.top = ["x": .uid(1), "y": 5]
    #expect(try builder.archive().root == nil)
    #expect(try builder.archive().top.last == KeyedMember("y", .integer(5)))
    builder.top = [:]
    #expect(try builder.archive().root == nil)
    builder.top = ["root": .uid(1), "root": .uid(2)]
    #expect(try builder.archive().top.count == 2)
    #expect(try builder.archive().root == .string("a"))
  }

  @Test func `The XML form is read as the binary one`() throws {
    let builder = ArchiveBuilder.object("NSArray", ["NS.objects": ArchiveBuilder.references(3, 0)], "a")
    #expect(try builder.archive(.xml).root == .array([.string("a"), .null]))
  }

  @Test func `An object that contains itself is shown as such, and is no cycle beside itself`() throws {
    let own = try root(.object("NSArray", ["NS.objects": ArchiveBuilder.references(1, 3, 3)], "a"))
    #expect(own == .array([.cycle(object: 1), .string("a"), .string("a")]))
    let child: PropertyListValue = ["$class": .uid(2), "parent": .uid(1)]
    let tree = try root(.object("Node", ["child": .uid(3), "again": .uid(3)], child))
    #expect(tree["child"]?["parent"] == .cycle(object: 1))
    #expect(tree["again"] == tree["child"])
    #expect(tree.hashValue == tree.hashValue)
  }
}

@Suite("Keyed archives that are written") struct KeyedArchiveWriterTests {
  private let classes: [AnyClass] = [
    NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSDate.self, NSData.self, NSNumber.self, NSNull.self,
  ]
  private let value: PropertyListValue = [
    "text": "é", "nil": "$null",
    "integer": 41, "real": .real(PropertyListReal(1.5)), "flag": true,
    "bytes": .data([1, 2]),
    "since": .date(PropertyListDate(secondsSince2001: 5.25)), "none": .null, "list": [1, "x", []],
    "set": .set(["z"]), "deep": ["a": ["b": "c"]],
  ]

  @Test func `Foundation reads every type as it was`() throws {
    let data = Data(try KeyedArchive.encode(value))
    let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? NSDictionary)
    #expect(read["text"] as? String == "é" && read["integer"] as? Int == 41 && read["real"] as? Double == 1.5)
    #expect(read["flag"] as? Bool == true && read["bytes"] as? Data == Data([1, 2]) && read["none"] is NSNull)
    #expect(read["since"] as? Date == Date(timeIntervalSinceReferenceDate: 5.25))
    let list = try #require(read["list"] as? [Any])
    #expect(list.count == 3 && list[0] as? Int == 1 && list[1] as? String == "x" && (list[2] as? [Any])?.count == 0)
    #expect(read["set"] as? Set<String> == ["z"])
    #expect(((read["deep"] as? [String: Any])?["a"] as? [String: Any])?["b"] as? String == "c")
    #expect(read["nil"] as? String == "$null" && read.count == 11)
  }

  @Test func `Carryover reads every type as it was, and the same value gives the same bytes`() throws {
    let bytes = try KeyedArchive.encode(value)
    let archive = try KeyedArchive(PropertyListDocument(bytes: bytes))
    #expect(archive.root?.propertyList().value == value)
    #expect(try KeyedArchive.encode(value) == bytes)
    for root in [PropertyListValue.boolean(true), .string(""), .null, [], .integer(-1)] {
      let archive = try KeyedArchive(PropertyListDocument(bytes: try KeyedArchive.encode(root)))
      #expect(archive.root?.propertyList().value == root)
    }
  }

  @Test func `of two pairs with one key, the first is written; a reference becomes its number`() throws {
    let twice = PropertyListDictionary(entries: [.init(key: "k", value: 1), .init(key: "k", value: 2)])
    let archive = try KeyedArchive(
      PropertyListDocument(bytes: try KeyedArchive.encode(["a": .dictionary(twice), "u": .uid(7)])))
    #expect(archive.root?.propertyList().value == ["a": ["k": 1], "u": 7])
  }
}

extension KeyedValue {
  static let null = KeyedValue.plain(.null)
  static func string(_ text: String) -> KeyedValue { .plain(.string(text)) }
  static func integer(_ number: PropertyListInteger) -> KeyedValue { .plain(.integer(number)) }
  static func real(_ number: PropertyListReal) -> KeyedValue { .plain(.real(number)) }
  static func boolean(_ flag: Bool) -> KeyedValue { .plain(.boolean(flag)) }
  static func date(_ date: PropertyListDate) -> KeyedValue { .plain(.date(date)) }
  static func data(_ bytes: [UInt8]) -> KeyedValue { .plain(.data(bytes)) }
}

struct ArchiveBuilder {
  var objects: [PropertyListValue] = ["$null"]
  var top: PropertyListDictionary = ["root": .uid(1)]
  var archiver: PropertyListValue? = "NSKeyedArchiver"
  var version: PropertyListValue? = 100_000
  var limits = PropertyListLimits.default

  /// An archive whose first object is of a class, with members; what else is given follows from object 3 on.
  static func object(_ name: String, _ members: PropertyListDictionary, _ more: PropertyListValue...) -> ArchiveBuilder
  {
    var builder = ArchiveBuilder()
    var entries = members.entries
    entries.append(.init(key: "$class", value: .uid(2)))
    builder.objects += [.dictionary(PropertyListDictionary(entries: entries)), Self.definition(name)] + more
    return builder
  }

  static func definition(_ name: String) -> PropertyListValue {
    ["$classname": .string(name), "$classes": [.string(name), "NSObject"]]
  }

  static func references(_ indexes: UInt64...) -> PropertyListValue { .array(indexes.map { .uid($0) }) }

  var value: PropertyListValue {
    var root = PropertyListDictionary()
    if let version { root["$version"] = version }
    if let archiver { root["$archiver"] = archiver }
    root["$top"] = .dictionary(top)
    root["$objects"] = .array(objects)
    return .dictionary(root)
  }

  func document(_ format: PropertyListFormat = .binary) throws -> PropertyListDocument {
    try PropertyListDocument(bytes: try PropertyListDocument.encode(value, as: format), limits: limits)
  }

  func archive(_ format: PropertyListFormat = .binary) throws -> KeyedArchive { try KeyedArchive(document(format)) }

  func error() throws -> KeyedArchiveError? {
    let document = try document()
    return thrown { () throws(KeyedArchiveError) in try KeyedArchive(document) }
  }
}
