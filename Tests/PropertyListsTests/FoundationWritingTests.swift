import Foundation
import PropertyLists
import Testing

@Suite("Foundation reads what is written")
struct FoundationWritingTests {
  /// Every count up to 300, and those around the greatest number that a reference of two bytes can hold.
  private static let counts = Array(1...300) + Array(65_534...65_538)

  private static func integers(_ count: Int) -> PropertyListValue {
    .array((0..<count).map { .integer(PropertyListInteger($0)) })
  }

  /// The number of objects in a binary file.
  private static func objectCount(_ bytes: [UInt8]) -> Int {
    bytes.suffix(24).prefix(8).reduce(0) { $0 << 8 | Int($1) }
  }

  private static func read<Value>(_ bytes: [UInt8], as type: Value.Type = Value.self) throws -> Value {
    try #require(try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? Value)
  }

  @Test("new files, and files in the data of others, of every number of objects")
  func newFiles() throws {
    for count in Self.counts {
      let bytes = try PropertyListDocument.encode(Self.integers(count - 1), as: .binary)
      #expect(Self.objectCount(bytes) == count)
      let outer: [String: Data] = try Self.read(
        try PropertyListDocument.encode(["nested": .data(bytes), "next": 1], as: .binary), as: [String: Any].self
      ).compactMapValues { $0 as? Data }
      #expect(try Self.read([UInt8](try #require(outer["nested"]))) == Array(0..<(count - 1)), "\(count) objects")
    }
  }

  @Test("edited files of every number of objects: a value added, replaced, removed")
  func edits() throws {
    for count in Self.counts where count >= 6 {
      // A dictionary, two keys, a string, an array and its numbers.
      let list = Self.integers(count - 5)
      func file(_ value: PropertyListValue?) throws -> PropertyListDocument {
        var dictionary: PropertyListDictionary = ["list": list]
        dictionary["text"] = value
        return try PropertyListDocument(bytes: try PropertyListDocument.encode(.dictionary(dictionary), as: .binary))
      }
      var edited = [try file(nil).editing([.set("text", "x")]), try file(["a", "b"]).editing([.set("text", "x")])]
      if count <= 300 {
        edited.append(try file("y").editing([.set("text", "z"), .remove("text"), .set("text", "x")]))
      }
      for bytes in edited {
        #expect(Self.objectCount(bytes) == count)
        let read: [String: Any] = try Self.read(bytes)
        #expect(read["text"] as? String == "x" && read["list"] as? [Int] == Array(0..<(count - 5)), "\(count) objects")
      }
      let removed = try PropertyListDocument(bytes: edited[0]).editing([.remove("text")])
      #expect(try Self.read(removed, as: [String: [Int]].self) == ["list": Array(0..<(count - 5))])
    }
  }

  @Test("keyed archives of every number of objects")
  func archives() throws {
    let classes: [AnyClass] = [NSArray.self, NSNumber.self]
    let least = Self.objectCount(try KeyedArchive.encode([]))
    for count in Self.counts where count >= least + 2 {
      // An element adds its number and its reference; one with a number that was there adds its reference only.
      var elements = Array(0..<((count - least) / 2))
      if (count - least) % 2 == 1 { elements.append(0) }
      let bytes = try KeyedArchive.encode(.array(elements.map { .integer(PropertyListInteger($0)) }))
      // The class of the elements' array changes nothing, but references may be shared with numbers.
      let objects = Self.objectCount(bytes)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: Data(bytes)) as? [Int]
      #expect(objects == count && read == elements, "\(objects) objects")
    }
  }

  @Test("edited keyed archives")
  func editedArchives() throws {
    let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
    var counts: Set<Int> = []
    for size in 1...130 {
      let pairs = (0..<size).map {
        PropertyListDictionary.Entry(key: "k\($0)", value: .integer(PropertyListInteger($0 % 57)))
      }
      let bytes = try KeyedArchive.encode(.dictionary(PropertyListDictionary(entries: pairs)))
      let archive = try KeyedDictionary(PropertyListDocument(bytes: bytes))
      let expected = Dictionary(uniqueKeysWithValues: pairs.enumerated().map { ($1.key, $0 % 57) })
      for edits: [PropertyListEdit] in [
        [.set("new", 1_000)], [.set("k0", 2_000)], [.remove("k0")],
        [.set("k0", 3_000), .set("a", 4_000), .set("b", 1)],
      ] {
        let edited = try archive.editing(edits)
        counts.insert(Self.objectCount(edited))
        var changed = expected
        for edit in edits {
          if case .set(let key, .integer(let value)) = edit { changed[key] = value.int64.map(Int.init) }
          if case .remove(let key) = edit { changed[key] = nil }
        }
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: Data(edited)) as? [String: Int]
        #expect(read == changed)
      }
    }
    #expect(counts.contains(256))
  }
}
