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
