@Suite("Malformed binary files") struct MalformedBinaryTests {
  private func error(_ builder: BinaryBuilder) -> PropertyListError.Reason? { error(builder.bytes) }

  private func error(_ bytes: [UInt8]) -> PropertyListError.Reason? {
    let error = thrown { () throws(PropertyListError) in try PropertyListDocument(bytes: bytes) }
    #expect(error?.description.isEmpty != true)
    return error?.reason
  }

  private let dictionary = BinaryBuilder([[0xD1, 1, 2], BinaryBuilder.ascii("key"), BinaryBuilder.ascii("value")])

  @Test func `A sound file made by hand is read`() throws {
    let document = try PropertyListDocument(bytes: dictionary.bytes)
    #expect(document.root == ["key": "value"])
    #expect(document.findings.isEmpty)
  }

  @Test func `A trailer that cannot be true is refused`() {
    var builder = dictionary
    builder.root = 3
    #expect(error(builder) == "The trailer names object 3 as the root, which is not in the table")
    builder = dictionary
    builder.count = .max
    #expect(error(builder) == "The trailer counts \(UInt64.max) objects, which this file cannot hold")
    builder.count = 0
    #expect(error(builder) == "The trailer counts 0 objects, which this file cannot hold")
    builder.count = 12
    #expect(error(builder) == "The offset table does not lie between the header and the trailer")
    builder = dictionary
    builder.table = .max
    #expect(error(builder) == "The offset table does not lie between the header and the trailer")
    builder.table = 8
    #expect(error(builder) == "The offset table does not lie between the header and the trailer")
    for size in [0, 9, 255] {
      builder = dictionary
      builder.offsetSize = size
      #expect(error(builder) == "The trailer gives offsets \(size) bytes; 1 to 8 are possible")
      builder = dictionary
      builder.referenceSize = size
      #expect(error(builder) == "The trailer gives references \(size) bytes; 1 to 8 are possible")
    }
  }

  @Test func `Every size of offsets and references from 1 to 8 is read`() throws {
    for size in 1...8 {
      var builder = BinaryBuilder([
        [0xD1] + BinaryBuilder.bigEndian(1, size) + BinaryBuilder.bigEndian(2, size), BinaryBuilder.ascii("key"),
        [0x09],
      ])
      builder.referenceSize = size
      builder.offsetSize = size
      #expect(try PropertyListDocument(bytes: builder.bytes).root == ["key": true])
    }
  }

  @Test func `Offsets outside the objects are refused, with the offset`() {
    for offset: UInt64 in [0, 7, 100, 0xFFFF] {
      var builder = dictionary
      builder.offsets = [8, offset, 15]
      #expect(error(builder) == "The object table points to byte \(offset), which is outside the objects")
    }
  }

  @Test func `References beyond the table are refused`() {
    #expect(error(BinaryBuilder([[0xA1, 9]])) == "A container refers to object 9, which is not in the table")
    #expect(
      error(BinaryBuilder([[0xD1, 1, 200], BinaryBuilder.ascii("k")]))
        == "A container refers to object 200, which is not in the table")
  }

  @Test func `Containers that contain themselves are refused as cycles`() {
    #expect(error(BinaryBuilder([[0xA1, 0]])) == "A container contains itself")
    #expect(error(BinaryBuilder([[0xA2, 1, 1], [0xA2, 2, 2], [0xA1, 0]])) == "A container contains itself")
    #expect(error(BinaryBuilder([[0xD1, 1, 0], BinaryBuilder.ascii("k")])) == "A container contains itself")
    var builder = BinaryBuilder([[0xA1, 1], [0xA1, 0]])
    builder.offsets = [8, 8]
    #expect(error(builder) == "A container contains itself")
  }

  @Test func `A small file whose shared references unfold without end is refused at once`() {
    var objects: [[UInt8]] = (0..<40).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] }
    objects.append([0x09])
    let builder = BinaryBuilder(objects)
    #expect(builder.bytes.count < 300)
    #expect(error(builder) == .tooManyNodes(limit: 65_536))
  }

  @Test func `Large arrays that share large arrays are refused at the limit of values, before room is made for them`() {
    var objects: [[UInt8]] = (1...5).map { [0xAF, 0x11, 0xEA, 0x60] + Array(repeating: UInt8($0), count: 60_000) }
    objects.append([0x09])
    var builder = BinaryBuilder(objects)
    builder.offsetSize = 4
    #expect(error(builder) == .tooManyNodes(limit: 4 * builder.bytes.count))
  }

  @Test func `Long strings that overlap or are shared do not unfold beyond memory`() {
    // 2,000 objects, each a string of 65,000 bytes that starts two bytes behind the one before.
    let count = 2000
    var content = (0..<count).flatMap { _ in [0x5F, 0x11, 0xFD, 0xE8] as [UInt8] }
    content += Array(repeating: 0x41, count: 65_100)
    let references = (1...count).flatMap { BinaryBuilder.bigEndian(UInt64($0), 2) }
    let head: [UInt8] = [0xAF, 0x11] + BinaryBuilder.bigEndian(UInt64(count), 2) + references
    var builder = BinaryBuilder([head, content])
    builder.referenceSize = 2
    builder.offsetSize = 4
    builder.offsets = [8] + (0..<count).map { UInt64(8 + head.count + 4 * $0) }
    builder.count = UInt64(count + 1)
    #expect(error(builder) == "Strings or data overlap and unfold to many times the file's size")
  }

  @Test func `One long string that is referred to often is read once`() throws {
    let count = 50_000
    let head: [UInt8] = [0xAF, 0x12] + BinaryBuilder.bigEndian(UInt64(count), 4) + Array(repeating: 1, count: count)
    var builder = BinaryBuilder([head, [0x5F, 0x11, 0x80, 0x00] + Array(repeating: 0x41, count: 0x8000)])
    builder.offsetSize = 4
    let root = try PropertyListDocument(bytes: builder.bytes).root
    #expect(root.children.count == count)
    #expect(root.children.last == .string(String(repeating: "A", count: 0x8000)))
  }

  @Test func `Counts larger than the file are refused before memory is reserved`() {
    for type: UInt8 in [0x4, 0x5, 0x6, 0xA, 0xC, 0xD] {
      for (marker, size) in [(0x10, 1), (0x11, 2), (0x12, 4), (0x13, 8)] as [(UInt8, Int)] {
        for value: UInt64 in [0x7F, 0x7FFF, 0x7FFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, .max] {
          let object = [type << 4 | 0xF, marker] + BinaryBuilder.bigEndian(value, size)
          #expect(error(BinaryBuilder([object])) == "The object reaches beyond the end of the objects")
        }
      }
    }
    #expect(error(BinaryBuilder([[0x5F, 0x23, 0, 0, 0, 0]])) == "The object's length is not a number")
    #expect(error(BinaryBuilder([[0x5F]])) == "The object reaches beyond the end of the objects")
    #expect(error(BinaryBuilder([[0x5F, 0x13, 0]])) == "The object reaches beyond the end of the objects")
  }

  @Test func `Unknown and cut-off objects are refused`() {
    for marker in UInt8.min...UInt8.max {
      let kind = error(BinaryBuilder([[marker]]))
      switch marker {
      case 0x00, 0x08, 0x09, 0x40, 0x50, 0x60, 0xA0, 0xC0, 0xD0: #expect(kind == nil)
      case 0x10...0x14, 0x22, 0x23, 0x33, 0x41...0x4F, 0x51...0x5F, 0x61...0x6F, 0x80...0x87, 0xA1...0xAF,
        0xC1...0xCF, 0xD1...0xDF:
        #expect(kind == "The object reaches beyond the end of the objects")
      default: #expect(kind == "The object has the unknown type 0x\(String(marker, radix: 16))")
      }
    }
  }

  @Test func `A key that is no string is refused, with its type`() {
    #expect(
      error(BinaryBuilder([[0xD1, 1, 2], [0x10, 5], [0x09]])) == "A dictionary key is an integer, not a string")
    #expect(error(BinaryBuilder([[0xD1, 1, 2], [0xA0], [0x09]])) == "A dictionary key is an array, not a string")
    #expect(error(BinaryBuilder([[0xD1, 1, 2], [0x00], [0x09]])) == "A dictionary key is null, not a string")
  }

  @Test func `A file cut off anywhere is refused`() throws {
    let bytes = try PropertyListDocument.encode(["key": ["a", 1, 2.5, true], "other": "text"], as: .binary)
    for length in 0..<bytes.count { #expect(error(Array(bytes.prefix(length))) != nil) }
    #expect(error([]) == .emptyFile)
  }

  @Test func `Other versions of the format are named`() {
    var builder = dictionary
    builder.header = Array("bplist15".utf8)
    #expect(error(builder) == "The binary property list has the unsupported version “15”")
    #expect(error(Array("bplist".utf8)) == .trailerMissing)
  }

  @Test func `Errors name the object and the byte`() {
    #expect(throws: PropertyListError("The object has the unknown type 0x70", at: .init(offset: 10, object: 1))) {
      try PropertyListDocument(bytes: BinaryBuilder([[0xA1, 1], [0x70]]).bytes)
    }
    let error = PropertyListError("The object has the unknown type 0x70", at: .init(offset: 10, object: 1))
    #expect(error.description == "The object has the unknown type 0x70 (object 1, byte 10).")
  }

  @Test func `Limits of size, depth and visits are kept`() throws {
    let bytes = try PropertyListDocument.encode(Samples.nested(20), as: .binary)
    #expect(throws: PropertyListError("The file has \(bytes.count) bytes, more than the limit of 10")) {
      try PropertyListDocument(bytes: bytes, limits: PropertyListLimits(fileSize: 10))
    }
    #expect(throws: PropertyListError.self) {
      try PropertyListDocument(bytes: bytes, limits: PropertyListLimits(depth: 19))
    }
    #expect(throws: PropertyListError.self) {
      try PropertyListDocument(bytes: bytes, limits: PropertyListLimits(nodes: 10))
    }
    #expect(try PropertyListDocument(bytes: bytes, limits: PropertyListLimits(depth: 20)).root == Samples.nested(20))
  }
}

@Suite("What is tolerated and reported") struct ToleranceTests {
  private let null = "The file has a null, which most writers never make"
  private let wideUID = "The UID 4294967296 is greater than 4294967295, so Apple's readers refuse the file"

  private func read(_ objects: [[UInt8]]) throws -> PropertyListDocument {
    try PropertyListDocument(bytes: BinaryBuilder(objects).bytes)
  }

  @Test func `High bytes in an ASCII string are read as Latin-1, as Foundation does`() throws {
    let document = try read([[0x53, 0x61, 0xE9, 0x62]])
    #expect(document.root == "aéb")
    #expect(
      document.findings.map(\.reason) == ["A string marked as ASCII has other characters; they were read as Latin-1"])
    #expect(document.findings.first?.position == PropertyListPosition(offset: 8, object: 0))
  }

  @Test func `Half a surrogate pair is read as U+FFFD`() throws {
    for units: [UInt8] in [[0xD8, 0, 0, 0x41], [0xDC, 0, 0, 0x41], [0, 0x41, 0xD8, 0]] {
      let document = try read([[0x62] + units])
      #expect(document.root == (units[0] == 0 ? "A\u{FFFD}" : "\u{FFFD}A"))
      #expect(document.findings.map(\.reason) == ["A string has half a surrogate pair; U+FFFD replaces it"])
    }
    let document = try read([[0x62, 0xD8, 0x3D, 0xDE, 0x00]])
    #expect(document.root == "😀")
    #expect(document.findings.isEmpty)
  }

  @Test func `128-bit integers are kept exactly`() throws {
    let document = try read([[0x14, 0, 0, 0, 0, 0, 0, 0, 1] + BinaryBuilder.bigEndian(0, 8)])
    let value = PropertyListInteger("18446744073709551616")
    #expect(document.root == value.map { .integer($0) })
    #expect(
      document.findings.map(\.reason)
        == value.map { ["The integer \($0) has 128 bits, of which Apple's readers take 64"] })
    let unsigned = try read([[0x14] + BinaryBuilder.bigEndian(0, 8) + BinaryBuilder.bigEndian(.max, 8)])
    #expect(unsigned.root == .integer(PropertyListInteger(UInt64.max)))
    #expect(unsigned.findings.isEmpty)
    let minusOne = try read([[0x14] + BinaryBuilder.bigEndian(.max, 8) + BinaryBuilder.bigEndian(.max, 8)])
    #expect(minusOne.root == -1)
    #expect(minusOne.findings.map(\.reason) == ["The integer -1 has 128 bits, of which Apple's readers take 64"])
  }

  @Test func `Dates outside the calendar are kept and reported`() throws {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e12] {
      let document = try read([[0x33] + BinaryBuilder.bigEndian(seconds.bitPattern, 8)])
      let date = PropertyListDate(secondsSince2001: seconds)
      #expect(document.root == .date(date))
      #expect(document.findings.map(\.reason) == ["A date is outside the calendar: \(date)"])
    }
  }

  @Test func `Sets, nulls and wide UIDs are read and reported`() throws {
    let document = try read([[0xA3, 1, 2, 3], [0xC1, 3], [0x84, 1, 0, 0, 0, 0], [0x00]])
    #expect(document.root == [.set([.null]), .uid(1 << 32), .null])
    #expect(document.findings.map(\.reason) == ["The file has a set, which most readers refuse", null, wideUID, null])
  }

  @Test func `An odd trailer, an odd version and bytes that belong to nothing are reported`() throws {
    var builder = BinaryBuilder([[0xA0]])
    builder.reserved = [0, 0, 1, 0, 0, 0]
    #expect(
      try PropertyListDocument(bytes: builder.bytes).findings.map(\.reason) == ["The header or trailer is unusual"])
    builder = BinaryBuilder([[0xA0]])
    builder.header = Array("bplist01".utf8)
    #expect(
      try PropertyListDocument(bytes: builder.bytes).findings.map(\.reason) == ["The header or trailer is unusual"])
    let bytes = BinaryBuilder([[0xA0]]).bytes
    let padded = Array(bytes.dropLast(32)) + [1, 2, 3] + Array(bytes.suffix(32))
    #expect(
      try PropertyListDocument(bytes: padded).findings.map(\.reason) == [
        "3 bytes belong to nothing, so Apple's readers refuse the file"
      ])
  }

  @Test func `Findings stop at the limit and the rest is counted`() throws {
    let builder = BinaryBuilder([[0xAE] + Array(repeating: 1, count: 14), [0x00]])
    let document = try PropertyListDocument(bytes: builder.bytes, limits: PropertyListLimits(findings: 3))
    #expect(document.findings.map(\.reason) == [null, null, null, "11 more findings are not listed"])
    #expect(document.findings.allSatisfy { !$0.description.isEmpty })
  }

  @Test func `The first finding that Apple's readers refuse is not lost among others`() throws {
    let builder = BinaryBuilder([[0xA5, 1, 1, 1, 2, 2], [0x00], [0x84, 1, 0, 0, 0, 0]])
    let document = try PropertyListDocument(bytes: builder.bytes, limits: PropertyListLimits(findings: 2))
    #expect(document.findings.map(\.reason) == [null, null, wideUID, "2 more findings are not listed"])
    #expect(document.refusal == document.findings[2])
  }

  @Test func `A value that no reader would take back is not written`() {
    func error(_ value: PropertyListValue, _ format: PropertyListFormat) -> PropertyListError.Reason? {
      let error = thrown { () throws(PropertyListError) in try PropertyListDocument.encode([value], as: format) }
      #expect(error?.description.isEmpty != true)
      return error?.reason
    }
    #expect(error(.uid(1 << 32), .binary) == .uidOutOfRange(1 << 32))
    #expect(error(.uid(1 << 32), .xml) == .uidOutOfRange(1 << 32))
    #expect(error(.null, .xml) == "Null cannot be written as an XML property list")
    #expect(error(.set([]), .xml) == "A set cannot be written as an XML property list")
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
    #expect(error(.date(date), .xml) == "The date \(date) is not a whole second, as XML needs it")
    if let wide = PropertyListInteger("18446744073709551616") {
      #expect(error(.integer(wide), .xml) == "The integer \(wide) has more than 64 bits, which readers refuse")
    }
  }
}

struct BinaryBuilder {
  var objects: [[UInt8]]
  var root: UInt64 = 0
  var offsetSize = 2
  var referenceSize = 1
  var header = Array("bplist00".utf8)
  var offsets: [UInt64]?
  var count: UInt64?
  var table: UInt64?
  var reserved: [UInt8] = [0, 0, 0, 0, 0, 0]

  init(_ objects: [[UInt8]]) { self.objects = objects }

  static func ascii(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }

  static func bigEndian(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { $0 >= 8 ? 0 : UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }

  var bytes: [UInt8] {
    var bytes = header
    var places: [UInt64] = []
    for object in objects {
      places.append(UInt64(bytes.count))
      bytes += object
    }
    let start = UInt64(bytes.count)
    for offset in offsets ?? places { bytes += Self.bigEndian(offset, offsetSize) }
    bytes += reserved + [UInt8(truncatingIfNeeded: offsetSize), UInt8(truncatingIfNeeded: referenceSize)]
    bytes += Self.bigEndian(count ?? UInt64(places.count), 8)
    bytes += Self.bigEndian(root, 8)
    bytes += Self.bigEndian(table ?? start, 8)
    return bytes
  }
}
