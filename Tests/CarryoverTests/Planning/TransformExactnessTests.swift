import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("What a transform keeps")
struct TransformExactnessTests {
  private static let real = PropertyListValue.real(PropertyListReal(42))
  private static let values: [PropertyListValue] = [
    "42", 42, real, true, .null, .data([42]), ["42"], ["a": "42"], .uid(42),
    .date(PropertyListDate(secondsSince2001: 42)),
  ]

  private func kept(_ transform: Transform) -> [PropertyListValue] {
    Self.values.filter { transform.keepsAll(of: $0) }
  }

  @Test("exactText keeps text and integers, and a real only where it is a number's own text")
  func exactText() {
    #expect(kept(.exactText) == ["42", 42])
    #expect(Transform.exactText.keepsAll(of: 4.1, text: "4.10"))
    #expect(Transform.exactText.keepsAll(of: 42, text: "42"))
  }

  @Test("numberText keeps text and integers, and another number in JSON text where its text stays")
  func numberText() {
    #expect(kept(.numberText) == ["42", 42])
    #expect(Transform.numberText.keepsAll(of: 4.1, text: "4.1"))
    #expect(!Transform.numberText.keepsAll(of: 4.1, text: "4.10"))
    #expect(!Transform.numberText.keepsAll(of: 1000.0, text: "1e3"))
    #expect(Transform.numberText.keepsAll(of: 42, text: "42"))
  }

  @Test("wholeNumber keeps integers")
  func wholeNumber() {
    #expect(kept(.wholeNumber) == [42])
    #expect(!Transform.wholeNumber.keepsAll(of: 0, text: "-0"), "an integer spells it another way")
  }

  @Test("integerFromText keeps integers, and text in the integer's own spelling")
  func integerFromText() {
    #expect(kept(.integerFromText) == ["42", 42])
    for text in ["+42", "042", "-0", "00", "", "x", "９"] {
      #expect(!Transform.integerFromText.keepsAll(of: .string(text)), "\(text)")
    }
    #expect(Transform.integerFromText.keepsAll(of: "-42"))
    #expect(Transform.integerFromText.keepsAll(of: "0"))
  }

  @Test("boolean keeps booleans and no number")
  func boolean() { #expect(kept(.boolean) == [true]) }

  @Test("invert keeps booleans")
  func invert() { #expect(kept(.invert) == [true]) }

  @Test("pastSecondsToMilliseconds keeps integers")
  func pastSecondsToMilliseconds() { #expect(kept(.pastSecondsToMilliseconds) == [42]) }

  @Test("jsonWithoutMembers keeps text, whose members are looked at by themselves")
  func jsonWithoutMembers() { #expect(kept(.jsonWithoutMembers(["id"])) == ["42"]) }

  @Test("prefix and dropPrefix keep text; lowercase and uppercase, what they do not change")
  func texts() {
    for transform: Transform in [.prefix("4"), .dropPrefix("4"), .lowercase, .uppercase] {
      #expect(kept(transform) == ["42"])
    }
    #expect(!Transform.lowercase.keepsAll(of: "A") && !Transform.uppercase.keepsAll(of: "a"))
  }

  @Test("map keeps the values whose result no other value has")
  func map() {
    #expect(kept(.map([.init("42", to: 1), .init(42, to: 2), .init(true, to: 1)])) == [42])
    #expect(kept(.map([.init("x", to: "y")])) == [])
  }

  @Test("times keep what their result restores")
  func times() throws {
    #expect(kept(.millisecondsToSeconds) == [42])
    let date = PropertyListValue.date(PropertyListDate(secondsSince2001: 42))
    #expect(kept(.dateToMilliseconds) == [date] && kept(.iso8601) == [date])
    let quarter = PropertyListValue.date(PropertyListDate(secondsSince2001: 42.25))
    #expect(Transform.dateToMilliseconds.keepsAll(of: quarter) && Transform.iso8601.keepsAll(of: quarter))
    #expect(!Transform.dateToMilliseconds.keepsAll(of: .date(PropertyListDate(secondsSince2001: 42.0001))))
    for seconds in [-0.0, .nan, 1e300] {
      let value = PropertyListValue.date(PropertyListDate(secondsSince2001: seconds))
      #expect(!Transform.dateToMilliseconds.keepsAll(of: value) && !Transform.iso8601.keepsAll(of: value), "\(seconds)")
    }
    // At both ends of the calendar and around 1970, neighbours stay apart.
    for start: Int64 in [-62_135_596_800_000, -3, 1_763_640_123_456, 253_402_300_799_990] {
      let made = try (start..<start + 10).map {
        try Transform.millisecondsToSeconds(.integer(PropertyListInteger($0)), now: Moment(secondsSince1970: 0))
      }
      #expect(Set(made).count == 10)
    }
  }

  @Test("jsonOnlyMembers keeps text, and jsonRenamedMembers what the opposite names restore")
  func members() {
    #expect(kept(.jsonOnlyMembers(["id"])) == ["42"])
    let rename = Transform.jsonRenamedMembers([.init("a", to: "b")])
    #expect(kept(rename) == [])
    for (json, keeps) in [
      (#"{ "a" : 1.50 }"#, true), (#"{"c":1}"#, true), ("{}", true), (#"{"b":1}"#, false), (#"{"\u0061":1}"#, false),
      (#"{"a":1,"b":2}"#, false),
    ] { #expect(rename.keepsAll(of: .string(json)) == keeps, "\(json)") }
  }

  @Test("wrap and unwrap keep everything, and data of property lists nothing")
  func structures() {
    #expect(kept(.wrap("a")) == Self.values && kept(.unwrap("a")) == [["a": "42"]])
    #expect(kept(.propertyListData) == [] && kept(.keyedArchive) == [])
  }

  @Test("what a step keeps, it makes of no other value it keeps of the same type")
  func oneToOne() {
    let now = Moment(secondsSince1970: 2_000_000_000)
    let samples: [PropertyListValue] =
      ["0", "00", "-0", "7", "+7", "07", "7.0", "x", true, false]
      + [0, 1, 2, 7, -7, 1_763_640_123].map { .integer(PropertyListInteger(Int64($0))) }
      + [0, 1, 7, 7.5, 1_763_640_123.25].map { .real(PropertyListReal($0)) }
    for transform: Transform in [
      .exactText, .numberText, .wholeNumber, .integerFromText, .boolean, .invert, .pastSecondsToMilliseconds,
      .prefix("0"), .dropPrefix("0"), .lowercase, .uppercase, .millisecondsToSeconds, .wrap("a"),
      .map([.init("7", to: "x"), .init("07", to: "x"), .init("x", to: "7"), .init(true, to: "true")]),
    ] {
      var made: [PropertyListValue: PropertyListValue] = [:]
      for value in samples where transform.keepsAll(of: value) {
        guard let result = try? transform(value, now: now) else { continue }
        if let other = made[result] { #expect(other.kind != value.kind, "\(transform): \(other), \(value)") }
        made[result] = value
      }
      #expect(!made.isEmpty)
    }
  }
}
