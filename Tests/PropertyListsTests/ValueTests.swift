@Suite("Values") struct ValueTests {
  @Test func `Equality is by type and value`() {
    let values: [PropertyListValue] = [
      true, 1, 1.0, "1", .uid(1), .data([1]), .array([1]), .set([1]), .null, .real(PropertyListReal(single: 1)),
      .date(PropertyListDate(secondsSince2001: 1)), "é", "e\u{301}", 0.0, -0.0, ["a": 1], .real(PropertyListReal(.nan)),
      .dictionary(["a": 1, "b": 2]), .dictionary(["b": 2, "a": 1]), .array([[1], 2]), .array([[1, 2]]),
    ]
    for (left, first) in values.enumerated() {
      for (right, second) in values.enumerated() { #expect((first == second) == (left == right)) }
    }
    #expect(Set(values).count == values.count)
    #expect(Set(values.map(\.kind.rawValue)).count == PropertyListValue.Kind.allCases.count)
  }

  @Test func `Bytes are text only where they are UTF-8, as the standard library has it`() {
    let texts: [[UInt8]] = [
      [], [0], Array("text of more than eight bytes".utf8), Array("größe ☕️ 😀".utf8), [0x80], [0xC0, 0x80], [0xC2],
      [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBD], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], Array("0123456789".utf8) + [0xFF],
    ]
    for bytes in texts {
      // The standard library replaces what is not UTF-8.
      let repaired = String(decoding: bytes, as: UTF8.self)
      #expect(String(utf8: bytes) == (Array(repaired.utf8) == bytes ? repaired : nil), "\(bytes)")
      #expect(String(utf8: bytes[...]).map { Array($0.utf8) } == (String(utf8: bytes) == nil ? nil : bytes))
      #expect(String(utf8: bytes.lazy.map { $0 }) == String(utf8: bytes), "\(bytes)")
    }
  }

  @Test func `Integers of up to 128 bits have exact decimal text`() {
    let texts = [
      "0", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
      "18446744073709551616", "-9223372036854775809", "170141183460469231731687303715884105727",
      "-170141183460469231731687303715884105728", "100000000000000000000000000000000000000",
    ]
    for text in texts { #expect(PropertyListInteger(text)?.description == text) }
    for text in ["", "-", "+", "1.0", " 1", "1 ", "0x1", "170141183460469231731687303715884105728", "１"] {
      #expect(PropertyListInteger(text) == nil)
    }
    #expect(PropertyListInteger("+007") == 7)
    #expect(PropertyListInteger(UInt64.max).int64 == nil)
    #expect(PropertyListInteger(UInt64.max).uint64 == .max)
    #expect(PropertyListInteger(Int64.min).int64 == .min)
    #expect(PropertyListInteger(Int64.min).uint64 == nil)
    #expect(PropertyListInteger(5).uint64 == 5)
    let sorted = texts.compactMap { PropertyListInteger($0) }.sorted().map(\.description)
    #expect(sorted.first == "-170141183460469231731687303715884105728")
    #expect(sorted.last == "170141183460469231731687303715884105727")
    #expect(sorted.firstIndex(of: "-1") == 3)
  }

  @Test func `Reals have the shortest text of their width`() {
    #expect(PropertyListReal(0.1).description == "0.1")
    #expect(PropertyListReal(single: 0.1).description == "0.1")
    #expect(PropertyListReal(single: 0.1).value == Double(0.1 as Float))
    #expect(PropertyListReal(0.1, width: .single) == PropertyListReal(single: 0.1))
  }

  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (785_405_730, "2025-11-21T08:15:30Z"),
      (-978_307_200, "1970-01-01T00:00:00Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
      (252_423_993_599, "9999-12-31T23:59:59Z"), (-26_524_800, "2000-02-29T00:00:00Z"),
      (0.25, "2001-01-01T00:00:00.25Z"), (-0.25, "2000-12-31T23:59:59.75Z"), (0.1, "2001-01-01T00:00:00.1Z"),
      (0.00005, "2001-01-01T00:00:00.00005Z"), (785_405_730.123456, "2025-11-21T08:15:30.123456Z"),
      (-3_155_760_000, "1901-01-01T00:00:00Z"),
    ] as [(Double, String)])
  func `Dates are ISO 8601 text in UTC and back`(seconds: Double, text: String) throws {
    let date = PropertyListDate(secondsSince2001: seconds)
    #expect(date.description == text)
    #expect(PropertyListDate(iso8601: date.description) == date)
  }

  @Test func `Every day of four centuries has the text that Foundation gives it`() {
    for day in -36_890..<109_207 {
      let seconds = Double(day * 86_400)
      let expected = Date(timeIntervalSinceReferenceDate: seconds).ISO8601Format()
      #expect(PropertyListDate(secondsSince2001: seconds).description == expected)
    }
  }

  @Test func `What is no date is said in words`() {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 252_423_993_600, -63_113_904_001] {
      let date = PropertyListDate(secondsSince2001: seconds)
      #expect(!date.isInCalendarRange)
      #expect(date.description.hasPrefix("no"))
    }
    for text in [
      "", "Z", "2001-01-01T00:00:00.Z", "2001-13-01T00:00:00Z", "0000-01-01T00:00:00Z", "2001-01-01T00:60:00Z",
    ] {
      #expect(PropertyListDate(iso8601: text) == nil)
    }
    #expect(PropertyListDate(secondsSince1970: 0).secondsSince2001 == -978_307_200)
    #expect(PropertyListDate(secondsSince2001: 0).secondsSince1970 == 978_307_200)
  }

  @Test func `A dictionary finds the first pair of a key, replaces in place and removes every pair`() {
    var dictionary: PropertyListDictionary = ["a": 1, "é": 2, "a": 3, "e\u{301}": 4]
    #expect(dictionary["a"] == 1)
    #expect(dictionary["é"] == 2)
    #expect(dictionary["e\u{301}"] == 4)
    let index = dictionary.indexed()
    #expect(index["a"] == 1 && index["é"] == 2 && index["e\u{301}"] == 4 && index["x"] == nil)
    dictionary["a"] = 5
    #expect(dictionary.keys.map { Array($0.utf8) } == ["a", "é", "e\u{301}"].map { Array($0.utf8) })
    #expect(dictionary["a"] == 5)
    dictionary["new"] = 6
    dictionary["a"] = nil
    dictionary["absent"] = nil
    #expect(dictionary == ["é": 2, "e\u{301}": 4, "new": 6])
    #expect(dictionary.count == 3)
  }
}

@Suite("Large files") struct LargeFileTests {
  private static let count = 20_000

  private func file() throws -> [UInt8] {
    var entries: [PropertyListDictionary.Entry] = []
    for index in 0..<Self.count { entries.append(.init(key: "key \(index)", value: .string("value \(index % 100)"))) }
    entries += [.init(key: "é", value: ["nested": [1, 2]]), .init(key: "key 7", value: "again")]
    return try PropertyListDocument.encode(.dictionary(PropertyListDictionary(entries: entries)), as: .binary)
  }

  @Test(arguments: PropertyListFormat.allCases)
  func `A duplicate among many keys is found, in both formats`(format: PropertyListFormat) throws {
    let root = try PropertyListDocument(bytes: try file()).root
    let document = try PropertyListDocument(bytes: try PropertyListDocument.encode(root, as: format))
    #expect(document.root == root)
    #expect(document.findings.map(\.reason) == ["The key “key 7” occurs more than once; every pair was kept"])
  }
}
