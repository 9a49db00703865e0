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
  private var strings: [(text: String, object: Int)] = []
  private var stringTable = StringTable()
  private var scalars: [PropertyListValue: Int] = [:]
  private var integers: [PropertyListInteger: Int] = [:]

  /// A container whose children still have to be numbered.
  private struct Pending {
    let values: [PropertyListValue]
    let start: Int
    let depth: Int
  }

  /// Adds a value with everything inside it and returns its number.
  ///
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

  /// Adds a string and returns its number.
  mutating func add(string text: String) -> Int {
    let earlier = stringTable.insert(text) { strings[$0].text }
    if let earlier { return strings[earlier].object }
    strings.append((text, objects.count))
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
    case .integer(let integer):
      if let known = integers[integer] { return known }
      integers[integer] = objects.count
      return append(.scalar(value))
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
    if entries.count > 1000 { stringTable.reserve(2 * entries.count) }
    references.append(contentsOf: repeatElement(0, count: count))
    for (index, entry) in entries.enumerated() { references[start + index] = add(string: entry.key) }
    if type == 0xD {
      pending.append(Pending(values: entries.map(\.value), start: start + entries.count, depth: depth))
    } else {
      pending.append(Pending(values: values, start: start, depth: depth))
    }
    return number
  }
}
