struct BinaryWriter {
  private(set) var bytes: [UInt8] = []

  static func encode(_ root: PropertyListValue) throws(PropertyListError) -> [UInt8] {
    var list = BinaryObjectList()
    let root = try list.add(root)
    var writer = BinaryWriter()
    writer.bytes.append(contentsOf: "bplist00".utf8)
    let referenceSize = referenceSize(for: list.objects.count)
    var offsets: [Int] = []
    offsets.reserveCapacity(list.objects.count)
    for object in list.objects {
      offsets.append(writer.bytes.count)
      writer.append(object, of: list, referenceSize: referenceSize)
    }
    let offsetSize = sizeInBytes(of: UInt64(writer.bytes.count))
    writer.appendEnd(
      offsets: offsets, offsetSize: offsetSize, referenceSize: referenceSize, root: root, reserved: [0, 0, 0, 0, 0, 0])
    return writer.bytes
  }

  /// Appends the offset table and the trailer; `reserved` are the trailer's first six bytes.
  mutating func appendEnd(offsets: [Int], offsetSize: Int, referenceSize: Int, root: Int, reserved: [UInt8]) {
    let table = bytes.count
    for offset in offsets { append(UInt64(offset), size: offsetSize) }
    bytes.append(contentsOf: reserved)
    append(UInt64(offsetSize), size: 1)
    append(UInt64(referenceSize), size: 1)
    append(UInt64(offsets.count), size: 8)
    append(UInt64(root), size: 8)
    append(UInt64(table), size: 8)
  }

  mutating func append(
    _ object: BinaryObjectList.Object, of list: BinaryObjectList, referenceSize: Int, renumbered: [Int]? = nil
  ) {
    switch object {
    case .scalar(let value): append(scalar: value)
    case .container(let type, let start, let count):
      append(type: type, count: type == 0xD ? count / 2 : count)
      for reference in list.references[start..<(start + count)] {
        append(UInt64(renumbered.map { $0[reference] } ?? reference), size: referenceSize)
      }
    }
  }

  /// Appends a marker with its count; a count of 15 or more is an integer after the marker.
  mutating func append(type: UInt8, count: Int) {
    if count < 15 {
      bytes.append(type << 4 | UInt8(count))
    } else {
      bytes.append(type << 4 | 0xF)
      let size = Self.sizeInBytes(of: UInt64(count))
      bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
      append(UInt64(count), size: size)
    }
  }

  @inline(__always)
  mutating func append(_ value: UInt64, size: Int) {
    var shift = (size - 1) * 8
    while shift >= 0 {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      shift -= 8
    }
  }

  mutating func append(bytes more: [UInt8]) { bytes.append(contentsOf: more) }

  mutating func append(copy range: Range<Int>, of source: UnsafePointer<UInt8>) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: source + range.lowerBound, count: range.count))
  }

  /// The size of references in a file with so many objects. Apple's reader refuses a file whose references cannot hold
  /// the number of objects itself, which no reference has: CFBinaryPList.c, `__CFBinaryPlistGetTopLevelInfo`.
  static func referenceSize(for count: Int) -> Int { sizeInBytes(of: UInt64(count)) }

  /// 1, 2, 4 or 8: the sizes that every reader accepts.
  static func sizeInBytes(of value: UInt64) -> Int {
    switch value {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }

  private mutating func append(scalar value: PropertyListValue) {
    switch value {
    case .string(let text): append(string: text)
    case .integer(let integer): append(integer: integer)
    case .real(let real):
      if real.width == .single {
        bytes.append(0x22)
        append(UInt64(real.singleBits), size: 4)
      } else {
        bytes.append(0x23)
        append(real.value.bitPattern, size: 8)
      }
    case .boolean(let boolean): bytes.append(boolean ? 0x09 : 0x08)
    case .date(let date):
      bytes.append(0x33)
      append(date.secondsSince2001.bitPattern, size: 8)
    case .data(let data):
      append(type: 0x4, count: data.count)
      bytes.append(contentsOf: data)
    case .uid(let uid):
      let size = Self.sizeInBytes(of: uid)
      bytes.append(0x80 | UInt8(size - 1))
      append(uid, size: size)
    case .null, .array, .set, .dictionary: bytes.append(0x00)
    }
  }

  private mutating func append(string text: String) {
    var text = text
    let isPlain = text.withUTF8 { buffer in
      guard isASCII(buffer) else { return false }
      append(type: 0x5, count: buffer.count)
      bytes.append(contentsOf: buffer)
      return true
    }
    guard !isPlain else { return }
    append(type: 0x6, count: text.utf16.count)
    for unit in text.utf16 { append(UInt64(unit), size: 2) }
  }

  /// Integers of 1, 2 and 4 bytes are unsigned, those of 8 bytes are signed; others need 16 bytes.
  private mutating func append(integer: PropertyListInteger) {
    if let value = integer.int64 {
      let size = value < 0 ? 8 : Self.sizeInBytes(of: UInt64(value))
      bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
      append(UInt64(bitPattern: value), size: size)
    } else {
      bytes.append(0x14)
      append(UInt64(bitPattern: integer.high), size: 8)
      append(integer.low, size: 8)
    }
  }
}

/// The objects of values to write. Equal scalars are written once.
///
/// Numbers follow a fixed order, so that the same value gives the same objects: a container, then its keys, then its
/// values, then the contents of inner containers.
struct BinaryObjectList {
  enum Object {
    case scalar(PropertyListValue)
    /// The references are `references[start..<start + count]`; a dictionary has two for each pair, first the keys.
    case container(type: UInt8, start: Int, count: Int)
  }

  private(set) var objects: [Object] = []
  private(set) var references: [Int] = []
  private var strings: [StringByBytes: Int] = [:]
  private var scalars: [PropertyListValue: Int] = [:]

  private struct Pending {
    let values: [PropertyListValue]
    let start: Int
    let depth: Int
  }

  /// Adds a value with everything inside it and returns its number.
  /// - Parameter depth: the depth of the value itself; the root has 1.
  mutating func add(_ value: PropertyListValue, depth: Int = 1) throws(PropertyListError) -> Int {
    var pending: [Pending] = []
    let number = try number(value, depth, &pending)
    while let container = pending.popLast() {
      var inner: [Pending] = []
      for (index, value) in container.values.enumerated() {
        references[container.start + index] = try self.number(value, container.depth + 1, &inner)
      }
      pending.append(contentsOf: inner.reversed())
    }
    return number
  }

  mutating func add(string text: String) -> Int {
    let key = StringByBytes(text)
    if let known = strings[key] { return known }
    strings[key] = objects.count
    return append(.scalar(.string(text)))
  }

  private mutating func append(_ object: Object) -> Int {
    objects.append(object)
    return objects.count - 1
  }

  private mutating func number(
    _ value: PropertyListValue, _ depth: Int, _ pending: inout [Pending]
  ) throws(PropertyListError) -> Int {
    switch value {
    case .string(let text): return add(string: text)
    case .array(let values): return try open(0xA, [], values, depth, &pending)
    case .set(let values): return try open(0xC, [], values, depth, &pending)
    case .dictionary(let dictionary): return try open(0xD, dictionary.entries, [], depth, &pending)
    default:
      if case .uid(let uid) = value, uid > UInt64(UInt32.max) { throw PropertyListError(.uidOutOfRange(uid)) }
      if let known = scalars[value] { return known }
      scalars[value] = objects.count
      return append(.scalar(value))
    }
  }

  private mutating func open(
    _ type: UInt8, _ entries: [PropertyListDictionary.Entry], _ values: [PropertyListValue], _ depth: Int,
    _ pending: inout [Pending]
  ) throws(PropertyListError) -> Int {
    guard depth <= PropertyListLimits.greatestDepth else {
      throw PropertyListError(.tooDeep(limit: PropertyListLimits.greatestDepth))
    }
    let start = references.count
    let count = entries.count * 2 + values.count
    let number = append(.container(type: type, start: start, count: count))
    references.append(contentsOf: repeatElement(0, count: count))
    for (index, entry) in entries.enumerated() { references[start + index] = add(string: entry.key) }
    let inside = type == 0xD ? entries.map(\.value) : values
    pending.append(Pending(values: inside, start: start + entries.count, depth: depth))
    return number
  }
}
