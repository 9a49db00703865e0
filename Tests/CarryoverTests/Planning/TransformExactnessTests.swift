import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

/// Which values each transform keeps all of, so that the legacy one may go.
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

  @Test("what a step keeps, it makes of no other value it keeps of the same type")
  func oneToOne() {
    let now = Moment(secondsSince1970: 2_000_000_000)
    let samples: [PropertyListValue] =
      ["0", "00", "-0", "7", "+7", "07", "7.0", "x", true, false]
      + [0, 1, 2, 7, -7, 1_763_640_123].map { .integer(PropertyListInteger(Int64($0))) }
      + [0, 1, 7, 7.5, 1_763_640_123.25].map { .real(PropertyListReal($0)) }
    for transform: Transform in [
      .exactText, .numberText, .wholeNumber, .integerFromText, .boolean, .invert, .pastSecondsToMilliseconds,
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
