@Suite("Reading XML") struct XMLReadingTests {
  private func read(_ body: String) throws(PropertyListError) -> PropertyListDocument {
    try PropertyListDocument(bytes: Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(body)</plist>".utf8))
  }

  private func error(_ body: String) -> PropertyListError.Reason? {
    guard let error = thrown({ () throws(PropertyListError) in try read(body) }) else { return nil }
    #expect(error.position?.line != nil && !error.description.isEmpty)
    return error.reason
  }

  @Test func `Entities, character references, CDATA and comments`() throws {
    #expect(try read("<string>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</string>").root == "<>&\"'A😀")
    #expect(try read("<string>a<![CDATA[<b>&amp;]]>c</string>").root == "a<b>&amp;c")
    #expect(try read("<string>a<!-- no -->b</string>").root == "ab")
    #expect(try read("<string></string>").root == "")
    #expect(try read("<string/>").root == "")
    #expect(try read("<string a='1' b = \"2\">x</string >").root == "x")
    #expect(try read("<!-- c --><array> <!-- c --> <true></true><false/><?pi?></array>").root == [true, false])
    #expect(try read("<string>a\r\nb</string>").root == "a\r\nb")
    #expect(error("<string>&unknown;</string>") == "The entity &unknown; is unknown")
    #expect(error("<string>&#xD800;</string>") == "The character reference &#xD800; is not a character")
    #expect(error("<string>&#0;</string>") == "The character reference &#0; is not a character")
    #expect(error("<string>&#+5;</string>") == "The character reference &#+5; is not a character")
    #expect(error("<string>a & b</string>") == .malformed("& does not begin a reference"))
  }

  @Test func `Integers in decimal and hexadecimal`() throws {
    let expected: [(String, PropertyListValue)] = [
      ("42", 42), ("-42", -42), ("+42", 42), (" 42 ", 42), ("0x2A", 42), ("-0x2a", -42), ("007", 7),
      ("18446744073709551615", .integer(PropertyListInteger(UInt64.max))),
      ("-9223372036854775808", .integer(PropertyListInteger(Int64.min))),
    ]
    for (text, value) in expected { #expect(try read("<integer>\(text)</integer>").root == value) }
    for text in ["", "-", "0x", "1.0", "1e3", "4 2", "0b1", String(repeating: "9", count: 40)] {
      #expect(error("<integer>\(text)</integer>") == "The text of an integer is not an integer of at most 128 bits")
    }
    #expect(error("<integer/>") == "The text of an integer is not an integer of at most 128 bits")
    let wide = try read("<integer>18446744073709551616</integer>")
    #expect(wide.findings.count == 1)
  }

  @Test func `Reals, not-a-number and infinities`() throws {
    let expected: [(String, Double)] = [
      ("1.5", 1.5), ("-1", -1), ("1e3", 1000), (".5", 0.5), ("5.", 5), ("inf", .infinity), ("-Infinity", -.infinity),
      ("+infinity", .infinity), ("nan", .nan), ("NaN", .nan),
    ]
    for (text, value) in expected { #expect(try read("<real>\(text)</real>").root == .real(PropertyListReal(value))) }
    for text in ["", "x", "0x1p3", "1e", "1.2.3", "nan(1)", "--1"] {
      #expect(error("<real>\(text)</real>") == "The text of a real is not a number")
    }
    let huge = try read("<real>1e999</real>")
    #expect(huge.findings.map(\.reason) == ["A real is beyond the range of a Double"])
  }

  @Test func `Dates with and without a fraction`() throws {
    #expect(try read("<date>2001-01-01T00:00:00Z</date>").root == .date(PropertyListDate(secondsSince2001: 0)))
    let fraction = try read("<date>2001-01-01T00:00:01.25Z</date>")
    #expect(fraction.root == .date(PropertyListDate(secondsSince2001: 1.25)))
    #expect(
      fraction.findings.map(\.reason) == ["A date has a fraction of a second, so Apple's readers refuse the file"])
    let past = try read("<date>0000-12-30T00:00:00Z</date>")
    let date = PropertyListDate(secondsSince2001: -63_114_076_800)
    #expect(past.root == .date(date))
    #expect(past.findings.map(\.reason) == ["A date is outside the calendar: \(date)"])
    for (text, seconds) in [("2001-02-29T00:00:00Z", 5_097_600.0), ("2001-01-01T24:00:00Z", 86_400)] {
      let document = try read("<date>\(text)</date>")
      #expect(document.root == .date(PropertyListDate(secondsSince2001: seconds)))
      #expect(
        document.findings.map(\.reason) == ["A date is not a day of the calendar; it was read as Apple's readers do"])
    }
    for text in ["", "2001-01-01", "2001-1-29T00:00:00Z", "2001-01-01T00:00:00+01:00", "2147483648-01-01T00:00:00Z"] {
      #expect(error("<date>\(text)</date>") == "The text of a date is not of the form 2025-11-21T08:15:30Z")
    }
  }

  @Test func `Base64 with space anywhere; what else is there is reported`() throws {
    #expect(try read("<data>\n\tAA EC\n\tAw==\n</data>").root == .data([0, 1, 2, 3]))
    #expect(try read("<data></data>").root == .data([]))
    let irregular: [(String, [UInt8])] = [
      ("AAE", []), ("AAE=AAE=", [0, 1, 0, 1]), ("A*A==", [0]), ("AAAA=", [0, 0, 0]),
    ]
    for (text, bytes) in irregular {
      let document = try read("<data>\(text)</data>")
      #expect(document.root == .data(bytes))
      #expect(document.findings.map(\.reason) == ["The base64 of data is irregular; it was read as Apple's readers do"])
    }
    #expect(error("<data>é===</data>") == "The data is not valid base64")
  }

  @Test func `A dictionary of CF$UID alone is a UID`() throws {
    #expect(try read("<dict><key>CF$UID</key><integer>7</integer></dict>").root == .uid(7))
    let more = try read("<dict><key>CF$UID</key><integer>7</integer><key>x</key><true/></dict>")
    #expect(more.root == ["CF$UID": 7, "x": true])
    #expect(try read("<dict><key>CF$UID</key><integer>-1</integer></dict>").root == ["CF$UID": -1])
  }

  @Test func `Wrong structure is refused with what is wrong`() {
    #expect(error("") == .rootMissing)
    #expect(error("<true/><true/>") == "The property list has more than one value")
    #expect(error("text") == .unexpectedText)
    #expect(error("<dict><true/></dict>") == .keyMissing)
    #expect(error("<dict><key>a</key></dict>") == .valueMissing)
    #expect(error("<dict><key>a</key><key>b</key></dict>") == .valueMissing)
    #expect(error("<array><key>a</key></array>") == "A <key> is outside a dictionary")
    #expect(error("<array><true/></dict>") == .mismatchedEnd(expected: "array", found: "dict"))
    #expect(error("<string>a</integer>") == .mismatchedEnd(expected: "string", found: "integer"))
    #expect(error("<null/>") == "<null> is not an element of property lists")
    #expect(error("<array") == .malformed("a tag is not closed"))
    #expect(error("<string/x>") == .malformed("a tag is not closed"))
    #expect(error("<true>x</true>") == .unexpectedText)
  }

  @Test func `Documents without <plist>, and what follows the end`() throws {
    #expect(try PropertyListDocument(bytes: Array("<dict><key>a</key><true/></dict>".utf8)).root == ["a": true])
    let document = try PropertyListDocument(bytes: Array("<plist><true/></plist>\n<!-- c -->\njunk".utf8))
    #expect(document.findings.map(\.reason) == ["4 bytes belong to nothing"])
  }

  @Test func `No declarations, no external entities`() throws {
    let subset = "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>"
    #expect(
      throws: PropertyListError(
        "The document type has declarations of its own, which are not supported",
        at: .init(offset: 16, line: 1, column: 17))
    ) {
      try PropertyListDocument(bytes: Array(subset.utf8))
    }
    let external = "<!DOCTYPE plist SYSTEM \"file:///etc/passwd\"><plist><true/></plist>"
    #expect(try PropertyListDocument(bytes: Array(external.utf8)).root == true)
  }

  @Test func `UTF-8 with a byte order mark, UTF-16 and Latin-1`() throws {
    let text = "<plist><string>aé😀</string></plist>"
    #expect(try PropertyListDocument(bytes: [0xEF, 0xBB, 0xBF] + Array(text.utf8)).root == "aé😀")
    let units = Array(text.utf16)
    let little: [UInt8] =
      [0xFF, 0xFE] + units.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let big: [UInt8] =
      [0xFE, 0xFF] + units.flatMap { (unit: UInt16) -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
    #expect(try PropertyListDocument(bytes: little).root == "aé😀")
    #expect(try PropertyListDocument(bytes: big).root == "aé😀")
    let latin =
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><plist><string>".utf8) + [0xE9]
      + Array("</string></plist>".utf8)
    #expect(try PropertyListDocument(bytes: latin).root == "é")
    #expect(throws: PropertyListError.self) { try PropertyListDocument(bytes: Array(little.dropFirst(2))) }
    #expect(throws: PropertyListError.self) { try PropertyListDocument(bytes: Array(little.dropLast())) }
    let unknown = Array("<?xml version='1.0' encoding='Shift_JIS'?><plist><true/></plist>".utf8)
    #expect(throws: PropertyListError(.encodingUnsupported("Shift_JIS"))) { try PropertyListDocument(bytes: unknown) }
    let broken = Array("<plist>\n<string>".utf8) + [0xC3] + Array("</string></plist>".utf8)
    #expect(throws: PropertyListError(.encodingInvalid("UTF-8"), at: .init(offset: 16, line: 2, column: 9))) {
      try PropertyListDocument(bytes: broken)
    }
  }

  @Test func `Places in UTF-16 and Latin-1 files are those of the file`() {
    let wide: [UInt8] =
      [0xFE, 0xFF]
      + "<plist>\n<!--😀é--><null/></plist>".utf16.flatMap { (unit: UInt16) -> [UInt8] in
        [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      }
    #expect(
      throws: PropertyListError(
        "<null> is not an element of property lists", at: .init(offset: 38, line: 2, column: 10))
    ) {
      try PropertyListDocument(bytes: wide)
    }
    let latin: [UInt8] = Array("<?xml version='1.0' encoding='latin1'?>\n<!--".utf8) + [0xE9] + Array("--><null/>".utf8)
    #expect(
      throws: PropertyListError("<null> is not an element of property lists", at: .init(offset: 48, line: 2, column: 9))
    ) {
      try PropertyListDocument(bytes: latin)
    }
  }

  @Test func `Control characters are read and reported with line and column`() throws {
    let document = try read("\n<string>ab\u{1}c</string>")
    #expect(document.root == "ab\u{1}c")
    #expect(document.findings.map(\.reason) == ["The text has the control character U+0001"])
    #expect(document.findings.first?.position.line == 3)
    #expect(document.findings.first?.position.column == 11)
  }

  @Test func `A file cut off anywhere is refused`() throws {
    let bytes = try PropertyListDocument.encode(["key": ["a", 1, 2.5, true], "other": "t & x"], as: .xml)
    let end = bytes.count - 1
    for length in 0..<end {
      #expect(throws: PropertyListError.self) { try PropertyListDocument(bytes: Array(bytes.prefix(length))) }
    }
  }

  @Test func `Other formats are named`() {
    let cases: [(String, PropertyListError.Reason)] = [
      ("", .emptyFile), ("hello", .unrecognised), ("{ key = value; }", .openStepText), ("(a, b)", .openStepText),
      ("<0fbd77>", .openStepText), ("// comment\n{ a = \"x:y\"; }", .openStepText), ("{\"a\": 1}", .jsonText),
      ("[1]", .jsonText), ("  \n ", .unrecognised), ("\"a\" = \"b\";", .openStepText), ("<html></html>", .unrecognised),
      ("SQLite format 3\0", .unrecognised), ("\u{1F}\u{8B}", .unrecognised),
    ]
    for (text, kind) in cases {
      #expect(throws: PropertyListError(kind)) { try PropertyListDocument(bytes: Array(text.utf8)) }
    }
  }
}
