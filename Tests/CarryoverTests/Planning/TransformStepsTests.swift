@testable import Carryover

extension PropertyListValue {
  fileprivate var bytes: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }
}

@Suite("Steps for texts, times and structures") struct TransformStepsTests {
  private typealias Failure = TransformFailure
  private static let deep = (0..<500).reduce(PropertyListValue.array([])) { value, _ in .array([value]) }
  private static let huge = String(repeating: "é", count: 1 << 16)

  private func result(_ transform: Transform, _ value: PropertyListValue) -> Result<PropertyListValue, Failure> {
    do throws(Failure) {
      return .success(try transform(value, now: Moment(secondsSince1970: 0)))
    } catch {
      return .failure(error)
    }
  }

  private func date(_ text: String) throws -> PropertyListValue { .date(try #require(PropertyListDate(iso8601: text))) }

  @Test func `a prefix is added to a text, and removed only if it is there`() {
    let (add, drop) = (Transform.prefix("é:"), Transform.dropPrefix("é:"))
    for text in ["u-1", "\u{0}", "é:", "\u{301}", Self.huge] {
      #expect(result(add, .string(text)) == .success(.string("é:" + text)))
      #expect(result(drop, .string("é:" + text)) == .success(.string(text)))
    }
    #expect(result(add, "") == .failure(.empty) && result(drop, "é:") == .failure(.empty))
    for text in ["", "u-1", "É:u", "é", "e\u{301}:u"] {
      #expect(result(drop, .string(text)) == .failure(.noPrefix("é:")), "\(text)")
    }
    #expect(result(.dropPrefix("e"), "e\u{301}x") == .success("\u{301}x"), "a prefix may end within a character")
    for value: PropertyListValue in [1, 1.5, true, .null, .data([0x75]), ["u"], ["u": "u"]] {
      #expect(result(add, value) == .failure(.kind(value.kind)) && result(drop, value) == .failure(.kind(value.kind)))
    }
  }

  @Test func `the case of a text is the same in every language, and no scalar's depends on the next`() {
    for (text, lower, upper) in [
      ("", "", ""), ("Ab1-É", "ab1-é", "AB1-É"), ("İı", "i\u{307}ı", "İI"), ("straße", "straße", "STRASSE"),
      ("ΑΣ", "ασ", "ΑΣ"), ("ǅ", "ǆ", "Ǆ"), ("e\u{301}\u{0}", "e\u{301}\u{0}", "E\u{301}\u{0}"), ("ﬁ", "ﬁ", "FI"),
    ] {
      let (low, up) = (result(.lowercase, .string(text)), result(.uppercase, .string(text)))
      #expect(low == .success(.string(lower)) && up == .success(.string(upper)), "\(text)")
    }
    #expect(result(.lowercase, 1) == .failure(.kind(.integer)) && result(.uppercase, .null) == .failure(.kind(.null)))
    #expect(result(.uppercase, .string(Self.huge)) == .success(.string(String(repeating: "É", count: 1 << 16))))
  }

  @Test func `a map has a result for the values that it lists, with their types, and for no other`() {
    let map = Transform.map([
      .init("yes", to: "a"), .init(1, to: "b"), .init(true, to: "c"), .init("", to: "d"), .init("é", to: "e"),
    ])
    for (value, made): (PropertyListValue, PropertyListValue) in [
      ("yes", "a"), (1, "b"), (true, "c"), ("", "d"), ("é", "e"),
    ] { #expect(result(map, value) == .success(made)) }
    for value: PropertyListValue in ["Yes", "yes ", "1", "true", 0, -1, false, "e\u{301}", .string(Self.huge)] {
      #expect(result(map, value) == .failure(.notListed), "\(value)")
    }
    for value: PropertyListValue in [1.0, .null, .data([]), ["yes"], ["yes": 1], .uid(1)] {
      #expect(result(map, value) == .failure(.kind(value.kind)))
    }
  }

  @Test func `milliseconds become seconds within the calendar`() {
    for (value, seconds): (PropertyListValue, Double) in [
      (1500, 1.5), (0, 0), (-1, -0.001), (1_763_640_123_456, 1_763_640_123.456),
      (253_402_300_799_999, 253402300799.999),
      (-62_135_596_800_000, -62_135_596_800), (.real(PropertyListReal(1500.5)), 1.5005),
      (.real(PropertyListReal(-0.0)), -0.0),
    ] { #expect(result(.millisecondsToSeconds, value) == .success(.real(PropertyListReal(seconds))), "\(value)") }
    let beyond = [253_402_300_800_000, -62_135_596_800_001, .max, .min].map {
      PropertyListValue.integer(PropertyListInteger(Int64($0)))
    }
    let reals = [.nan, .infinity, -.infinity, 1e300].map { PropertyListValue.real(PropertyListReal($0)) }
    let wide = PropertyListInteger("18446744073709551616").map { [PropertyListValue.integer($0)] } ?? []
    for value in beyond + reals + wide {
      #expect(result(.millisecondsToSeconds, value) == .failure(.notInCalendar), "\(value)")
    }
    #expect(wide.count == 1 && result(.millisecondsToSeconds, "1500") == .failure(.kind(.string)))
  }

  @Test func `a date becomes milliseconds and text within the calendar`() throws {
    for (text, milliseconds) in [
      ("2026-01-10T08:00:00Z", 1_768_032_000_000), ("2026-01-10T08:00:00.123Z", 1_768_032_000_123),
      ("1969-12-31T23:59:59.5Z", -500), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
      ("9999-12-31T23:59:59Z", 253_402_300_799_000),
    ] {
      let value = try date(text)
      #expect(result(.iso8601, value) == .success(.string(text)))
      #expect(
        result(.dateToMilliseconds, value) == .success(.integer(PropertyListInteger(Int64(milliseconds)))), "\(text)")
    }
    for seconds in [.nan, .infinity, -.infinity, 1e300, 252_423_993_600, -63_113_904_000.5] {
      let value = PropertyListValue.date(PropertyListDate(secondsSince2001: seconds))
      #expect(result(.iso8601, value) == .failure(.notInCalendar), "\(seconds)")
      #expect(result(.dateToMilliseconds, value) == .failure(.notInCalendar), "\(seconds)")
    }
    for value: PropertyListValue in ["2026-01-10T08:00:00Z", 1, 1.5, true, .null] {
      #expect(result(.iso8601, value) == .failure(.kind(value.kind)))
      #expect(result(.dateToMilliseconds, value) == .failure(.kind(value.kind)))
    }
  }

  @Test func `some members of JSON are kept, byte for byte`() {
    let only = Transform.jsonOnlyMembers(["a", "c", "é"])
    for (json, rest) in [
      (#"{"a":1.50, "b":{"a":[1]} ,"c":"\u0041"}"#, #"{"a":1.50 ,"c":"\u0041"}"#),
      (#"{"b":1,"\u0061":2}"#, #"{"\u0061":2}"#),
      (#" {"a":1,"a":2} "#, #" {"a":1,"a":2} "#), ("{\"é\":1,\"e\u{301}\":2}", #"{"é":1}"#),
      (#"{"a":null}"#, #"{"a":null}"#),
    ] { #expect(result(only, .string(json)) == .success(.string(rest)), "\(json)") }
    for json in ["{}", #"{"b":1}"#, #"{"A":1}"#] { #expect(result(only, .string(json)) == .failure(.empty)) }
    #expect(result(only, "[1]") == .failure(.json(.notObject)))
    #expect(result(only, 1) == .failure(.json(.notText(.integer))))
    for json in ["", "{", "{\"a\":" + String(repeating: "[", count: 5000), #"{"a":"\ud800"}"#] {
      let isRefused = if case .failure(.json) = result(only, .string(json)) { true } else { false }
      #expect(isRefused, "\(json.prefix(9))")
    }
    let many = "{" + (0..<50_000).map { "\"\($0)\":0" }.joined(separator: ",") + ",\"a\":1}"
    #expect(result(only, .string(many)) == .success(#"{"a":1}"#))
  }

  @Test func `members of JSON get other names all at once, and none hides another`() {
    let rename = Transform.jsonRenamedMembers([.init("a", to: "b\""), .init("é", to: "e")])
    for (json, renamed) in [
      (#"{ "a" : 1.50, "c":{"a":2} }"#, #"{ "b\"" : 1.50, "c":{"a":2} }"#), (#"{"c":1}"#, #"{"c":1}"#), ("{}", "{}"),
      (#"{"\u0061":1,"a":2}"#, #"{"b\"":1,"b\"":2}"#), ("{\"e\u{301}\":1}", "{\"e\u{301}\":1}"),
    ] { #expect(result(rename, .string(json)) == .success(.string(renamed)), "\(json)") }
    #expect(result(rename, #"{"a":1,"b\"":2}"#) == .failure(.nameTaken("b\"")))
    #expect(result(rename, #"{"\u0062\"":2,"a":1}"#) == .failure(.nameTaken("b\"")))
    let swap = Transform.jsonRenamedMembers([.init("a", to: "b"), .init("b", to: "a")])
    #expect(result(swap, #"{"a":1,"b":2}"#) == .success(#"{"b":1,"a":2}"#))
    #expect(
      result(swap, "[]") == .failure(.json(.notObject)) && result(swap, true) == .failure(.json(.notText(.boolean))))
  }

  @Test func `any value goes into a dictionary and comes out of it again, if nothing else is in there`() {
    for value: PropertyListValue in ["", 1, 1.5, true, .null, .data([0]), .uid(1), .set([1]), Self.deep, ["a": 1]] {
      let wrapped = result(.wrap("a"), value)
      #expect(wrapped == .success(["a": value]))
      #expect(wrapped.flatMap { result(.unwrap("a"), $0) } == .success(value))
    }
    for value: PropertyListValue in [
      [:] as PropertyListValue, ["b": 1], ["a": 1, "b": 2], ["a": 1, "a": 1], ["A": 1],
    ] {
      #expect(result(.unwrap("a"), value) == .failure(.notWrapped("a")), "\(value)")
    }
    #expect(result(.unwrap("é"), ["e\u{301}": 1]) == .failure(.notWrapped("é")))
    #expect(
      result(.unwrap("a"), "a") == .failure(.kind(.string)) && result(.unwrap("a"), .null) == .failure(.kind(.null)))
  }

  @Test func `a dictionary or an array becomes a binary property list that reads back as the same`() throws {
    for value: PropertyListValue in [[:], [], ["a": 1.5, "b": ["\u{0}", true, .data([0])], "a": 2], Self.deep] {
      let made = try result(.propertyListData, value).get()
      let document = try PropertyListDocument(bytes: try #require(made.bytes))
      #expect(document.format == .binary && document.root == value)
    }
    for (value, kind): (PropertyListValue, PropertyListValue.Kind) in [
      (["a": [.null]], .null), ([.uid(1)], .uid), (["a": ["b": .set([])]], .set),
    ] { #expect(result(.propertyListData, value) == .failure(.contains(kind))) }
    for value: PropertyListValue in ["a", 1, .null, .set([1]), .data([])] {
      #expect(result(.propertyListData, value) == .failure(.kind(value.kind)))
    }
  }
}

@Suite("What a transform keeps") struct TransformExactnessTests {
  private static let real = PropertyListValue.real(PropertyListReal(42))
  private static let values: [PropertyListValue] = [
    "42", 42, real, true, .null, .data([42]), ["42"], ["a": "42"], .uid(42),
    .date(PropertyListDate(secondsSince2001: 42)),
  ]

  private func kept(_ transform: Transform) -> [PropertyListValue] { Self.values.filter { transform.keepsAll(of: $0) } }

  @Test func `exactText keeps text and integers, and a real only where it is a number's own text`() {
    #expect(kept(.exactText) == ["42", 42])
    #expect(Transform.exactText.keepsAll(of: 4.1, text: "4.10"))
    #expect(Transform.exactText.keepsAll(of: 42, text: "42"))
  }

  @Test func `numberText keeps text and integers, and another number in JSON text where its text stays`() {
    #expect(kept(.numberText) == ["42", 42])
    #expect(Transform.numberText.keepsAll(of: 4.1, text: "4.1"))
    #expect(!Transform.numberText.keepsAll(of: 4.1, text: "4.10"))
    #expect(!Transform.numberText.keepsAll(of: 1000.0, text: "1e3"))
    #expect(Transform.numberText.keepsAll(of: 42, text: "42"))
  }

  @Test func `wholeNumber keeps integers`() {
    #expect(kept(.wholeNumber) == [42])
    #expect(!Transform.wholeNumber.keepsAll(of: 0, text: "-0"), "an integer spells it another way")
  }

  @Test func `integerFromText keeps integers, and text in the integer's own spelling`() {
    #expect(kept(.integerFromText) == ["42", 42])
    for text in ["+42", "042", "-0", "00", "", "x", "９"] {
      #expect(!Transform.integerFromText.keepsAll(of: .string(text)), "\(text)")
    }
    #expect(Transform.integerFromText.keepsAll(of: "-42"))
    #expect(Transform.integerFromText.keepsAll(of: "0"))
  }

  @Test func `each keeps its own type; lowercase and uppercase what they do not change, members are looked at alone`() {
    #expect(kept(.boolean) == [true] && kept(.invert) == [true] && kept(.pastSecondsToMilliseconds) == [42])
    for transform: Transform in [.prefix("4"), .dropPrefix("4"), .lowercase, .uppercase, .jsonWithoutMembers(["id"])] {
      #expect(kept(transform) == ["42"])
    }
    #expect(!Transform.lowercase.keepsAll(of: "A") && !Transform.uppercase.keepsAll(of: "a"))
  }

  @Test func `map keeps the values whose result no other value has`() {
    #expect(kept(.map([.init("42", to: 1), .init(42, to: 2), .init(true, to: 1)])) == [42])
    #expect(kept(.map([.init("x", to: "y")])) == [])
  }

  @Test func `times keep what their result restores`() throws {
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

  @Test func `jsonOnlyMembers keeps text, and jsonRenamedMembers what the opposite names restore`() {
    #expect(kept(.jsonOnlyMembers(["id"])) == ["42"])
    let rename = Transform.jsonRenamedMembers([.init("a", to: "b")])
    #expect(kept(rename) == [])
    for (json, keeps) in [
      (#"{ "a" : 1.50 }"#, true), (#"{"c":1}"#, true), ("{}", true), (#"{"b":1}"#, false), (#"{"\u0061":1}"#, false),
      (#"{"a":1,"b":2}"#, false),
    ] { #expect(rename.keepsAll(of: .string(json)) == keeps, "\(json)") }
  }

  @Test func `wrap and unwrap keep everything, and data of property lists nothing`() {
    #expect(kept(.wrap("a")) == Self.values && kept(.unwrap("a")) == [["a": "42"]])
    #expect(kept(.propertyListData) == [] && kept(.keyedArchive) == [])
  }

  @Test func `what a step keeps, it makes of no other value it keeps of the same type`() {
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

@Suite("Moments") struct MomentTests {
  @Test func `a moment is made of a date, to the millisecond, and of any number without a trap`() {
    let date = Date(timeIntervalSince1970: 1_763_640_300.1239)
    #expect(Moment(timeIntervalSince1970: date.timeIntervalSince1970).millisecondsSince1970 == 1_763_640_300_123)
    #expect(Moment(timeIntervalSince1970: -0.0001).millisecondsSince1970 == -1)
    #expect(Moment(timeIntervalSince1970: .infinity).millisecondsSince1970 == .max)
    #expect(Moment(timeIntervalSince1970: -1e300).millisecondsSince1970 == .min)
    #expect(Moment(timeIntervalSince1970: .nan).millisecondsSince1970 == 0)
  }
}
