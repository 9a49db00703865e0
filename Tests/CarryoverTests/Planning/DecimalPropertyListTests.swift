import Carryover
import CarryoverSystem
import Foundation
import PropertyLists
import Testing

/// JSON as an SDK decodes it, with Foundation's own decoder: every number is a `Decimal`.
private enum DecimalJSON: Decodable, Equatable {
  case null, boolean(Bool), number(Decimal), text(String), list([DecimalJSON]), object([String: DecimalJSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .boolean(flag)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Decimal.self) {
      self = .number(number)
    } else if let list = try? container.decode([DecimalJSON].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: DecimalJSON].self))
    }
  }
}

@Suite("Property lists with decimal numbers")
struct DecimalPropertyListTests {
  private func result(_ json: String) throws -> PropertyListValue {
    try Transform.decimalPropertyList(.string(json), now: Moment(secondsSince1970: 0))
  }

  private func decoded(_ json: String) throws -> DecimalJSON {
    guard case .data(let bytes) = try result(json) else { throw CocoaError(.coderInvalidValue) }
    return try PropertyListDecoder().decode(DecimalJSON.self, from: Data(bytes))
  }

  @Test(
    "Foundation's decoder reads every number exactly",
    arguments: [
      ("0", "0"), ("-0", "0"), ("41", "41"), ("-3", "-3"), ("1.5", "1.5"), ("100", "100"), ("1.50", "1.5"),
      ("12345678901234567", "12345678901234567"), ("18446744073709551616", "18446744073709551616"),
      ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"), ("1e2", "100"),
      ("1.5E-3", "0.0015"), ("-1e-127", "-1e-127"), ("1e127", "1e127"), ("0.1", "0.1"),
    ])
  func number(_ lexeme: String, _ value: String) throws {
    let number = try #require(Decimal(string: value))
    #expect(try decoded("{\"n\":\(lexeme)}") == .object(["n": .number(number)]))
  }

  @Test("every other value is what it was, and of two members with one name the last counts")
  func others() throws {
    let json = #"{"a":null,"b":[true,"x",{"c":[]}],"d":{},"e":1,"e":"é"}"#
    #expect(
      try decoded(json)
        == .object([
          "a": .null, "b": .list([.boolean(true), .text("x"), .object(["c": .list([])])]), "d": .object([:]),
          "e": .text("é"),
        ]))
  }

  @Test(
    "a number that a Decimal cannot express, and text that is not a JSON object, have no result",
    arguments: [
      #"{"n":340282366920938463463374607431768211456}"#, #"{"n":1e128}"#, #"{"a":0.1e-9223372036854775808}"#,
      #"{"a":10e9223372036854775807}"#, #"{"n":1e-129}"#,
      #"{"n":1e99999999999999999999}"#, "[1]", "{", "",
    ])
  func refused(_ json: String) { #expect(throws: TransformFailure.self) { try result(json) } }

  @Test("a property list with plain numbers is one that the decoder refuses")
  func plainNumbers() throws {
    let plain = try PropertyListSerialization.data(
      fromPropertyList: ["n": 41], format: .binary, options: 0)
    #expect(throws: (any Error).self) { try PropertyListDecoder().decode([String: Decimal].self, from: plain) }
  }
}
