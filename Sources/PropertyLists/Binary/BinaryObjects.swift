/// Access to the objects of a binary property list by index. Everything it returns is inside the objects.
struct BinaryObjects {
  /// The type and length from an object's first bytes, checked against the end of the objects.
  struct Head {
    /// The upper half of the marker: the type.
    let type: UInt8
    /// The lower half of the marker.
    let detail: UInt8
    /// Characters of a string, bytes of data, elements or pairs of a container; bytes of a number.
    let count: Int
    /// The offset of the contents.
    let content: Int
    /// The size of the contents in bytes.
    let size: Int

    var kind: PropertyListValue.Kind {
      switch type {
      case 0x1: .integer
      case 0x2: .real
      case 0x3: .date
      case 0x4: .data
      case 0x5, 0x6: .string
      case 0x8: .uid
      case 0xA: .array
      case 0xC: .set
      case 0xD: .dictionary
      default: detail == 0 ? .null : .boolean
      }
    }

    var isContainer: Bool { type >= 0xA }
  }

  let base: UnsafePointer<UInt8>
  let layout: BinaryLayout

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ layout: BinaryLayout) throws(PropertyListError) {
    guard let base = bytes.baseAddress else { throw PropertyListError(.emptyFile) }
    self.base = base
    self.layout = layout
  }

  /// The offset of an object. The index must be in the table.
  @inline(__always)
  func offset(of object: Int) throws(PropertyListError) -> Int {
    let entry = layout.table + object * layout.offsetSize
    let offset = bigEndian(base + entry, layout.offsetSize)
    guard offset >= UInt64(BinaryLayout.headerSize), offset < UInt64(layout.table) else {
      throw PropertyListError(.objectOutside(offset: offset), at: PropertyListPosition(offset: entry, object: object))
    }
    return Int(offset)
  }

  /// The object that a container's reference names. The caller has checked that the bytes exist.
  @inline(__always)
  func reference(at position: Int) throws(PropertyListError) -> Int {
    let reference = bigEndian(base + position, layout.referenceSize)
    guard reference < UInt64(layout.objectCount) else {
      throw PropertyListError(.referenceInvalid(reference), at: PropertyListPosition(offset: position))
    }
    return Int(reference)
  }

  /// The type and length of the object that starts at an offset inside the objects.
  @inline(__always)
  func head(at offset: Int, object: Int) throws(PropertyListError) -> Head {
    let marker = base[offset]
    let type = marker >> 4
    let detail = marker & 0xF
    var content = offset + 1
    var count = Int(detail)
    var size = 0
    switch type {
    case 0x5, 0x4, 0x6, 0xA, 0xC, 0xD:
      if detail == 0xF { (count, content) = try longCount(at: content, object: object) }
      let width: Int
      switch type {
      case 0x6: width = 2
      case 0xA, 0xC: width = layout.referenceSize
      case 0xD: width = 2 * layout.referenceSize
      default: width = 1
      }
      // Divided, not multiplied: the file may contain any count.
      guard count <= (layout.table - content) / width else { throw truncated(offset, object) }
      size = count * width
    case 0x1:
      guard detail <= 4 else { throw unknown(marker, offset, object) }
      size = 1 << Int(detail)
    case 0x2:
      guard detail == 2 || detail == 3 else { throw unknown(marker, offset, object) }
      size = 1 << Int(detail)
    case 0x3:
      guard detail == 3 else { throw unknown(marker, offset, object) }
      size = 8
    case 0x8:
      guard detail <= 7 else { throw unknown(marker, offset, object) }
      size = Int(detail) + 1
    case 0x0:
      guard detail == 0 || detail == 8 || detail == 9 else { throw unknown(marker, offset, object) }
    default:
      throw unknown(marker, offset, object)
    }
    guard size <= layout.table - content else { throw truncated(offset, object) }
    return Head(type: type, detail: detail, count: count, content: content, size: size)
  }

  /// The count of 15 or more, an integer object after the marker.
  private func longCount(
    at position: Int, object: Int
  ) throws(PropertyListError) -> (count: Int, content: Int) {
    guard position < layout.table else { throw truncated(position - 1, object) }
    let marker = base[position]
    guard marker >> 4 == 1, marker & 0xF <= 3 else {
      throw PropertyListError(.lengthInvalid, at: PropertyListPosition(offset: position, object: object))
    }
    let size = 1 << Int(marker & 0xF)
    guard size <= layout.table - position - 1 else { throw truncated(position - 1, object) }
    let count = bigEndian(base + position + 1, size)
    guard count <= UInt64(layout.table) else { throw truncated(position - 1, object) }
    return (Int(count), position + 1 + size)
  }

  private func truncated(_ offset: Int, _ object: Int) -> PropertyListError {
    PropertyListError(.objectTruncated, at: PropertyListPosition(offset: offset, object: object))
  }

  private func unknown(_ marker: UInt8, _ offset: Int, _ object: Int) -> PropertyListError {
    PropertyListError(.unknownObject(marker: marker), at: PropertyListPosition(offset: offset, object: object))
  }
}
