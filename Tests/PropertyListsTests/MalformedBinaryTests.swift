import PropertyLists
import Testing

@Suite("Malformed binary files")
struct MalformedBinaryTests {
  private func error(_ builder: BinaryBuilder) -> PropertyListError.Kind? {
    error(builder.bytes)
  }

  private func error(_ bytes: [UInt8]) -> PropertyListError.Kind? {
    do throws(PropertyListError) {
      _ = try PropertyListDocument(bytes: bytes)
      return nil
    } catch {
      #expect(!error.description.isEmpty)
      return error.kind
    }
  }

  private let dictionary = BinaryBuilder([[0xD1, 1, 2], BinaryBuilder.ascii("key"), BinaryBuilder.ascii("value")])

  @Test("A sound file made by hand is read")
  func sound() throws {
    let document = try PropertyListDocument(bytes: dictionary.bytes)
    #expect(document.root == ["key": "value"])
    #expect(document.findings.isEmpty)
  }

  @Test("A trailer that cannot be true is refused")
  func trailer() {
    var builder = dictionary
    builder.root = 3
    #expect(error(builder) == .rootInvalid(3))
    builder = dictionary
    builder.count = .max
    #expect(error(builder) == .objectCountInvalid(.max))
    builder.count = 0
    #expect(error(builder) == .objectCountInvalid(0))
    builder.count = 12
    #expect(error(builder) == .offsetTableOutside)
    builder = dictionary
    builder.table = .max
    #expect(error(builder) == .offsetTableOutside)
    builder.table = 8
    #expect(error(builder) == .offsetTableOutside)
    for size in [0, 9, 255] {
      builder = dictionary
      builder.offsetSize = size
      #expect(error(builder) == .offsetSizeInvalid(size))
      builder = dictionary
      builder.referenceSize = size
      #expect(error(builder) == .referenceSizeInvalid(size))
    }
  }

  @Test("Every size of offsets and references from 1 to 8 is read")
  func sizes() throws {
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

  @Test("Offsets outside the objects are refused, with the offset")
  func offsets() {
    for offset: UInt64 in [0, 7, 100, 0xFFFF] {
      var builder = dictionary
      builder.offsets = [8, offset, 15]
      #expect(error(builder) == .objectOutside(offset: offset))
    }
  }

  @Test("References beyond the table are refused")
  func references() {
    #expect(error(BinaryBuilder([[0xA1, 9]])) == .referenceInvalid(9))
    #expect(error(BinaryBuilder([[0xD1, 1, 200], BinaryBuilder.ascii("k")])) == .referenceInvalid(200))
  }

  @Test("Containers that contain themselves are refused as cycles")
  func cycles() {
    #expect(error(BinaryBuilder([[0xA1, 0]])) == .cycle)
    #expect(error(BinaryBuilder([[0xA2, 1, 1], [0xA2, 2, 2], [0xA1, 0]])) == .cycle)
    #expect(error(BinaryBuilder([[0xD1, 1, 0], BinaryBuilder.ascii("k")])) == .cycle)
    // The same container under two numbers.
    var builder = BinaryBuilder([[0xA1, 1], [0xA1, 0]])
    builder.offsets = [8, 8]
    #expect(error(builder) == .cycle)
  }

  @Test("A small file whose shared references unfold without end is refused at once")
  func bomb() {
    var objects: [[UInt8]] = (0..<40).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] }
    objects.append([0x09])
    let builder = BinaryBuilder(objects)
    #expect(builder.bytes.count < 300)
    #expect(error(builder) == .tooManyNodes(limit: 65_536))
  }

  @Test("Large arrays that share large arrays are refused at the limit of values, before room is made for them")
  func sharedArrays() {
    var objects: [[UInt8]] = (1...5).map { [0xAF, 0x11, 0xEA, 0x60] + Array(repeating: UInt8($0), count: 60_000) }
    objects.append([0x09])
    var builder = BinaryBuilder(objects)
    builder.offsetSize = 4
    #expect(error(builder) == .tooManyNodes(limit: 4 * builder.bytes.count))
  }

  @Test("Long strings that overlap or are shared do not unfold beyond memory")
  func overlappingStrings() {
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
    #expect(error(builder) == .overlappingObjects)
  }

  @Test("One long string that is referred to often is read once")
  func sharedString() throws {
    let count = 50_000
    let head: [UInt8] = [0xAF, 0x12] + BinaryBuilder.bigEndian(UInt64(count), 4) + Array(repeating: 1, count: count)
    var builder = BinaryBuilder([head, [0x5F, 0x11, 0x80, 0x00] + Array(repeating: 0x41, count: 0x8000)])
    builder.offsetSize = 4
    let root = try PropertyListDocument(bytes: builder.bytes).root
    #expect(root.children.count == count)
    #expect(root.children.last == .string(String(repeating: "A", count: 0x8000)))
  }

  @Test("Counts larger than the file are refused before memory is reserved")
  func overlongCounts() {
    for type: UInt8 in [0x4, 0x5, 0x6, 0xA, 0xC, 0xD] {
      for (marker, size) in [(0x10, 1), (0x11, 2), (0x12, 4), (0x13, 8)] as [(UInt8, Int)] {
        for value: UInt64 in [0x7F, 0x7FFF, 0x7FFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, .max] {
          let object = [type << 4 | 0xF, marker] + BinaryBuilder.bigEndian(value, size)
          #expect(error(BinaryBuilder([object])) == .objectTruncated)
        }
      }
    }
    #expect(error(BinaryBuilder([[0x5F, 0x23, 0, 0, 0, 0]])) == .lengthInvalid)
    #expect(error(BinaryBuilder([[0x5F]])) == .objectTruncated)
    #expect(error(BinaryBuilder([[0x5F, 0x13, 0]])) == .objectTruncated)
  }

  @Test("Unknown and cut-off objects are refused")
  func unknownObjects() {
    for marker in UInt8.min...UInt8.max {
      let kind = error(BinaryBuilder([[marker]]))
      switch marker {
      case 0x00, 0x08, 0x09, 0x40, 0x50, 0x60, 0xA0, 0xC0, 0xD0: #expect(kind == nil)
      case 0x10...0x14, 0x22, 0x23, 0x33, 0x41...0x4F, 0x51...0x5F, 0x61...0x6F, 0x80...0x87, 0xA1...0xAF,
        0xC1...0xCF, 0xD1...0xDF:
        #expect(kind == .objectTruncated)
      default: #expect(kind == .unknownObject(marker: marker))
      }
    }
  }

  @Test("A key that is no string is refused, with its type")
  func keys() {
    #expect(error(BinaryBuilder([[0xD1, 1, 2], [0x10, 5], [0x09]])) == .keyNotString(.integer))
    #expect(error(BinaryBuilder([[0xD1, 1, 2], [0xA0], [0x09]])) == .keyNotString(.array))
    #expect(error(BinaryBuilder([[0xD1, 1, 2], [0x00], [0x09]])) == .keyNotString(.null))
  }

  @Test("A file cut off anywhere is refused")
  func truncation() throws {
    let bytes = try PropertyListDocument.encode(["key": ["a", 1, 2.5, true], "other": "text"], as: .binary)
    for length in 0..<bytes.count {
      #expect(error(Array(bytes.prefix(length))) != nil)
    }
    #expect(error([]) == .emptyFile)
  }

  @Test("Other versions of the format are named")
  func versions() {
    var builder = dictionary
    builder.header = Array("bplist15".utf8)
    #expect(error(builder) == .unsupportedBinaryVersion("15"))
    #expect(error(Array("bplist".utf8)) == .trailerMissing)
  }

  @Test("Errors name the object and the byte")
  func positions() {
    #expect(throws: PropertyListError(.unknownObject(marker: 0x70), at: .init(offset: 10, object: 1))) {
      try PropertyListDocument(bytes: BinaryBuilder([[0xA1, 1], [0x70]]).bytes)
    }
    let error = PropertyListError(.unknownObject(marker: 0x70), at: .init(offset: 10, object: 1))
    #expect(error.description == "The object has the unknown type 0x70 (object 1, byte 10).")
  }

  @Test("Limits of size, depth and visits are kept")
  func limits() throws {
    let bytes = try PropertyListDocument.encode(Samples.nested(20), as: .binary)
    #expect(throws: PropertyListError(.fileTooLarge(size: bytes.count, limit: 10))) {
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
