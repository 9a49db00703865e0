import Foundation
import PropertyLists
import Testing

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

@Suite("Keyed archives of other writers")
struct KeyedOracleTests {
  private func archive(_ object: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> KeyedArchive {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = format
    archiver.encode(object, forKey: "root")
    archiver.finishEncoding()
    return try KeyedArchive(PropertyListDocument(bytes: [UInt8](archiver.encodedData)))
  }

  @Test("Foundation's archives of traits are read as they were", arguments: [true, false])
  func foundation(isBinary: Bool) throws {
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
    guard case .object(let object) = address else {
      Issue.record("no object")
      return
    }
    #expect(object.objectClass.chain == [object.objectClass.name, "NSObject"])
    let plain = root.propertyList()
    #expect(plain.leftOut == [KeyedLeftOut(path: [.name("address")], reason: .foreignClass(object.objectClass.name))])
    guard case .dictionary(let left)? = plain.value else {
      Issue.record("no dictionary")
      return
    }
    #expect(Set(left.keys) == ["email", "age", "nested"])
  }

  @Test(
    "plistlib's archives are read as it wrote them",
    .enabled(if: Tool.python != nil || Tool.isRequired, "python3 is not installed"))
  func plistlib() throws {
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
    try Tool.withFolder { folder in
      #expect(try Tool.run(Tool.python, "python3", ["-c", writer, folder.path]).status == 0)
      for name in ["a.plist", "b.plist"] {
        let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
        let root = try KeyedArchive(PropertyListDocument(bytes: bytes)).root
        #expect(root?["size"] == .integer(PropertyListInteger(UInt64(1) << 63)))
        #expect(root?["path"]?["RelativePath"] == .string("a/é"))
        #expect(root?["path"]?["Mode"] == .integer(33_188))
      }
    }
  }
}
