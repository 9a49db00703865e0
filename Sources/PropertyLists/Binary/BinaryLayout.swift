/// The frame of a binary property list, checked against the size of the file.
///
/// A file is an eight-byte header, the objects, a table with the offset of every object, and a trailer of 32 bytes:
/// five unused bytes, a sort version, the size of an offset, the size of a reference, and in eight bytes each the
/// number of objects, the index of the root and the offset of the table. All numbers are big-endian.
struct BinaryLayout {
  static let headerSize = 8
  static let trailerSize = 32

  let offsetSize: Int
  let referenceSize: Int
  let objectCount: Int
  let root: Int
  /// The start of the offset table, where the objects end.
  let table: Int
  let isOdd: Bool
  /// What the layout has that Apple's reader refuses: CFBinaryPList.c, `__CFBinaryPlistGetTopLevelInfo`.
  let refusals: [PropertyListRefusal]

  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(PropertyListError) {
    guard bytes.count >= 8, bytes[6] == UInt8(ascii: "0") else {
      let version = String(decoding: bytes.prefix(8).dropFirst(6), as: UTF8.self)
      throw PropertyListError(
        bytes.count < 8 ? .trailerMissing : .unsupportedBinaryVersion(version), at: PropertyListPosition(offset: 6))
    }
    guard bytes.count >= Self.headerSize + Self.trailerSize, let base = bytes.baseAddress else {
      throw PropertyListError(.trailerMissing, at: PropertyListPosition(offset: bytes.count))
    }
    let trailer = bytes.count - Self.trailerSize
    func number(_ position: Int) -> UInt64 { bigEndian(base + trailer + position, 8) }
    func error(_ kind: PropertyListError.Kind, _ position: Int) -> PropertyListError {
      PropertyListError(kind, at: PropertyListPosition(offset: trailer + position))
    }
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize) else { throw error(.offsetSizeInvalid(offsetSize), 6) }
    guard (1...8).contains(referenceSize) else { throw error(.referenceSizeInvalid(referenceSize), 7) }
    let count = number(8)
    guard count >= 1, count <= UInt64(trailer) else { throw error(.objectCountInvalid(count), 8) }
    objectCount = Int(count)
    guard number(16) < count else { throw error(.rootInvalid(number(16)), 16) }
    root = Int(number(16))
    // The count is at most the size of the file, so the product cannot overflow.
    let tableSize = objectCount * offsetSize
    let start = number(24)
    guard start > UInt64(Self.headerSize), start <= UInt64(trailer), tableSize <= trailer - Int(start) else {
      throw error(.offsetTableOutside, 24)
    }
    table = Int(start)
    let unusedBytes = trailer - table - tableSize
    func isShort(_ size: Int, for value: Int) -> Bool { size < 8 && UInt64(value) >> UInt64(8 * size) != 0 }
    var refusals: [PropertyListRefusal] = []
    if unusedBytes > 0 { refusals.append(.bytesBeforeTrailer(count: unusedBytes)) }
    if isShort(referenceSize, for: objectCount) {
      refusals.append(.shortReferences(size: referenceSize, objects: objectCount))
    }
    if isShort(offsetSize, for: table) { refusals.append(.shortOffsets(size: offsetSize, table: table)) }
    self.refusals = refusals
    isOdd = bytes[7] != UInt8(ascii: "0") || bytes[trailer..<(trailer + 6)].contains { $0 != 0 }
  }
}

/// Reads a big-endian number of 1 to 8 bytes. The caller has checked that they exist.
@inline(__always)
func bigEndian(_ pointer: UnsafePointer<UInt8>, _ size: Int) -> UInt64 {
  switch size {
  case 1: return UInt64(pointer.pointee)
  case 2: return UInt64(UnsafeRawPointer(pointer).loadUnaligned(as: UInt16.self).bigEndian)
  case 4: return UInt64(UnsafeRawPointer(pointer).loadUnaligned(as: UInt32.self).bigEndian)
  case 8: return UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self).bigEndian
  default:
    var value: UInt64 = 0
    for index in 0..<size { value = value << 8 | UInt64(pointer[index]) }
    return value
  }
}
