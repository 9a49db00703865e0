@testable import PropertyLists

@Suite("Conversion of keyed archives") struct KeyedConversionTests {
  private let foreign = KeyedValue.object(
    KeyedObject(
      index: 9, objectClass: KeyedClass(name: "Acme.Address", chain: ["Acme.Address", "NSObject"]),
      members: [KeyedMember("city", .string("Ulm")), KeyedMember("self", .cycle(object: 9))]))

  @Test func `Values of the property-list classes become plain values, none left out`() throws {
    let uuid = try #require(KeyedUUID(bytes: Array(repeating: 0xAB, count: 16)))
    let value = KeyedValue.dictionary([
      KeyedPair(.string("text"), .string("a")), KeyedPair(.string("text"), .integer(7)),
      KeyedPair(.string("list"), .array([.real(PropertyListReal(single: 0.5)), .boolean(true), .null])),
      KeyedPair(.string("set"), .set([.data([1])])), KeyedPair(.string("ordered"), .orderedSet([])),
      KeyedPair(.string("url"), .url(KeyedURL(relative: "http://a"))), KeyedPair(.string("uuid"), .uuid(uuid)),
      KeyedPair(.string("date"), .date(PropertyListDate(secondsSince2001: 1))),
    ])
    let plain = value.propertyList()
    let expected: PropertyListValue = [
      "text": "a", "text": 7, "list": [.real(PropertyListReal(single: 0.5)), true, .null], "set": .set([.data([1])]),
      "ordered": [], "url": "http://a", "uuid": "ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB",
      "date": .date(PropertyListDate(secondsSince2001: 1)),
    ]
    #expect(plain.value == expected)
    #expect(plain.isComplete)
    let json = value.json()
    #expect(json.isComplete)
    #expect(
      json.value?.text()
        == #"{"text":"a","text":7,"list":[0.5,true,null],"set":["AQ=="],"ordered":[],"url":"http://a","#
        + #""uuid":"ABABABAB-ABAB-ABAB-ABAB-ABABABABABAB","date":"2001-01-01T00:00:01Z"}"#)
    #expect(value.shownJSON == json.value)
  }

  @Test func `What is of other classes is skipped and named with its path; the rest stays`() {
    let value = KeyedValue.dictionary([
      KeyedPair(.string("a"), .array([.integer(1), foreign, .dictionary([KeyedPair(.string("b"), foreign)])])),
      KeyedPair(.integer(3), .string("lost")), KeyedPair(.string("c"), .cycle(object: 4)),
      KeyedPair(.string("u"), .url(KeyedURL(relative: "x", bases: ["http://a"]))), KeyedPair(.string("z"), .integer(2)),
    ])
    let plain = value.propertyList()
    #expect(plain.value == ["a": [1, [:]], "z": 2])
    let expected: [(String, KeyedLeftOut.Reason)] = [
      ("[1]", .keyNotString(.integer)), ("a[1]", .foreignClass("Acme.Address")),
      ("a[2].b", .foreignClass("Acme.Address")), ("c", .cycle(object: 4)), ("u", .relativeURL),
    ]
    #expect(plain.leftOut.map(\.pathText) == expected.map(\.0))
    #expect(plain.leftOut.map(\.reason) == expected.map(\.1))
    #expect(plain.leftOutCount == 5)
    #expect(!plain.isComplete)
    #expect(
      plain.leftOut[1].description
        == "a[1] is of the class “Acme.Address”, which is not a property-list class, and was skipped.")
    #expect(value.json().value == ["a": [1, [:]], "z": 2])
    #expect(foreign.propertyList().value == nil)
    #expect(foreign.propertyList().leftOut.first?.path == [])
    #expect(Set(plain.leftOut.map(\.description)).count == 5)
  }

  @Test func `Showing leaves nothing out`() {
    #expect(
      foreign.shownJSON.text()
        == #"{"$class":"Acme.Address","$classes":["Acme.Address","NSObject"],"city":"Ulm","self":{"$cycle":9}}"#)
    let value = KeyedValue.dictionary([
      KeyedPair(.string("a"), .integer(1)),
      KeyedPair(.array([.integer(3)]), .url(KeyedURL(relative: "x", bases: ["b"]))),
    ])
    #expect(value.shownJSON.text() == #"[{"key":"a","value":1},{"key":[3],"value":{"$relative":"x","$bases":["b"]}}]"#)
    let odd = KeyedValue.array([
      .real(PropertyListReal(.nan)), .real(PropertyListReal(-.infinity)),
      .date(PropertyListDate(secondsSince2001: .nan)),
    ])
    #expect(odd.shownJSON == ["nan", "-inf", "not a date (NaN)"])
    #expect(KeyedValue(.dictionary(["a": .array([.uid(7), 1])])).shownJSON.text() == #"{"a":[7,1]}"#)
    #expect(odd.json().value == [])
    #expect(odd.json().leftOut.map(\.reason) == [.notFinite, .notFinite, .notFinite])
    #expect(odd.propertyList().isComplete)
  }

  @Test func `Numbers are exact in JSON`() throws {
    let huge = try #require(PropertyListInteger("170141183460469231731687303715884105727"))
    let value = KeyedValue.array([
      .integer(PropertyListInteger(UInt64.max)), .integer(PropertyListInteger(Int64.min)), .integer(huge),
      .real(PropertyListReal(0.1)), .real(PropertyListReal(single: 0.1)), .real(PropertyListReal(4)), .boolean(true),
    ])
    #expect(
      value.json().value?.text()
        == "[18446744073709551615,-9223372036854775808,170141183460469231731687303715884105727,0.1,"
        + "0.10000000149011612,4,true]")
  }

  @Test func `At most a thousand are named, all are counted`() {
    let plain = KeyedValue.array(Array(repeating: foreign, count: 1500)).propertyList()
    #expect(plain.leftOut.count == 1000)
    #expect(plain.leftOutCount == 1500)
    #expect(plain.value == [])
  }
}

@Suite("Keyed archives that are edited") struct KeyedDictionaryTests {
  private func foundation(_ root: NSDictionary) throws -> PropertyListDocument {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(root, forKey: "root")
    archiver.finishEncoding()
    return try PropertyListDocument(bytes: [UInt8](archiver.encodedData))
  }

  private func edited(_ document: PropertyListDocument, _ edits: PropertyListEdit...) throws -> KeyedDictionary {
    try KeyedDictionary(PropertyListDocument(bytes: KeyedDictionary(document).editing(edits)))
  }

  private func error(_ builder: ArchiveBuilder) throws -> KeyedArchiveError? {
    let document = try builder.document()
    return thrown { () throws(KeyedArchiveError) in try KeyedDictionary(document) }
  }

  @Test func `objects of other classes stay as they are, and no removed value stays in the file`() throws {
    let document = try foundation([
      "address": ArchivedAddress(), "id": "first-id", "session": ["token": "secret-1", "city": "Ulm"] as NSDictionary,
    ])
    let before = try KeyedArchive(document).root
    let after = try edited(
      document, .set("id", "second-id"), .remove("session"), .set("flag", true), .set("list", ["a", .data([7])]))
    let root = try KeyedArchive(after.document).root
    #expect(root?["address"]?["city"] == .string("Ulm") && root?["address"] == before?["address"])
    #expect(after.dictionary["address"] == .null)
    #expect(after.dictionary["id"] == "second-id" && after.dictionary["flag"] == true)
    #expect(after.dictionary["list"] == ["a", .data([7])] && after.dictionary["session"] == nil)
    let text = String(decoding: after.document.bytes, as: UTF8.self)
    for gone in ["first-id", "secret-1", "session", "token"] { #expect(!text.contains(gone), "\(gone)") }
    #expect(try KeyedDictionary(document).editing([]) == document.bytes)
  }

  @Test func `Foundation reads an edited archive, also one in XML`() throws {
    for format in [PropertyListFormat.binary, .xml] {
      let new = try PropertyListDocument(bytes: KeyedArchive.encode(["id": "a", "n": 7, "s": "$null"]))
      let document = try PropertyListDocument(bytes: PropertyListDocument.encode(new.root, as: format))
      let bytes = try edited(document, .set("id", "b"), .set("new", "c"), .remove("n")).document.bytes
      let read = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(Data(bytes)) as? [String: String]
      #expect(read == ["id": "b", "new": "c", "s": "$null"])
    }
  }

  @Test func `of several pairs with one key, one stays; keys that are no strings, and the object, stay`() throws {
    var builder = ArchiveBuilder.object(
      "NSMutableDictionary",
      [
        "NS.keys": ArchiveBuilder.references(3, 5, 3, 4), "NS.objects": ArchiveBuilder.references(4, 3, 5, 1),
        "note": "kept",
      ])
    builder.objects += ["id", "x", 7]
    let after = try edited(builder.document(), .set("id", "y"), .set("x", 8))
    #expect(after.dictionary.entries == [.init(key: "id", value: "y"), .init(key: "x", value: 8)])
    guard case .array(let objects)? = after.document.dictionary?["$objects"] else { return }
    guard case .dictionary(let root) = objects[1] else { return }
    #expect(root["note"] == "kept" && root["$class"] == .uid(2))
    #expect(try KeyedArchive(after.document).root?.kind == .dictionary)
    #expect(try edited(builder.document(), .remove("id")).dictionary.keys == ["x"])
  }

  @Test func `an archive without a dictionary that can be edited is refused`() throws {
    func wrong(_ found: KeyedValue.Kind) -> KeyedArchiveError { .wrong("root", [.dictionary], found) }
    #expect(try error(.object("NSArray", ["NS.objects": []])) == wrong(.array))
    #expect(try error(.object("AcmeCache", ["NS.keys": [], "NS.objects": []])) == wrong(.object))
    #expect(
      try error(.object("NSDictionary", ["NS.key.0": .uid(3), "NS.object.0": .uid(3)], "id"))
        == .missing("NS.keys", object: 1))
    var builder = ArchiveBuilder.object("NSDictionary", ["NS.keys": [], "NS.objects": []])
    builder.top = ["data": .uid(1)]
    #expect(try error(builder) == .missing("root"))
    builder.top = ["root": ["id": "x"]]
    #expect(try error(builder) == .wrong("root", [.reference], KeyedValue.Kind.dictionary))
    builder.top = ["root": .uid(9)]
    #expect(try error(builder) == .referenceOutside(9, count: 3, object: nil))
  }
}

/// An object of a class of its own, as an app might keep one among its traits.
final class ArchivedAddress: NSObject, NSCoding {
  override init() { super.init() }
  init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode("Ulm" as NSString, forKey: "city")
    coder.encode(89_073, forKey: "code")
    coder.encode(true, forKey: "home")
    coder.encode(48.5, forKey: "latitude")
    coder.encode("x" as NSString, forKey: "$odd")
    coder.encode(NSArray(array: [NSNumber(value: 1)]), forKey: "floors")
  }
}

@Suite("Keyed archives of other writers") struct KeyedOracleTests {
  private func archive(_ object: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> KeyedArchive {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = format
    archiver.encode(object, forKey: "root")
    archiver.finishEncoding()
    return try KeyedArchive(PropertyListDocument(bytes: [UInt8](archiver.encodedData)))
  }

  @Test(arguments: [true, false])
  func `Foundation's archives of traits are read as they were`(isBinary: Bool) throws {
    let format: PropertyListSerialization.PropertyListFormat = isBinary ? .binary : .xml
    let bytes: [UInt8] = Array(1...16)
    let uuid = try #require(NSUUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10"))
    let values: [(NSObject, KeyedValue)] = [
      (NSString("a@b.co"), .string("a@b.co")), (NSMutableString(string: "é"), .string("é")),
      (NSNumber(value: 42), .integer(42)), (NSNumber(value: -1.5), .real(PropertyListReal(-1.5))),
      (NSNumber(value: true), .boolean(true)), (NSNumber(value: false), .boolean(false)),
      (NSDate(timeIntervalSinceReferenceDate: 5.25), .date(PropertyListDate(secondsSince2001: 5.25))),
      (NSData(data: Data([1, 2])), .data([1, 2])), (NSMutableData(data: Data([3])), .data([3])), (NSNull(), .null),
      (uuid, .uuid(try #require(KeyedUUID(bytes: bytes)))),
      (NSArray(array: [NSString("z"), NSString("z")]), .array([.string("z"), .string("z")])),
      (NSSet(array: [NSString("z")]), .set([.string("z")])),
      (NSOrderedSet(array: [NSString("y"), NSString("z")]), .orderedSet([.string("y"), .string("z")])),
      (NSOrderedSet(), .orderedSet([])), (NSArray(), .array([])), (NSDictionary(), .dictionary([])),
    ]
    for (object, value) in values { #expect(try archive(object, format).root == value, "\(value)") }
    let base = try #require(URL(string: "http://a/b"))
    let url = try #require(NSURL(string: "c", relativeTo: base))
    #expect(try archive(url, format).root == .url(KeyedURL(relative: "c", bases: ["http://a/b"])))
    #expect(try archive(base as NSURL, format).root == .url(KeyedURL(relative: "http://a/b")))

    let traits = NSMutableDictionary()
    traits["email"] = NSString("a@b.co")
    traits["age"] = NSNumber(value: 42)
    traits["nested"] = NSDictionary(dictionary: ["since": NSDate(timeIntervalSinceReferenceDate: 1)])
    traits["address"] = ArchivedAddress()
    let root = try #require(try archive(traits, format).root)
    #expect(root["email"] == .string("a@b.co"))
    #expect(root["age"] == .integer(42))
    #expect(root["nested"]?["since"] == .date(PropertyListDate(secondsSince2001: 1)))
    let address = try #require(root["address"])
    #expect(address["city"] == .string("Ulm"))
    #expect(address["code"] == .integer(89_073))
    #expect(address["home"] == .boolean(true))
    #expect(address["latitude"] == .real(PropertyListReal(48.5)))
    #expect(address["floors"] == .array([.integer(1)]))
    #expect(address["$$odd"] == .string("x"))
    guard case .object(let object) = address else { return #expect(Bool(false), "no object") }
    #expect(object.objectClass.chain == [object.objectClass.name, "NSObject"])
    let plain = root.propertyList()
    #expect(plain.leftOut == [KeyedLeftOut(path: [.name("address")], reason: .foreignClass(object.objectClass.name))])
    guard case .dictionary(let left)? = plain.value else { return #expect(Bool(false), "no dictionary") }
    #expect(Set(left.keys) == ["email", "age", "nested"])
  }

  @Test(.enabled(if: Tool.python != nil || Tool.isRequired, "python3 is not installed"))
  func `plistlib's archives are read as it wrote them`() throws {
    let writer = """
      import plistlib, sys
      def archive(U): return {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": U(1)}, "$objects": ["$null",
        {"NS.keys": [U(2), U(3)], "NS.objects": [U(4), U(5)], "$class": U(8)}, "size", "path", 2**63, {"$class": U(6),
        "Mode": 33188, "RelativePath": U(7)}, {"$classname": "MBFile", "$classes": ["MBFile", "NSObject"]}, "a/é",
        {"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]}]}
      def uid(number): return {"CF$UID": number}
      for name, form, U in (("a.plist", plistlib.FMT_XML, uid), ("b.plist", plistlib.FMT_BINARY, plistlib.UID)):
          with open(sys.argv[1] + "/" + name, "wb") as file:
              plistlib.dump(archive(U), file, fmt=form, sort_keys=False)
      """
    let folder = TemporaryFolder()
    #expect(try Tool.run(Tool.python, "python3", ["-c", writer, folder.path]).status == 0)
    for name in ["a.plist", "b.plist"] {
      let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name)))
      let root = try KeyedArchive(PropertyListDocument(bytes: bytes)).root
      #expect(root?["size"] == .integer(PropertyListInteger(UInt64(1) << 63)))
      #expect(root?["path"]?["RelativePath"] == .string("a/é"))
      #expect(root?["path"]?["Mode"] == .integer(33_188))
    }
  }
}
