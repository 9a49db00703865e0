import PropertyLists
import Testing

@Suite("What is tolerated and reported")
struct ToleranceTests {
  private func read(_ objects: [[UInt8]]) throws -> PropertyListDocument {
    try PropertyListDocument(bytes: BinaryBuilder(objects).bytes)
  }

  @Test("High bytes in an ASCII string are read as Latin-1, as Foundation does")
  func highBytes() throws {
    let document = try read([[0x53, 0x61, 0xE9, 0x62]])
    #expect(document.root == "aéb")
    #expect(document.findings.map(\.kind) == [.highBytesInASCIIString])
    #expect(document.findings.first?.position == PropertyListPosition(offset: 8, object: 0))
  }

  @Test("Half a surrogate pair is read as U+FFFD")
  func loneSurrogates() throws {
    for units: [UInt8] in [[0xD8, 0, 0, 0x41], [0xDC, 0, 0, 0x41], [0, 0x41, 0xD8, 0]] {
      let document = try read([[0x62] + units])
      #expect(document.root == (units[0] == 0 ? "A\u{FFFD}" : "\u{FFFD}A"))
      #expect(document.findings.map(\.kind) == [.loneSurrogate])
    }
    let document = try read([[0x62, 0xD8, 0x3D, 0xDE, 0x00]])
    #expect(document.root == "😀")
    #expect(document.findings.isEmpty)
  }

  @Test("128-bit integers are kept exactly")
  func wideIntegers() throws {
    let document = try read([[0x14, 0, 0, 0, 0, 0, 0, 0, 1] + BinaryBuilder.bigEndian(0, 8)])
    let value = PropertyListInteger("18446744073709551616")
    #expect(document.root == value.map { .integer($0) })
    #expect(document.findings.map(\.kind) == value.map { [.integerBeyond64Bits($0)] })
    let unsigned = try read([[0x14] + BinaryBuilder.bigEndian(0, 8) + BinaryBuilder.bigEndian(.max, 8)])
    #expect(unsigned.root == .integer(PropertyListInteger(UInt64.max)))
    #expect(unsigned.findings.isEmpty)
    let minusOne = try read([[0x14] + BinaryBuilder.bigEndian(.max, 8) + BinaryBuilder.bigEndian(.max, 8)])
    #expect(minusOne.root == -1)
    #expect(minusOne.findings.map(\.kind) == [.integerBeyond64Bits(-1)])
  }

  @Test("Dates outside the calendar are kept and reported")
  func dates() throws {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e12] {
      let document = try read([[0x33] + BinaryBuilder.bigEndian(seconds.bitPattern, 8)])
      let date = PropertyListDate(secondsSince2001: seconds)
      #expect(document.root == .date(date))
      #expect(document.findings.map(\.kind) == [.dateOutOfRange(date)])
    }
  }

  @Test("Sets, nulls and wide UIDs are read and reported")
  func oddTypes() throws {
    let document = try read([[0xA3, 1, 2, 3], [0xC1, 3], [0x84, 1, 0, 0, 0, 0], [0x00]])
    #expect(document.root == [.set([.null]), .uid(1 << 32), .null])
    #expect(document.findings.map(\.kind) == [.set, .null, .refused(.uidBeyond32Bits(1 << 32)), .null])
  }

  @Test("An odd trailer, an odd version and bytes that belong to nothing are reported")
  func frame() throws {
    var builder = BinaryBuilder([[0xA0]])
    builder.reserved = [0, 0, 1, 0, 0, 0]
    #expect(try PropertyListDocument(bytes: builder.bytes).findings.map(\.kind) == [.oddTrailer])
    builder = BinaryBuilder([[0xA0]])
    builder.header = Array("bplist01".utf8)
    #expect(try PropertyListDocument(bytes: builder.bytes).findings.map(\.kind) == [.oddTrailer])
    let bytes = BinaryBuilder([[0xA0]]).bytes
    let padded = Array(bytes.dropLast(32)) + [1, 2, 3] + Array(bytes.suffix(32))
    #expect(try PropertyListDocument(bytes: padded).findings.map(\.kind) == [.refused(.bytesBeforeTrailer(count: 3))])
  }

  @Test("Findings stop at the limit and the rest is counted")
  func manyFindings() throws {
    let builder = BinaryBuilder([[0xAE] + Array(repeating: 1, count: 14), [0x00]])
    let document = try PropertyListDocument(bytes: builder.bytes, limits: PropertyListLimits(findings: 3))
    #expect(document.findings.map(\.kind) == [.null, .null, .null, .more(count: 11)])
    #expect(document.findings.allSatisfy { !$0.description.isEmpty })
  }

  @Test("The first finding that Apple's readers refuse is not lost among others")
  func refusalBeyondTheLimit() throws {
    let builder = BinaryBuilder([[0xA5, 1, 1, 1, 2, 2], [0x00], [0x84, 1, 0, 0, 0, 0]])
    let document = try PropertyListDocument(bytes: builder.bytes, limits: PropertyListLimits(findings: 2))
    #expect(
      document.findings.map(\.kind) == [.null, .null, .refused(.uidBeyond32Bits(1 << 32)), .more(count: 2)])
    #expect(document.refusal == document.findings[2])
  }

  @Test("A value that no reader would take back is not written")
  func refusals() {
    func error(_ value: PropertyListValue, _ format: PropertyListFormat) -> PropertyListError.Kind? {
      do throws(PropertyListError) {
        _ = try PropertyListDocument.encode([value], as: format)
        return nil
      } catch {
        #expect(!error.description.isEmpty)
        return error.kind
      }
    }
    #expect(error(.uid(1 << 32), .binary) == .uidOutOfRange(1 << 32))
    #expect(error(.uid(1 << 32), .xml) == .uidOutOfRange(1 << 32))
    #expect(error(.null, .xml) == .kindNotRepresentable(.null, .xml))
    #expect(error(.set([]), .xml) == .kindNotRepresentable(.set, .xml))
    #expect(error("a\u{1}", .xml) == .characterNotRepresentable(1))
    #expect(error("a\u{FFFF}", .xml) == .characterNotRepresentable(0xFFFF))
    #expect(error(["CF$UID": 1], .xml) == .dictionaryReadsAsUID)
    #expect(error(["CF$UID": -1], .xml) == .dictionaryReadsAsUID)
    #expect(error(["CF$UID": 1.5], .xml) == .dictionaryReadsAsUID)
    #expect(error(["CF$UID": 1, "CF$UID": 2], .xml) == .dictionaryReadsAsUID)
    #expect(error(["CF$UID": 1], .binary) == nil)
    #expect(error("\u{FEFF}a", .xml) == .characterNotRepresentable(0xFEFF))
    #expect(error("a\u{FEFF}", .xml) == nil)
    let date = PropertyListDate(secondsSince2001: 0.5)
    #expect(error(.date(date), .xml) == .dateNotRepresentable(date))
    if let wide = PropertyListInteger("18446744073709551616") {
      #expect(error(.integer(wide), .xml) == .integerNotRepresentable(wide))
    }
  }
}
