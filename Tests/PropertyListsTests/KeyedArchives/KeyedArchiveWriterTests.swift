import Foundation
import PropertyLists
import Testing

@Suite("Keyed archives that are written")
struct KeyedArchiveWriterTests {
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

  @Test("Foundation reads every type as it was")
  func foundation() throws {
    let data = Data(try KeyedArchive.encode(value))
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? NSDictionary)
    #expect(read["text"] as? String == "é" && read["integer"] as? Int == 41 && read["real"] as? Double == 1.5)
    #expect(read["flag"] as? Bool == true && read["bytes"] as? Data == Data([1, 2]) && read["none"] is NSNull)
    #expect(read["since"] as? Date == Date(timeIntervalSinceReferenceDate: 5.25))
    let list = try #require(read["list"] as? [Any])
    #expect(list.count == 3 && list[0] as? Int == 1 && list[1] as? String == "x" && (list[2] as? [Any])?.count == 0)
    #expect(read["set"] as? Set<String> == ["z"])
    #expect(((read["deep"] as? [String: Any])?["a"] as? [String: Any])?["b"] as? String == "c")
    #expect(read["nil"] as? String == "$null" && read.count == 11)
  }

  @Test("Carryover reads every type as it was, and the same value gives the same bytes")
  func own() throws {
    let bytes = try KeyedArchive.encode(value)
    let archive = try KeyedArchive(PropertyListDocument(bytes: bytes))
    #expect(archive.root?.propertyList().value == value)
    #expect(try KeyedArchive.encode(value) == bytes)
    for root in [PropertyListValue.boolean(true), .string(""), .null, [], .integer(-1)] {
      let archive = try KeyedArchive(PropertyListDocument(bytes: try KeyedArchive.encode(root)))
      #expect(archive.root?.propertyList().value == root)
    }
  }

  @Test("of two pairs with one key, the first is written; a reference becomes its number")
  func odd() throws {
    let twice = PropertyListDictionary(entries: [.init(key: "k", value: 1), .init(key: "k", value: 2)])
    let archive = try KeyedArchive(
      PropertyListDocument(bytes: try KeyedArchive.encode(["a": .dictionary(twice), "u": .uid(7)])))
    #expect(archive.root?.propertyList().value == ["a": ["k": 1], "u": 7])
  }
}
