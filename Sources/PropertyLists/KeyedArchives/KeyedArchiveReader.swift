/// Reads values from the object table without recursion.
struct KeyedArchiveReader {
  private let objects: [PropertyListValue]
  private let depthLimit: Int
  private let nodeLimit: Int
  private let contentLimit: Int
  private var nodes = 0
  private var content = 0
  /// By index in the table: whether the object's contents are being read.
  private var isOpen: [Bool]
  /// The classes that were read, by index in the table.
  private var classes: [Int: KeyedClass] = [:]

  private enum Step {
    case value(KeyedValue)
    case open(KeyedFrame)
  }

  init(_ objects: [PropertyListValue], limits: PropertyListLimits, fileSize: Int) {
    self.objects = objects
    depthLimit = limits.depth
    nodeLimit = limits.nodes(forFileOfSize: fileSize)
    // Archivers write equal strings once, so sharing is common: the limit is far higher than the codec's.
    contentLimit = max(1 << 24, fileSize.multipliedClamped(by: 8))
    isOpen = Array(repeating: false, count: objects.count)
  }

  /// The value of an item in `$top`. All calls share one limit.
  mutating func read(_ item: PropertyListValue, member: String) throws(KeyedArchiveError) -> KeyedValue {
    try count(1, object: nil)
    var start = KeyedFrame(.inPlaceArray, object: nil)
    start.member = member
    var frame: KeyedFrame
    switch try visit(item, within: start, at: 0, depth: 1) {
    case .value(let value): return value
    case .open(let opened): frame = opened
    }
    var outer: [KeyedFrame] = []
    while true {
      let next = frame.results.count
      guard next < frame.items.count else {
        let value = try frame.value()
        if let object = frame.opened { isOpen[object] = false }
        guard !outer.isEmpty else { return value }
        // Moved, not copied: a second owner would make the next append copy the values.
        frame = outer.removeLast()
        frame.results.append(value)
        continue
      }
      switch try visit(frame.items[next], within: frame, at: next, depth: outer.count + 2) {
      case .value(let value): frame.results.append(value)
      case .open(let opened):
        outer.append(frame)
        frame = opened
      }
    }
  }

  private mutating func visit(
    _ item: PropertyListValue, within frame: KeyedFrame, at place: Int, depth: Int
  ) throws(KeyedArchiveError) -> Step {
    guard case .uid(let reference) = item else {
      guard !frame.needsReferences else {
        throw .wrong(frame.member(at: place), [.reference], item, object: frame.object)
      }
      return try inPlace(item, object: frame.object, depth: depth)
    }
    guard let index = Int(exactly: reference), index < objects.count else {
      throw KeyedArchiveError(.referenceOutside(reference, count: objects.count), object: frame.object)
    }
    switch objects[index] {
    case .string(let text) where text.hasSameBytes(as: "$null"): return .value(.null)
    case .dictionary(let dictionary):
      if isOpen[index] { return .value(.cycle(object: index)) }
      // Unused members are looked at too, so they count.
      try count(dictionary.count, object: index)
      let opened = try KeyedFrame(dictionary, try objectClass(of: dictionary, object: index), object: index)
      isOpen[index] = true
      return .open(try checked(opened, depth: depth))
    case .array, .set, .uid, .null:
      throw KeyedArchiveError(.notAnObject(KeyedValue.Kind(objects[index].kind)), object: index)
    default: return .value(try scalar(objects[index], object: index))
    }
  }

  /// The value of an item that is written in place of a reference.
  private mutating func inPlace(
    _ item: PropertyListValue, object: Int?, depth: Int
  ) throws(KeyedArchiveError) -> Step {
    switch item {
    case .array(let values):
      var frame = KeyedFrame(.inPlaceArray, object: object)
      frame.items = values
      return .open(try checked(frame, depth: depth))
    case .set(let values):
      var frame = KeyedFrame(.inPlaceSet, object: object)
      frame.items = values
      return .open(try checked(frame, depth: depth))
    case .dictionary(let dictionary):
      var frame = KeyedFrame(.inPlaceDictionary, object: object)
      frame.items = dictionary.entries.map(\.value)
      frame.names = dictionary.keys
      return .open(try checked(frame, depth: depth))
    default: return .value(try scalar(item, object: object))
    }
  }

  private mutating func checked(_ frame: KeyedFrame, depth: Int) throws(KeyedArchiveError) -> KeyedFrame {
    guard depth <= depthLimit else { throw KeyedArchiveError(.tooDeep(limit: depthLimit), object: frame.object) }
    try count(frame.items.count, object: frame.object)
    // Names are repeated with the object, and so are those of its class where they are shown.
    if frame.form == .opaque, let objectClass = frame.objectClass {
      try count(objectClass.chain.count, object: frame.object)
      try count(contentOf: objectClass.chain, object: frame.object)
      try count(content: objectClass.name.utf8.count, object: frame.object)
    }
    try count(contentOf: frame.names, object: frame.object)
    return frame
  }

  private mutating func scalar(
    _ value: PropertyListValue, object: Int?
  ) throws(KeyedArchiveError) -> KeyedValue {
    switch value {
    case .string(let text):
      try count(content: text.utf8.count, object: object)
      return .string(text)
    case .data(let bytes):
      try count(content: bytes.count, object: object)
      return .data(bytes)
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(real)
    case .boolean(let boolean): return .boolean(boolean)
    case .date(let date): return .date(date)
    case .null: return .null
    case .array, .set, .dictionary, .uid:
      throw KeyedArchiveError(.notAnObject(KeyedValue.Kind(value.kind)), object: object)
    }
  }

  private mutating func objectClass(
    of dictionary: PropertyListDictionary, object: Int
  ) throws(KeyedArchiveError) -> KeyedClass {
    guard let member = try dictionary.keyedMember(ifPresent: "$class", object: object) else {
      throw KeyedArchiveError(.classMissing, object: object)
    }
    guard case .uid(let reference) = member else { throw .wrong("$class", [.reference], member, object: object) }
    guard let index = Int(exactly: reference), index < objects.count else {
      throw KeyedArchiveError(.referenceOutside(reference, count: objects.count), object: object)
    }
    if let known = classes[index] { return known }
    guard case .dictionary(let definition) = objects[index],
      let name = try definition.keyedMember(ifPresent: "$classname", object: index)
    else { throw KeyedArchiveError(.notAClass(index), object: object) }
    guard case .string(let text) = name else { throw .wrong("$classname", [.string], name, object: index) }
    let list = try definition.keyedMember("$classes", object: index)
    guard case .array(let values) = list else { throw .wrong("$classes", [.array], list, object: index) }
    var chain: [String] = []
    for value in values {
      guard case .string(let name) = value else { throw .wrong("$classes", [.string], value, object: index) }
      chain.append(name)
    }
    let result = KeyedClass(name: text, chain: chain)
    classes[index] = result
    return result
  }

  private mutating func count(_ more: Int, object: Int?) throws(KeyedArchiveError) {
    let (sum, overflow) = nodes.addingReportingOverflow(more)
    guard !overflow, sum <= nodeLimit else { throw KeyedArchiveError(.tooManyValues(limit: nodeLimit), object: object) }
    nodes = sum
  }

  private mutating func count(contentOf names: [String], object: Int?) throws(KeyedArchiveError) {
    for name in names { try count(content: name.utf8.count, object: object) }
  }

  private mutating func count(content more: Int, object: Int?) throws(KeyedArchiveError) {
    let (sum, overflow) = content.addingReportingOverflow(more)
    guard !overflow, sum <= contentLimit else {
      throw KeyedArchiveError(.tooMuchContent(limit: contentLimit), object: object)
    }
    content = sum
  }
}
