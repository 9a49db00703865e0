import PropertyLists
import Testing

@Suite("Conversion of keyed archives")
struct KeyedConversionTests {
  private let foreign = KeyedValue.object(
    KeyedObject(
      index: 9, objectClass: KeyedClass(name: "Acme.Address", chain: ["Acme.Address", "NSObject"]),
      members: [KeyedMember("city", .string("Ulm")), KeyedMember("self", .cycle(object: 9))]))

  @Test("Values of the property-list classes become plain values, none left out")
  func plain() throws {
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

  @Test("What is of other classes is skipped and named with its path; the rest stays")
  func leftOut() {
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

  @Test("Showing leaves nothing out")
  func shown() {
    #expect(
      foreign.shownJSON.text()
        == #"{"$class":"Acme.Address","$classes":["Acme.Address","NSObject"],"city":"Ulm","self":{"$cycle":9}}"#)
    let value = KeyedValue.dictionary([
      KeyedPair(.string("a"), .integer(1)),
      KeyedPair(.array([.integer(3)]), .url(KeyedURL(relative: "x", bases: ["b"]))),
    ])
    #expect(
      value.shownJSON.text()
        == #"[{"key":"a","value":1},{"key":[3],"value":{"$relative":"x","$bases":["b"]}}]"#)
    let odd = KeyedValue.array([
      .real(PropertyListReal(.nan)), .real(PropertyListReal(-.infinity)),
      .date(PropertyListDate(secondsSince2001: .nan)),
    ])
    #expect(odd.shownJSON == ["nan", "-inf", "not a date (NaN)"])
    #expect(odd.json().value == [])
    #expect(odd.json().leftOut.map(\.reason) == [.notFinite, .notFinite, .notFinite])
    #expect(odd.propertyList().isComplete)
  }

  @Test("Numbers are exact in JSON")
  func numbers() throws {
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

  @Test("At most a thousand are named, all are counted")
  func many() {
    let plain = KeyedValue.array(Array(repeating: foreign, count: 1500)).propertyList()
    #expect(plain.leftOut.count == 1000)
    #expect(plain.leftOutCount == 1500)
    #expect(plain.value == [])
  }
}
