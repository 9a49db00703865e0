import PropertyLists
import Testing

@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

@Suite("Values in JSON with their type")
struct CodedValueTests {
  private static let values: [PropertyListValue] =
    (SampleBox.foreign + SampleBox.binaryForeign).map(\.1) + [
      "", "\0\u{1b}", 0, .integer(PropertyListInteger(Int64.min)), .real(PropertyListReal(-0.0)),
      .real(PropertyListReal(.infinity)), .real(PropertyListReal(Double(nan: 5, signaling: false))),
      .real(PropertyListReal(.leastNonzeroMagnitude)), .date(PropertyListDate(secondsSince2001: .nan)),
      .date(PropertyListDate(secondsSince2001: 1e300)), .date(PropertyListDate(secondsSince2001: 0.1)), false, .null,
      .set(["a", 1]), .uid(.max), [:], ["k": 1, "k": 2], ["e\u{301}": 1, "\u{e9}": 2], ["n": .null],
    ]

  @Test("come back with type and bits, through the text of a file")
  func lossless() throws {
    for value in Self.values {
      let text = CodedValue.json(value).text(pretty: true)
      #expect(CodedValue.value(try JSONText(text).value) == value, "\(text)")
    }
  }

  @Test("are as plain as they can be")
  func plain() {
    #expect(CodedValue.json(42).text() == #"{"type":"integer","value":"42"}"#)
    #expect(CodedValue.json(true).text() == #"{"type":"boolean","value":"true"}"#)
    #expect(CodedValue.json(.data([1, 2])).text() == #"{"type":"data","value":"AQI="}"#)
    #expect(
      CodedValue.json(.date(PropertyListDate(secondsSince2001: 0))).text()
        == #"{"type":"date","value":"2001-01-01T00:00:00Z"}"#)
    #expect(
      CodedValue.json(["a": [1.5]]).text()
        == #"{"type":"dictionary","value":{"a":{"type":"array","value":[{"type":"real","value":"1.5"}]}}}"#)
  }

  @Test("come back however deep they are nested, and readers of the JSON are spared the depth")
  func deep() throws {
    var value: PropertyListValue = "core"
    for _ in 0..<400 { value = [value] }
    let text = CodedValue.json(value).text()
    #expect(CodedValue.value(try JSONText(text).value) == value)
  }

  @Test("are not made from JSON that is something else")
  func refused() throws {
    for text in [
      "null", "1", "{}", #"{"type":"integer"}"#, #"{"type":"integer","value":42}"#, #"{"type":"integer","value":"x"}"#,
      #"{"type":"boolean","value":"yes"}"#, #"{"type":"data","value":"A"}"#, #"{"type":"number","value":"1"}"#,
      #"{"type":"array","value":[1]}"#, #"{"type":"string","value":"a","binary":"AAAA"}"#,
      #"{"type":"dictionary","value":[]}"#, #"{"type":"date","value":"soon"}"#, #"{"type":"uid","value":"-1"}"#,
    ] {
      #expect(CodedValue.value(try JSONText(text).value) == nil, "\(text)")
    }
  }

  @Test("base64 is that of RFC 4648, and nothing else is taken for it")
  func base64() {
    let known = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foobar": "Zm9vYmFy"]
    for (text, code) in known {
      #expect(Base64.text(Array(text.utf8)) == code)
      #expect(Base64.bytes(code) == Array(text.utf8))
    }
    for text in ["Z", "Zg", "Zg=", "Zh==", "Zg==Zg==", "Z g=", "Zm9v=", "*"] {
      #expect(Base64.bytes(text) == nil, "\(text)")
    }
    let all = (0...255).map(UInt8.init)
    #expect(Base64.bytes(Base64.text(all)) == all)
  }
}
