/// Changes the root dictionary of a binary property list and keeps the bytes of every other object.
///
/// Unreachable objects are removed, so that a removed value does not stay in the file. New objects take their numbers.
/// References are rewritten only if numbers remain unused, or if references need more bytes.
struct BinaryEditor {
  private let objects: BinaryObjects
  private let rootHead: BinaryObjects.Head
  private let rootOffset: Int
  private var isLive: [Bool]

  /// The file after the plan; `dictionary` is the root as it was read from these bytes.
  static func edit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ dictionary: PropertyListDictionary, _ plan: EditPlan
  ) throws(PropertyListError) -> [UInt8] {
    let objects = try BinaryObjects(bytes, try BinaryLayout(bytes))
    let root = objects.layout.root
    let offset = try objects.offset(of: root)
    let head = try objects.head(at: offset, object: root)
    guard head.type == 0xD, head.count == plan.fates.count else {
      throw PropertyListError(.rootNotDictionary(head.kind), at: PropertyListPosition(offset: offset, object: root))
    }
    var editor = BinaryEditor(objects: objects, rootHead: head, rootOffset: offset)
    return try editor.edit(
      plan, reserved: Array(bytes[(bytes.count - 32)..<(bytes.count - 26)]), Array(bytes.prefix(8)))
  }

  private init(objects: BinaryObjects, rootHead: BinaryObjects.Head, rootOffset: Int) {
    self.objects = objects
    self.rootHead = rootHead
    self.rootOffset = rootOffset
    isLive = Array(repeating: false, count: objects.layout.objectCount)
  }

  private enum Reference {
    case old(Int)
    case new(Int)
  }

  private mutating func edit(
    _ plan: EditPlan, reserved: [UInt8], _ header: [UInt8]
  ) throws(PropertyListError) -> [UInt8] {
    var keys: [Reference] = []
    var values: [Reference] = []
    var list = BinaryObjectList()
    let size = objects.layout.referenceSize
    for (position, fate) in plan.fates.enumerated() {
      if case .drop = fate { continue }
      keys.append(.old(try objects.reference(at: rootHead.content + position * size)))
      if case .replace(let value) = fate {
        values.append(.new(try list.add(value, depth: 2)))
      } else {
        values.append(.old(try objects.reference(at: rootHead.content + (rootHead.count + position) * size)))
      }
    }
    for entry in plan.appended {
      keys.append(.new(list.add(string: entry.key)))
      values.append(.new(try list.add(entry.value, depth: 2)))
    }
    let references = keys + values
    try markLive(references)
    let numbers = Numbers(isLive: isLive, newCount: list.objects.count)
    return try write(references, list, numbers, count: keys.count, reserved: reserved, header)
  }

  private mutating func markLive(_ references: [Reference]) throws(PropertyListError) {
    isLive[objects.layout.root] = true
    var pending: [Int] = []
    for case .old(let object) in references where !isLive[object] {
      isLive[object] = true
      pending.append(object)
    }
    while let object = pending.popLast() {
      let head = try objects.head(at: try objects.offset(of: object), object: object)
      guard head.isContainer else { continue }
      for position in stride(from: head.content, to: head.content + head.size, by: objects.layout.referenceSize) {
        let child = try objects.reference(at: position)
        if !isLive[child] {
          isLive[child] = true
          pending.append(child)
        }
      }
    }
  }

  private struct Numbers {
    /// By number in the old file; −1 for a removed object.
    private(set) var old: [Int]
    /// By number in the list of new objects.
    private(set) var new: [Int] = []
    let count: Int
    /// Whether every remaining object keeps its number.
    let areKept: Bool

    init(isLive: [Bool], newCount: Int) {
      let liveCount = isLive.reduce(0) { $0 + ($1 ? 1 : 0) }
      count = liveCount + newCount
      areKept = count >= isLive.count
      old = Array(repeating: -1, count: isLive.count)
      new.reserveCapacity(newCount)
      var next = 0
      for (object, isLive) in isLive.enumerated() {
        if isLive {
          old[object] = areKept ? object : next
          next += 1
        } else if areKept, new.count < newCount {
          new.append(object)
        }
      }
      var unused = areKept ? isLive.count : liveCount
      while new.count < newCount {
        new.append(unused)
        unused += 1
      }
    }
  }

  private func write(
    _ references: [Reference], _ list: BinaryObjectList, _ numbers: Numbers, count: Int, reserved: [UInt8],
    _ header: [UInt8]
  ) throws(PropertyListError) -> [UInt8] {
    let referenceSize = max(objects.layout.referenceSize, BinaryWriter.referenceSize(for: numbers.count))
    let mustRewrite = !numbers.areKept || referenceSize != objects.layout.referenceSize
    var writer = BinaryWriter()
    writer.append(bytes: header)
    var offsets = Array(repeating: 0, count: numbers.count)
    var written = (old: -1, new: 0)
    for (offset, object) in try liveObjectsInFileOrder() {
      // Two numbers of one offset in the file still have one offset.
      if offset == written.old {
        offsets[numbers.old[object]] = written.new
        continue
      }
      written = (offset, writer.bytes.count)
      offsets[numbers.old[object]] = written.new
      let head = try objects.head(at: offset, object: object)
      if object == objects.layout.root {
        writeRoot(references, numbers, count: count, referenceSize, to: &writer)
      } else if mustRewrite, head.isContainer {
        writer.append(copy: offset..<head.content, of: objects.base)
        for position in stride(from: head.content, to: head.content + head.size, by: objects.layout.referenceSize) {
          writer.append(UInt64(numbers.old[try objects.reference(at: position)]), size: referenceSize)
        }
      } else {
        writer.append(copy: offset..<(head.content + head.size), of: objects.base)
      }
    }
    for (index, object) in list.objects.enumerated() {
      offsets[numbers.new[index]] = writer.bytes.count
      writer.append(object, of: list, referenceSize: referenceSize, renumbered: numbers.new)
    }
    let offsetSize = max(objects.layout.offsetSize, BinaryWriter.sizeInBytes(of: UInt64(writer.bytes.count)))
    writer.appendEnd(
      offsets: offsets, offsetSize: offsetSize, referenceSize: referenceSize, root: numbers.old[objects.layout.root],
      reserved: reserved)
    return writer.bytes
  }

  private func writeRoot(
    _ references: [Reference], _ numbers: Numbers, count: Int, _ referenceSize: Int, to writer: inout BinaryWriter
  ) {
    if count == rootHead.count {
      writer.append(copy: rootOffset..<rootHead.content, of: objects.base)
    } else {
      writer.append(type: 0xD, count: count)
    }
    for reference in references {
      switch reference {
      case .old(let object): writer.append(UInt64(numbers.old[object]), size: referenceSize)
      case .new(let object): writer.append(UInt64(numbers.new[object]), size: referenceSize)
      }
    }
  }

  private func liveObjectsInFileOrder() throws(PropertyListError) -> [(offset: Int, object: Int)] {
    var live: [(offset: Int, object: Int)] = []
    var isSorted = true
    for object in isLive.indices where isLive[object] {
      let offset = try objects.offset(of: object)
      if let last = live.last, last.offset > offset { isSorted = false }
      live.append((offset, object))
    }
    if !isSorted { live.sort { ($0.offset, $0.object) < ($1.offset, $1.object) } }
    return live
  }
}
