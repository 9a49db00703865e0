@Suite("Files are read as Foundation reads them, or a finding says that it does not") struct FoundationReadingTests {
  private enum Outcome { case alike, refused, otherwise, bothRefuse }

  /// The outcome for a file; nil if we refuse what Foundation reads, or if there is a difference without a finding.
  private func outcome(_ bytes: [UInt8]) -> Outcome? {
    let theirs = FoundationText.readIfValid(bytes)
    guard let document = try? PropertyListDocument(bytes: bytes) else { return theirs == nil ? .bothRefuse : nil }
    guard let theirs else { return document.refusal == nil ? nil : .refused }
    guard document.refusal == nil else { return nil }
    if theirs == FoundationText.text(document) { return .alike }
    return document.findings.isEmpty ? nil : .otherwise
  }

  private func outcome(_ body: String) -> Outcome? {
    outcome(Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict><key>k</key>\(body)</dict></plist>\n".utf8))
  }

  private func expect(_ expected: Outcome, _ element: String, _ texts: [String]) {
    for text in texts {
      let body = "<\(element)>\(text)</\(element)>"
      #expect(outcome(body) == expected, "\(body)")
    }
  }

  @Test func `numbers`() {
    expect(
      .alike, "integer",
      [
        "42", " 42", "\n42", "+42", "-0x2A", "007", "-0", "18446744073709551615", "-9223372036854775808",
        "0xFFFFFFFFFFFFFFFF",
      ])
    expect(.refused, "integer", ["42 ", " 42 ", "42\n", "18446744073709551616", "-9223372036854775809"])
    expect(.bothRefuse, "integer", ["", "-", "4 2", "4&#50;", "<!-- c -->42", "42<!-- c -->", "<![CDATA[42]]>", "1.0"])
    expect(
      .alike, "real",
      [
        "1.5", " 1.5", "\n1.5", ".5", "5.", "1e3", "1e999", "nan", "NaN", "inf", "-Infinity", "+inf", "&#49;.5",
        "<![CDATA[1.5]]>",
      ])
    expect(.refused, "real", ["1.5 ", "\n1.5\n", " nan", "inf ", "1.5<!-- c -->"])
    expect(.bothRefuse, "real", ["", "-", "1e", "0x1p3", "-nan", "+nan", "1.2.3", "--1"])
  }

  @Test func `dates, of any year and beyond the calendar`() {
    expect(
      .alike, "date",
      [
        "2001-01-01T00:00:00Z", "0000-12-30T00:00:00Z", "4001-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
        "285616415-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "-001-12-30T00:00:00Z", "-4712-01-01T12:00:00Z",
        "1-01-01T00:00:00Z", "2001-02-30T00:00:00Z", "2000-02-30T00:00:00Z", "2001-13-01T00:00:00Z",
        "2000-13-01T00:00:00Z", "2000-14-01T00:00:00Z", "2001-00-01T00:00:00Z", "2001-01-00T00:00:00Z",
        "2001-99-99T99:99:99Z", "2001-01-01T24:00:00Z", "2001-01-01T23:59:60Z", "--01-01T00:00:00Z",
        "-0004-02-29T00:00:00Z", "-0100-02-29T00:00:00Z", "0000-02-30T00:00:00Z", "1582-10-10T00:00:00Z",
      ])
    expect(
      .refused, "date",
      ["2001-01-01T00:00:00.5Z", " 2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z ", "\n2001-01-01T00:00:00Z\n"])
    expect(
      .bothRefuse, "date",
      [
        "", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00:00z", "2001-01-01 00:00:00Z", "2001-1-1T0:0:0Z",
        "2001-01-01T00:00:00+01:00", "+2001-01-01T00:00:00Z", "<!-- c -->2001-01-01T00:00:00Z",
      ])
  }

  @Test func `base64, however irregular`() {
    expect(
      .alike, "data",
      [
        "", "AAEC\n\tAw==", "A", "AA", "AAA", "AAA=", "AA=", "A===", "====", "AA==AA==", "AAA=AAA=", "A*A==", "A-_A",
        "AAAA=", "AAAA====", "AB==", "AA&#61;=", "AA\u{B}AA==", "\"AAAA\"", "ab,cd",
      ])
    expect(.bothRefuse, "data", ["é===", "AAAA<!-- c -->", "<![CDATA[AAAA]]>"])
    #expect(outcome("<data/>") == .refused)
  }

  @Test func `texts`() {
    for element in ["string", "key"] {
      let rest = element == "key" ? "<true/>" : ""
      func outcome(_ text: String) -> Outcome? {
        self.outcome((element == "key" ? "<true/>" : "") + "<\(element)>\(text)</\(element)>" + rest)
      }
      for text in ["a\r\nb", "]]>", "&#65;&#x1F600;", "a<![CDATA[<b>&amp;]]>c", "a\u{1}b", "\u{FFFE}", "e\u{301}"] {
        #expect(outcome(text) == .alike)
      }
      for text in ["a<!-- c -->b", "<!-- c -->"] { #expect(outcome(text) == .refused) }
      for text in ["&unknown;", "&#xD800;", "& b", "<b>x</b>"] { #expect(outcome(text) == .bothRefuse) }
      #expect(outcome("\u{FEFF}a") == .otherwise)
    }
  }

  @Test func `tags, booleans and references to objects`() {
    for body in [
      "<true></true>", "<string a='1' b = \"2\">x</string >", "<string a=\"x>y\">v</string>", "<string a=b>x</string>",
      "<dict a=\"b/\"/>", "<array />", "<?pi?><!-- c --><true/>", "<dict><key>CF$UID</key><integer>7</integer></dict>",
    ] {
      #expect(outcome(body) == .alike, "\(body)")
    }
    for body in ["<true> </true>", "<false>\n</false>"] { #expect(outcome(body) == .refused, "\(body)") }
    for body in [
      "<true>x</true>", "<true><!-- c --></true>", "<string/ >", "<string/x>", "<integer a=\"x>y\">1</integer>",
      "<array a=\"/>\"/>", "<null/>", "< true/>",
    ] {
      #expect(outcome(body) == .bothRefuse, "\(body)")
    }
    for number in ["<integer>-1</integer>", "<real>7.5</real>"] {
      #expect(outcome("<dict><key>CF$UID</key>\(number)</dict>") == .otherwise)
    }
  }

  @Test func `what is around the root element`() {
    let root = "<dict><key>k</key><integer>1</integer></dict>"
    for text in [root, root + root, "<plist>\(root)</plist>junk", "<!DOCTYPE a><!-- c --><plist>\(root)</plist>"] {
      #expect(outcome(Array(text.utf8)) == .alike, "\(text)")
    }
    for text in [
      "<!----><plist>\(root)</plist>", "<!DOCTYPE plist SYSTEM \"a>b\"><plist>\(root)</plist>",
      "<!DOCTYPE plist SYSTEM \"a[b\"><plist>\(root)</plist>", "<plist a=\"b>c\">\(root)</plist>",
    ] {
      #expect(outcome(Array(text.utf8)) == .bothRefuse, "\(text)")
    }
    for equals in ["=", " = ", "= "] {
      let declaration = Array("<?xml version=\"1.0\" encoding\(equals)\"ISO-8859-1\"?><string>".utf8)
      let end = Array("</string>".utf8)
      #expect(outcome(declaration + [0xC3, 0xA9] + end) == .alike)
      #expect(outcome(declaration + [0xE9] + end) == (equals == "=" ? .alike : .bothRefuse))
    }
  }

  @Test func `binary files`() {
    let plain = BinaryBuilder([[0xD1, 1, 2], BinaryBuilder.ascii("k"), [0x10, 7]])
    #expect(outcome(plain.bytes) == .alike)
    for offsets: [UInt64] in [[8, 11, 13, 15], [8, 11, 13, 255]] {
      var builder = plain
      builder.offsets = offsets
      builder.count = 4
      #expect(outcome(builder.bytes) == .refused)
    }
    var padded = plain.bytes
    padded.insert(contentsOf: [1, 2, 3], at: padded.count - 32)
    #expect(outcome(padded) == .refused)
    var odd = plain
    odd.reserved = [0, 0, 1, 0, 0, 0]
    #expect(outcome(odd.bytes) == .alike)
    for length in [237, 238, 239] {
      // The offset table begins at byte 255, 256 or 257; its offsets have one byte.
      var builder = BinaryBuilder([[0xA1, 1], [0x4F, 0x10, UInt8(length)] + Array(repeating: 0, count: length)])
      builder.offsetSize = 1
      #expect(outcome(builder.bytes) == (10 + 3 + length > 255 ? .refused : .alike))
    }
    func value(_ object: [UInt8]) -> Outcome? {
      outcome(BinaryBuilder([[0xD1, 1, 2], BinaryBuilder.ascii("k"), object]).bytes)
    }
    #expect(value([0x60]) == .refused)
    #expect(value([0x84, 1, 0, 0, 0, 0]) == .refused)
    #expect(value([0x84, 0, 0, 0, 0, 1]) == .alike)
    #expect(value([0x14] + BinaryBuilder.bigEndian(0, 8) + BinaryBuilder.bigEndian(.max, 8)) == .alike)
    #expect(value([0x14] + BinaryBuilder.bigEndian(.max, 8) + BinaryBuilder.bigEndian(.max, 8)) == .otherwise)
    #expect(value([0x14] + BinaryBuilder.bigEndian(1, 8) + BinaryBuilder.bigEndian(0, 8)) == .otherwise)
    #expect(value([0x53, 0x61, 0xE9, 0x62]) == .alike)
    #expect(value([0x33] + BinaryBuilder.bigEndian(Double(-1e12).bitPattern, 8)) == .alike)
  }
}

/// Values as text in which what Foundation reads can be compared with ours: exact, except for a UID's number, which
/// Foundation does not show.
enum FoundationText {
  static func read(_ bytes: [UInt8]) throws -> String {
    text(try PropertyListSerialization.propertyList(from: Data(bytes), format: nil))
  }

  static func readIfValid(_ bytes: [UInt8]) -> String? { try? read(bytes) }

  static func text(_ document: PropertyListDocument) -> String { text(document.root, document.format) }

  /// Of several pairs with one key, Foundation uses the first in binary files and the last in XML.
  static func text(_ value: PropertyListValue, _ format: PropertyListFormat) -> String {
    switch value {
    case .string(let text): return string(text)
    case .integer(let integer): return "i\(integer)"
    case .real(let real): return "r" + double(real.value)
    case .boolean(let boolean): return boolean ? "b1" : "b0"
    case .date(let date): return "d" + double(date.secondsSince2001)
    case .data(let bytes): return "x\(bytes)"
    case .uid: return "u"
    case .null: return "n"
    case .array(let values): return "[" + values.map { text($0, format) }.joined(separator: ",") + "]"
    case .set(let values): return "(" + values.map { text($0, format) }.sorted().joined(separator: ",") + ")"
    case .dictionary(let dictionary):
      var pairs: [String: String] = [:]
      for entry in dictionary.entries where format == .xml || pairs[string(entry.key)] == nil {
        pairs[string(entry.key)] = text(entry.value, format)
      }
      return Self.dictionary(pairs)
    }
  }

  static func text(_ value: Any) -> String {
    switch value {
    case let text as String: return string(text)
    case let date as Date: return "d" + double(date.timeIntervalSinceReferenceDate)
    case let data as Data: return "x\(Array(data))"
    case is NSNull: return "n"
    case let number as NSNumber:
      switch number.objCType.pointee {
      case CChar(UInt8(ascii: "c")): return number.boolValue ? "b1" : "b0"
      case CChar(UInt8(ascii: "f")), CChar(UInt8(ascii: "d")): return "r" + double(number.doubleValue)
      default: return "i\(number)"
      }
    case let values as [Any]: return "[" + values.map(text).joined(separator: ",") + "]"
    case let values as [String: Any]:
      return dictionary(Dictionary(uniqueKeysWithValues: values.map { (string($0.key), text($0.value)) }))
    // A class without a public name.
    case let other: return "\(type(of: other))".contains("UID") ? "u" : "?"
    }
  }

  private static func dictionary(_ pairs: [String: String]) -> String {
    "{" + pairs.sorted { $0.key < $1.key }.map { $0.key + ":" + $0.value }.joined(separator: ",") + "}"
  }

  private static func string(_ text: String) -> String { "s\(Array(text.utf8))" }

  private static func double(_ value: Double) -> String { value.isNaN ? "nan" : String(value.bitPattern, radix: 16) }
}
