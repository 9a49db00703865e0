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
  let refusals: [String]

  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(PropertyListError) {
    guard bytes.count >= 8, bytes[6] == UInt8(ascii: "0") else {
      let version = String(decoding: bytes.prefix(8).dropFirst(6), as: UTF8.self)
      throw PropertyListError(
        bytes.count < 8
          ? .trailerMissing : "The binary property list has the unsupported version “\(version)”",
        at: PropertyListPosition(offset: 6))
    }
    guard bytes.count >= Self.headerSize + Self.trailerSize, let base = bytes.baseAddress else {
      throw PropertyListError(.trailerMissing, at: PropertyListPosition(offset: bytes.count))
    }
    let trailer = bytes.count - Self.trailerSize
    func number(_ position: Int) -> UInt64 { bigEndian(base + trailer + position, 8) }
    func error(_ reason: PropertyListError.Reason, _ position: Int) -> PropertyListError {
      PropertyListError(reason, at: PropertyListPosition(offset: trailer + position))
    }
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize) else {
      throw error("The trailer gives offsets \(offsetSize) bytes; 1 to 8 are possible", 6)
    }
    guard (1...8).contains(referenceSize) else {
      throw error("The trailer gives references \(referenceSize) bytes; 1 to 8 are possible", 7)
    }
    let count = number(8)
    guard count >= 1, count <= UInt64(trailer) else {
      throw error("The trailer counts \(count) objects, which this file cannot hold", 8)
    }
    objectCount = Int(count)
    guard number(16) < count else {
      throw error("The trailer names object \(number(16)) as the root, which is not in the table", 16)
    }
    root = Int(number(16))
    // The count is at most the size of the file, so the product cannot overflow.
    let tableSize = objectCount * offsetSize
    let start = number(24)
    guard start > UInt64(Self.headerSize), start <= UInt64(trailer), tableSize <= trailer - Int(start) else {
      throw error("The offset table does not lie between the header and the trailer", 24)
    }
    table = Int(start)
    let unusedBytes = trailer - table - tableSize
    func isShort(_ size: Int, for value: Int) -> Bool { size < 8 && UInt64(value) >> UInt64(8 * size) != 0 }
    func counted(_ count: Int) -> String { "\(count) byte\(count == 1 ? "" : "s")" }
    var refusals: [String] = []
    if unusedBytes > 0 {
      refusals.append("\(counted(unusedBytes)) \(unusedBytes == 1 ? "belongs" : "belong") to nothing")
    }
    if isShort(referenceSize, for: objectCount) {
      refusals.append("References of \(counted(referenceSize)) are too short for \(objectCount) objects")
    }
    if isShort(offsetSize, for: table) {
      refusals.append("Offsets of \(counted(offsetSize)) are too short for objects of \(table) bytes")
    }
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

/// Access to the objects of a binary property list by index. Everything it returns is inside the objects.
struct BinaryObjects {
  /// The type and length from an object's first bytes, checked against the end of the objects.
  struct Head {
    let type: UInt8
    let detail: UInt8
    /// Characters of a string, bytes of data, elements or pairs of a container; bytes of a number.
    let count: Int
    let content: Int
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
      throw outside(offset, entry, object)
    }
    return Int(offset)
  }

  /// The object that a container's reference names. The caller has checked that the bytes exist.
  @inline(__always)
  func reference(at position: Int) throws(PropertyListError) -> Int {
    let reference = bigEndian(base + position, layout.referenceSize)
    guard reference < UInt64(layout.objectCount) else {
      throw missing(reference, position)
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
    case 0x0: guard detail == 0 || detail == 8 || detail == 9 else { throw unknown(marker, offset, object) }
    default: throw unknown(marker, offset, object)
    }
    guard size <= layout.table - content else { throw truncated(offset, object) }
    return Head(type: type, detail: detail, count: count, content: content, size: size)
  }

  /// The count of 15 or more, an integer object after the marker.
  private func longCount(at position: Int, object: Int) throws(PropertyListError) -> (count: Int, content: Int) {
    guard position < layout.table else { throw truncated(position - 1, object) }
    let marker = base[position]
    guard marker >> 4 == 1, marker & 0xF <= 3 else {
      throw error("The object's length is not a number", position, object)
    }
    let size = 1 << Int(marker & 0xF)
    guard size <= layout.table - position - 1 else { throw truncated(position - 1, object) }
    let count = bigEndian(base + position + 1, size)
    guard count <= UInt64(layout.table) else { throw truncated(position - 1, object) }
    return (Int(count), position + 1 + size)
  }

  private func outside(_ offset: UInt64, _ entry: Int, _ object: Int) -> PropertyListError {
    error("The object table points to byte \(offset), which is outside the objects", entry, object)
  }

  private func missing(_ reference: UInt64, _ position: Int) -> PropertyListError {
    error("A container refers to object \(reference), which is not in the table", position, nil)
  }

  private func truncated(_ offset: Int, _ object: Int) -> PropertyListError {
    error("The object reaches beyond the end of the objects", offset, object)
  }

  private func unknown(_ marker: UInt8, _ offset: Int, _ object: Int) -> PropertyListError {
    error("The object has the unknown type 0x\(String(marker, radix: 16))", offset, object)
  }

  @inline(never)
  private func error(_ reason: PropertyListError.Reason, _ offset: Int, _ object: Int?) -> PropertyListError {
    PropertyListError(reason, at: PropertyListPosition(offset: offset, object: object))
  }

  /// An integer: 1, 2 and 4 bytes are unsigned, 8 and 16 bytes signed.
  @inline(__always)
  func integer(_ head: Head) -> PropertyListInteger {
    let start = base + head.content
    switch head.size {
    case 16: return PropertyListInteger(high: Int64(bitPattern: bigEndian(start, 8)), low: bigEndian(start + 8, 8))
    case 8: return PropertyListInteger(Int64(bitPattern: bigEndian(start, 8)))
    default: return PropertyListInteger(bigEndian(start, head.size))
    }
  }

  func real(_ head: Head) -> PropertyListReal {
    let bits = bigEndian(base + head.content, head.size)
    guard head.size == 4 else { return PropertyListReal(Double(bitPattern: bits)) }
    return PropertyListReal(singleBits: UInt32(truncatingIfNeeded: bits))
  }

  func date(_ head: Head) -> PropertyListDate {
    PropertyListDate(secondsSince2001: Double(bitPattern: bigEndian(base + head.content, 8)))
  }

  func data(_ head: Head) -> [UInt8] { Array(UnsafeBufferPointer(start: base + head.content, count: head.size)) }

  @inline(__always)
  func string(_ head: Head) -> (text: String, oddity: String?) {
    let bytes = UnsafeBufferPointer(start: base + head.content, count: head.size)
    if head.type == 0x5 {
      if isASCII(bytes) { return (String(decoding: bytes, as: UTF8.self), nil) }
      // Foundation reads non-ASCII bytes in an ASCII string this way.
      return (String(latin1: bytes), "A string marked as ASCII has other characters; they were read as Latin-1")
    }
    let units = (0..<head.count).lazy.map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
    let (text, firstHalf) = String.utf16(units)
    return (text, firstHalf == nil ? nil : "A string has half a surrogate pair; U+FFFD replaces it")
  }
}

/// Builds the value of a binary property list without recursion.
///
/// A cycle is detected at the depth limit, by looking for an object that contains itself among those being read. The
/// limit stops endless references, and valid files need no record of visited objects.
struct BinaryReader {
  private let objects: BinaryObjects
  private let limits: PropertyListLimits
  private let nodeLimit: Int
  private let contentLimit: Int
  private var nodes = 0
  private var contentBytes = 0
  /// Long strings and data that were read, by offset; filled only once objects are found to be shared.
  private var shared: [Int: PropertyListValue] = [:]
  private let fileSize: Int
  private(set) var findings: FindingCollector

  private struct Frame {
    let offset: Int
    let type: UInt8
    let count: Int
    /// The offset of the references; a dictionary's value references follow its key references.
    let references: Int
    var next = 0
    var key = ""
    var values: [PropertyListValue] = []
    var entries: [PropertyListDictionary.Entry] = []

    @inline(__always)
    mutating func add(_ value: PropertyListValue) {
      if type == 0xD { entries.append(.init(key: key, value: value)) } else { values.append(value) }
    }

    var value: PropertyListValue {
      switch type {
      case 0xD: .dictionary(PropertyListDictionary(entries: entries))
      case 0xC: .set(values)
      default: .array(values)
      }
    }
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: PropertyListLimits) throws(PropertyListError) {
    let layout = try BinaryLayout(bytes)
    objects = try BinaryObjects(bytes, layout)
    self.limits = limits
    fileSize = bytes.count
    nodeLimit = limits.nodes(forFileOfSize: bytes.count)
    contentLimit = limits.contentBytes(forFileOfSize: bytes.count)
    findings = FindingCollector(limit: limits.findings)
    let trailer = PropertyListPosition(offset: bytes.count - BinaryLayout.trailerSize)
    if layout.isOdd { findings.add("The header or trailer is unusual", at: trailer) }
    for refusal in layout.refusals { findings.refuse(refusal, at: trailer, isRemovedByEdits: true) }
  }

  mutating func read() throws(PropertyListError) -> PropertyListValue {
    // Apple's reader checks the offsets of all objects first; here, those that are used are checked when they are read.
    for object in 0..<objects.layout.objectCount {
      let entry = objects.layout.table + object * objects.layout.offsetSize
      if bigEndian(objects.base + entry, objects.layout.offsetSize) >= UInt64(objects.layout.table) {
        findings.refuse(
          "The offset of an unused object points outside the objects",
          at: PropertyListPosition(offset: entry, object: object), isRemovedByEdits: true)
        break
      }
    }
    let object = objects.layout.root
    let offset = try objects.offset(of: object)
    let head = try objects.head(at: offset, object: object)
    guard head.isContainer else { return try scalar(head, offset, object) }
    var frame = try open(head, offset, object, depth: 1, within: [])
    var outer: [Frame] = []
    let referenceSize = objects.layout.referenceSize
    while true {
      if frame.next == frame.count {
        try reportDuplicates(in: frame)
        let value = frame.value
        guard !outer.isEmpty else { return value }
        // Moved, not copied: a second owner would make the next append copy the elements.
        frame = outer.removeLast()
        frame.add(value)
        continue
      }
      var reference = frame.references + frame.next * referenceSize
      frame.next += 1
      if frame.type == 0xD {
        frame.key = try readKey(try objects.reference(at: reference))
        reference += frame.count * referenceSize
      }
      let child = try objects.reference(at: reference)
      let offset = try objects.offset(of: child)
      let head = try objects.head(at: offset, object: child)
      if head.isContainer {
        outer.append(frame)
        frame = try open(head, offset, child, depth: outer.count + 1, within: outer)
      } else {
        frame.add(try scalar(head, offset, child))
      }
    }
  }

  private mutating func open(
    _ head: BinaryObjects.Head, _ offset: Int, _ object: Int, depth: Int, within outer: [Frame]
  ) throws(PropertyListError) -> Frame {
    let isDictionary = head.type == 0xD
    nodes += head.count * (isDictionary ? 2 : 1) + 1
    guard depth <= limits.depth, nodes <= nodeLimit else {
      let position = PropertyListPosition(offset: offset, object: object)
      // One pass over the containers being read: two at the same offset are a cycle.
      var offsets: Set<Int> = [offset]
      for frame in outer where !offsets.insert(frame.offset).inserted {
        throw PropertyListError("A container contains itself", at: position)
      }
      throw PropertyListError(
        depth > limits.depth ? .tooDeep(limit: limits.depth) : .tooManyNodes(limit: nodeLimit), at: position)
    }
    if depth == PropertyListLimits.depthOnIOS + 1, head.count > 0 {
      findings.refuse(deeperThanIOSAt: PropertyListPosition(offset: offset, object: object))
    }
    // Foundation crashes on it, on Linux.
    if head.type == 0xC { report("The file has a set, which most readers refuse", offset, object) }
    var frame = Frame(offset: offset, type: head.type, count: head.count, references: head.content)
    if isDictionary {
      frame.entries.reserveCapacity(head.count)
    } else {
      frame.values.reserveCapacity(head.count)
    }
    return frame
  }

  @inline(__always)
  private mutating func readKey(_ object: Int) throws(PropertyListError) -> String {
    let offset = try objects.offset(of: object)
    let head = try objects.head(at: offset, object: object)
    guard head.kind == .string else {
      throw PropertyListError(
        "A dictionary key is \(head.kind.withArticle), not a string",
        at: PropertyListPosition(offset: offset, object: object))
    }
    return try string(head, offset, object)
  }

  private mutating func reportDuplicates(in frame: Frame) throws(PropertyListError) {
    for index in frame.entries.lazy.map(\.key).repeatedPositions() {
      let object = try objects.reference(at: frame.references + index * objects.layout.referenceSize)
      let position = PropertyListPosition(offset: try objects.offset(of: object), object: object)
      findings.add(duplicate: frame.entries[index].key, at: position)
    }
  }

  @inline(__always)
  private mutating func string(
    _ head: BinaryObjects.Head, _ offset: Int, _ object: Int
  ) throws(PropertyListError) -> String {
    if contentBytes > fileSize, case .string(let text)? = shared[offset] { return text }
    try count(contentOf: head, offset, object)
    let (text, oddity) = objects.string(head)
    if let oddity { report(oddity, offset, object) }
    if head.type == 0x6, head.size == 0 { refuse("An empty string is in UTF-16", offset, object) }
    if contentBytes > fileSize, head.size > 15 { shared[offset] = .string(text) }
    return text
  }

  /// Objects that do not overlap never exceed the file's size; beyond it, repeated ones are cached.
  @inline(__always)
  private mutating func count(
    contentOf head: BinaryObjects.Head, _ offset: Int, _ object: Int
  ) throws(PropertyListError) {
    guard head.size > 15 else { return }
    contentBytes += head.size
    guard contentBytes <= contentLimit else {
      throw PropertyListError(
        "Strings or data overlap and unfold to many times the file's size",
        at: PropertyListPosition(offset: offset, object: object))
    }
  }

  @inline(__always)
  private mutating func scalar(
    _ head: BinaryObjects.Head, _ offset: Int, _ object: Int
  ) throws(PropertyListError) -> PropertyListValue {
    switch head.type {
    case 0x5, 0x6: return .string(try string(head, offset, object))
    case 0x1:
      let integer = objects.integer(head)
      if head.size == 16, integer.uint64 == nil {
        // The lower 64, as an unsigned number.
        report("The integer \(integer) has 128 bits, of which Apple's readers take 64", offset, object)
      }
      return .integer(integer)
    case 0x2: return .real(objects.real(head))
    case 0x3:
      let date = objects.date(head)
      findings.check(date, at: PropertyListPosition(offset: offset, object: object))
      return .date(date)
    case 0x4:
      if contentBytes > fileSize, let value = shared[offset] { return value }
      try count(contentOf: head, offset, object)
      let value = PropertyListValue.data(objects.data(head))
      if contentBytes > fileSize, head.size > 15 { shared[offset] = value }
      return value
    case 0x8:
      let uid = bigEndian(objects.base + head.content, head.size)
      if uid > UInt64(UInt32.max) { refuse("The UID \(uid) is greater than 4294967295", offset, object) }
      return .uid(uid)
    default:
      guard head.detail == 0 else { return .boolean(head.detail == 9) }
      report("The file has a null, which most writers never make", offset, object)
      return .null
    }
  }

  private mutating func report(_ reason: @autoclosure () -> String, _ offset: Int, _ object: Int) {
    findings.add(reason(), at: PropertyListPosition(offset: offset, object: object))
  }

  private mutating func refuse(_ reason: @autoclosure () -> String, _ offset: Int, _ object: Int) {
    findings.refuse(reason(), at: PropertyListPosition(offset: offset, object: object))
  }
}
