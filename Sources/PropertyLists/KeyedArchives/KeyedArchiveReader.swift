struct KeyedArchiveReader {
  private let objects: [PropertyListValue]
  private let depthLimit: Int
  private let nodeLimit: Int
  private let contentLimit: Int
  private var nodes = 0
  private var content = 0
  /// By index in the table: whether the object's contents are being read.
  private var isOpen: [Bool]
  private var classes: [Int: KeyedClass] = [:]

  private typealias Form = ([KeyedValue]) throws(KeyedArchiveError) -> KeyedValue

  /// An object, or a container in place of a reference, that is being read.
  private struct Frame {
    /// The index in `$objects`; for a container in place, that of the object that contains it.
    let object: Int?
    /// The items to read in order; for a dictionary, the keys and then the values.
    let items: [PropertyListValue]
    var keyCount = 0
    /// Whether the items must be references, as in collections.
    var needsReferences = false
    var isInPlace = false
    /// The members and the class of an object that is shown.
    var names: [String] = []
    var shownClass: KeyedClass?
    var results: [KeyedValue] = []
    let value: Form
  }

  private enum Step {
    case value(KeyedValue)
    case open(Frame)
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
  mutating func read(_ item: PropertyListValue) throws(KeyedArchiveError) -> KeyedValue {
    try count(1, object: nil)
    var frame: Frame
    switch try visit(item, within: Frame(object: nil, items: []) { _ in .plain(.null) }, at: 0, depth: 1) {
    case .value(let value): return value
    case .open(let opened): frame = opened
    }
    var outer: [Frame] = []
    while true {
      let next = frame.results.count
      guard next < frame.items.count else {
        let value = try frame.value(frame.results)
        if !frame.isInPlace, let object = frame.object { isOpen[object] = false }
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
    _ item: PropertyListValue, within frame: Frame, at place: Int, depth: Int
  ) throws(KeyedArchiveError) -> Step {
    guard case .uid(let reference) = item else {
      guard !frame.needsReferences else {
        throw .wrong(place < frame.keyCount ? "NS.keys" : "NS.objects", [.reference], item, object: frame.object)
      }
      return try inPlace(item, object: frame.object, depth: depth)
    }
    guard let index = Int(exactly: reference), index < objects.count else {
      throw .referenceOutside(reference, count: objects.count, object: frame.object)
    }
    switch objects[index] {
    case .string(let text) where text.hasSameBytes(as: "$null"): return .value(.plain(.null))
    case .dictionary(let dictionary):
      if isOpen[index] { return .value(.cycle(object: index)) }
      // Unused members are looked at too, so they count.
      try count(dictionary.count, object: index)
      let opened = try frameOfObject(dictionary, try objectClass(of: dictionary, object: index), index)
      isOpen[index] = true
      return .open(try checked(opened, depth: depth))
    case .array, .set, .uid, .null:
      throw .notAnObject(objects[index], object: index)
    default: return .value(try scalar(objects[index], object: index))
    }
  }

  private mutating func inPlace(_ item: PropertyListValue, object: Int?, depth: Int) throws(KeyedArchiveError) -> Step {
    func open(_ items: [PropertyListValue], names: [String] = [], _ value: @escaping Form) -> Frame {
      Frame(object: object, items: items, isInPlace: true, names: names, value: value)
    }
    switch item {
    case .array(let values): return .open(try checked(open(values) { .array($0) }, depth: depth))
    case .set(let values): return .open(try checked(open(values) { .set($0) }, depth: depth))
    case .dictionary(let dictionary):
      let names = dictionary.keys
      let frame = open(dictionary.entries.map(\.value), names: names) { results in
        .dictionary(zip(names, results).map { KeyedPair($0, $1) })
      }
      return .open(try checked(frame, depth: depth))
    default: return .value(try scalar(item, object: object))
    }
  }

  private mutating func checked(_ frame: Frame, depth: Int) throws(KeyedArchiveError) -> Frame {
    guard depth <= depthLimit else {
      throw KeyedArchiveError("Objects nest deeper than \(depthLimit) levels", object: frame.object)
    }
    try count(frame.items.count, object: frame.object)
    // Names are repeated with the object, and so are those of its class where they are shown.
    if let shown = frame.shownClass {
      try count(shown.chain.count, object: frame.object)
      try count(contentOf: shown.chain + [shown.name], object: frame.object)
    }
    try count(contentOf: frame.names, object: frame.object)
    return frame
  }

  private mutating func scalar(_ value: PropertyListValue, object: Int?) throws(KeyedArchiveError) -> KeyedValue {
    switch value {
    case .string(let text): try count(content: text.utf8.count, object: object)
    case .data(let bytes): try count(content: bytes.count, object: object)
    case .integer, .real, .boolean, .date, .null: break
    case .array, .set, .dictionary, .uid: throw .notAnObject(value, object: object)
    }
    return .plain(value)
  }

  private mutating func objectClass(
    of dictionary: PropertyListDictionary, object: Int
  ) throws(KeyedArchiveError) -> KeyedClass {
    guard let member = try dictionary.keyedMember(ifPresent: "$class", object: object) else {
      throw KeyedArchiveError("A reference leads to an object without a class", object: object)
    }
    guard case .uid(let reference) = member else { throw .wrong("$class", [.reference], member, object: object) }
    guard let index = Int(exactly: reference), index < objects.count else {
      throw .referenceOutside(reference, count: objects.count, object: object)
    }
    if let known = classes[index] { return known }
    guard case .dictionary(let definition) = objects[index],
      let name = try definition.keyedMember(ifPresent: "$classname", object: index)
    else { throw KeyedArchiveError("Object \(index) is named as a class, but is not one", object: object) }
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
    guard !overflow, sum <= nodeLimit else {
      throw KeyedArchiveError("The archive unfolds to more than \(nodeLimit) values", object: object)
    }
    nodes = sum
  }

  private mutating func count(contentOf names: [String], object: Int?) throws(KeyedArchiveError) {
    for name in names { try count(content: name.utf8.count, object: object) }
  }

  private mutating func count(content more: Int, object: Int?) throws(KeyedArchiveError) {
    let (sum, overflow) = content.addingReportingOverflow(more)
    guard !overflow, sum <= contentLimit else {
      throw KeyedArchiveError("Shared strings and data unfold to more than \(contentLimit) bytes", object: object)
    }
    content = sum
  }
}

/// How the members of an object form its value, by the exact name of its class: a subclass may use other members.
extension KeyedArchiveReader {
  private func frameOfObject(
    _ members: PropertyListDictionary, _ objectClass: KeyedClass, _ index: Int
  ) throws(KeyedArchiveError) -> Frame {
    func collection(mayLackMembers: Bool = false, _ value: @escaping Form) throws(KeyedArchiveError) -> Frame {
      let items = try members.references("NS.objects", "NS.object.", mayBeMissing: mayLackMembers, object: index)
      return Frame(object: index, items: items, needsReferences: true, value: value)
    }
    switch objectClass.name {
    case "NSArray", "NSMutableArray": return try collection { .array($0) }
    case "NSSet", "NSMutableSet": return try collection { .set($0) }
    // Each of its references always has a member of its own, so an empty one may have no member at all.
    case "NSOrderedSet", "NSMutableOrderedSet": return try collection(mayLackMembers: true) { .orderedSet($0) }
    case "NSDictionary", "NSMutableDictionary":
      let keys = try members.references("NS.keys", "NS.key.", object: index)
      let values = try members.references("NS.objects", "NS.object.", object: index)
      guard keys.count == values.count else {
        throw KeyedArchiveError(
          "The keys and values of a dictionary differ in number: \(keys.count) and \(values.count)", object: index)
      }
      return Frame(object: index, items: keys + values, keyCount: keys.count, needsReferences: true) { results in
        .dictionary(zip(results, results.dropFirst(keys.count)).map { KeyedPair($0, $1) })
      }
    case "NSURL":
      // Readers treat a missing base as none.
      let base = try members.keyedMember(ifPresent: "NS.base", object: index) ?? .null
      let relative = try members.keyedMember("NS.relative", object: index)
      return Frame(object: index, items: [base, relative]) { (results) throws(KeyedArchiveError) in
        try Self.url(results, index)
      }
    case "NSNull": return Frame(object: index, items: []) { _ in .plain(.null) }
    case "NSString", "NSMutableString":
      return try single([("NS.string", [.string]), ("NS.bytes", [.data])], of: members, index) {
        (content) throws(KeyedArchiveError) in
        guard case .plain(.data(let bytes)) = content else { return content }
        guard let text = String(utf8: bytes) else {
          throw KeyedArchiveError("The bytes of a string are not valid UTF-8", object: index)
        }
        return .plain(.string(text))
      }
    case "NSData", "NSMutableData":
      return try single([("NS.data", [.data]), ("NS.bytes", [.data])], of: members, index)
    case "NSNumber":
      let kinds: [(String, [KeyedValue.Kind])] = [
        ("NS.number", [.integer, .real, .boolean]), ("NS.boolval", [.boolean]), ("NS.intval", [.integer]),
        ("NS.dblval", [.real]),
      ]
      return try single(kinds, of: members, index)
    case "NSDate":
      return try single([("NS.time", [.real])], orAlso: .integer, of: members, index) { content in
        switch content {
        case .plain(.real(let seconds)): .plain(.date(PropertyListDate(secondsSince2001: seconds.value)))
        case .plain(.integer(let seconds)):
          seconds.int64.map { .plain(.date(PropertyListDate(secondsSince2001: Double($0)))) }
        default: nil
        }
      }
    case "NSUUID":
      return try single([("NS.uuidbytes", [.data])], of: members, index) { (content) throws(KeyedArchiveError) in
        guard case .plain(.data(let bytes)) = content else { return nil }
        guard let uuid = KeyedUUID(bytes: bytes) else {
          throw KeyedArchiveError("A UUID is not 16 bytes long, but \(bytes.count)", object: index)
        }
        return .uuid(uuid)
      }
    default:
      let own = members.entries.filter { !$0.key.hasSameBytes(as: "$class") }
      let names = own.map(\.key)
      return Frame(object: index, items: own.map(\.value), names: names, shownClass: objectClass) { results in
        let members = zip(names, results).map { KeyedMember($0, $1) }
        return .object(KeyedObject(index: index, objectClass: objectClass, members: members))
      }
    }
  }

  /// The frame of an object with one member, the first of those that its class may use, with the types of its value.
  /// - Parameter value: makes the object's value of the member's; nil for a wrong one.
  private func single(
    _ kinds: [(name: String, kinds: [KeyedValue.Kind])], orAlso other: KeyedValue.Kind? = nil,
    of members: PropertyListDictionary, _ index: Int,
    _ value: @escaping (KeyedValue) throws(KeyedArchiveError) -> KeyedValue? = { $0 }
  ) throws(KeyedArchiveError) -> Frame {
    for (name, expected) in kinds {
      guard let item = try members.keyedMember(ifPresent: name, object: index) else { continue }
      return Frame(object: index, items: [item]) { (results) throws(KeyedArchiveError) in
        guard let content = results.first else { return .plain(.null) }
        guard expected.contains(content.kind) || content.kind == other, let made = try value(content) else {
          throw .wrong(name, expected, content.kind, object: index)
        }
        return made
      }
    }
    throw .missing(kinds.first?.name ?? "", object: index)
  }

  private static func url(_ parts: [KeyedValue], _ index: Int) throws(KeyedArchiveError) -> KeyedValue {
    guard let base = parts.first, let relative = parts.last else { return .plain(.null) }
    guard case .plain(.string(let text)) = relative else {
      throw .wrong("NS.relative", [.string], relative.kind, object: index)
    }
    switch base {
    case .plain(.null): return .url(KeyedURL(relative: text))
    case .url(let base): return .url(KeyedURL(relative: text, bases: [base.relative] + base.bases))
    default:
      throw .wrong("NS.base", [.url, .null], base.kind, object: index)
    }
  }
}

extension PropertyListDictionary {
  fileprivate func references(
    _ name: String, _ prefix: String, mayBeMissing: Bool = false, object: Int
  ) throws(KeyedArchiveError) -> [PropertyListValue] {
    if let list = try keyedMember(ifPresent: name, object: object) {
      guard case .array(let values) = list else { throw .wrong(name, [.array], list, object: object) }
      return values
    }
    var found: [Int: PropertyListValue] = [:]
    for entry in entries where entry.key.beginsWithBytes(of: prefix) {
      let digits = String(decoding: entry.key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      guard let number = Int(digits), number >= 0, String(number).hasSameBytes(as: digits) else { continue }
      guard found.updateValue(entry.value, forKey: number) == nil else {
        throw .twice(entry.key, object: object)
      }
    }
    if found.isEmpty, !mayBeMissing { throw .missing(name, object: object) }
    var values: [PropertyListValue] = []
    for number in 0..<found.count {
      guard let value = found[number] else {
        throw .missing(prefix + String(number), object: object)
      }
      values.append(value)
    }
    return values
  }
}
