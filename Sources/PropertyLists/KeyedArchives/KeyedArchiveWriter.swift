extension KeyedArchive {
  /// Encodes a value as `NSKeyedArchiver` does, with the root named `root`. The same value always gives the same bytes.
  ///
  /// Numbers, strings and booleans are objects of their own; the others have the classes of immutable collections,
  /// `NSDate`, `NSData` and `NSNull`. Of several pairs with one key, the first is encoded, as Foundation reads it.
  /// - Throws: ``PropertyListError`` if the property list cannot be written.
  package static func encode(_ root: PropertyListValue) throws(PropertyListError) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let reference = writer.add(root)
    return try PropertyListDocument.encode(
      [
        "$archiver": "NSKeyedArchiver", "$objects": .array(writer.objects), "$top": ["root": reference],
        "$version": 100_000,
      ], as: .binary)
  }
}

struct KeyedArchiveWriter {
  /// The object that stands for nil: always the first one.
  static let null: PropertyListValue = "$null"

  private(set) var objects: [PropertyListValue]
  private var classes: [String: PropertyListValue] = [:]

  /// The values whose objects are not written yet, with their places. A list, because values may be nested deeply.
  private var pending: [(place: Int, value: PropertyListValue)] = []

  /// - Parameter objects: the objects of an archive to add to.
  init(_ objects: [PropertyListValue] = [Self.null]) { self.objects = objects }

  /// Adds a value with everything in it.
  /// - Returns: the reference to it.
  mutating func add(_ root: PropertyListValue) -> PropertyListValue {
    let reference = reserve(root)
    while let (place, value) = pending.popLast() { objects[place] = object(value) }
    return reference
  }

  private mutating func reserve(_ value: PropertyListValue) -> PropertyListValue {
    pending.append((objects.count, value))
    objects.append(.null)
    return .uid(UInt64(objects.count - 1))
  }

  private mutating func object(_ value: PropertyListValue) -> PropertyListValue {
    switch value {
    // As an object of its own, this text would stand for nil.
    case .string("$null"): return instance("NSString", [("NS.string", value)])
    case .string, .integer, .real, .boolean: return value
    // Foundation has no objects for references, only for their numbers.
    case .uid(let number): return .integer(PropertyListInteger(number))
    case .date(let date): return instance("NSDate", [("NS.time", .real(PropertyListReal(date.secondsSince2001)))])
    case .data: return instance("NSData", [("NS.data", value)])
    case .null: return instance("NSNull", [])
    case .array(let elements): return instance("NSArray", [("NS.objects", references(elements))])
    case .set(let elements): return instance("NSSet", [("NS.objects", references(elements))])
    case .dictionary(let dictionary):
      let entries = dictionary.entries.distinct { StringByBytes($0.key) }
      return instance(
        "NSDictionary",
        [
          ("NS.keys", references(entries.map { .string($0.key) })),
          ("NS.objects", references(entries.map(\.value))),
        ])
    }
  }

  private mutating func references(_ values: [PropertyListValue]) -> PropertyListValue {
    .array(values.map { reserve($0) })
  }

  private mutating func instance(
    _ name: String, _ members: [(name: String, value: PropertyListValue)]
  ) -> PropertyListValue {
    var entries = members.map { PropertyListDictionary.Entry(key: $0.name, value: $0.value) }
    entries.append(.init(key: "$class", value: reference(toClass: name)))
    return .dictionary(PropertyListDictionary(entries: entries))
  }

  private mutating func reference(toClass name: String) -> PropertyListValue {
    if let known = classes[name] { return known }
    let added = PropertyListValue.uid(UInt64(objects.count))
    objects.append(["$classes": .array([.string(name), "NSObject"]), "$classname": .string(name)])
    classes[name] = added
    return added
  }
}

/// A keyed archive whose root is a dictionary, for edits key by key.
package struct KeyedDictionary: Sendable {
  package let document: PropertyListDocument
  /// The pairs whose keys are strings, in the order of the file, including duplicates. A value with a part that an edit
  /// could not write again, such as a URL, is null.
  package let dictionary: PropertyListDictionary
  private let objects: [PropertyListValue]
  private let object: PropertyListDictionary
  private let root: Int
  private let keys: [PropertyListValue]
  private let values: [PropertyListValue]
  /// For each pair of `dictionary`, its place among the root's pairs.
  private let places: [Int]

  /// - Throws: ``KeyedArchiveError`` for damage, or for a root that is not a dictionary as `NSKeyedArchiver` writes it.
  package init(_ document: PropertyListDocument) throws(KeyedArchiveError) {
    let archive = try KeyedArchive(document)
    let file = document.dictionary ?? [:]
    guard let top = archive.top.first(where: { $0.name.hasSameBytes(as: "root") }),
      case .array(let objects)? = file["$objects"], case .dictionary(let names)? = file["$top"],
      let reference = names["root"]
    else { throw .missing("root") }
    guard case .dictionary(let pairs) = top.value else {
      throw .wrong("root", [.dictionary], top.value.kind)
    }
    guard case .uid(let number) = reference, let root = Int(exactly: number), objects.indices.contains(root),
      case .dictionary(let object) = objects[root]
    else { throw .wrong("root", [.reference], reference) }
    self.document = document
    self.objects = objects
    (self.root, self.object) = (root, object)
    keys = try object.references("NS.keys", object: root)
    values = try object.references("NS.objects", object: root)
    places = pairs.indices.filter { pairs[$0].name != nil }
    dictionary = top.value.keys(exactly: true) ?? [:]
  }

  /// The first of some keys that has a value that is null here; nil if none has. A change of it cannot be rolled back.
  package func opaque(among keys: [String]) -> String? {
    let opaque = Set(dictionary.entries.filter { $0.value == .null }.map { StringByBytes($0.key) })
    return keys.first { opaque.contains(StringByBytes($0)) }
  }

  /// The first class of a mutable object in the value of a key; nil if there is none. An edit of the value would write
  /// an immutable object instead.
  package func mutableClass(in key: String) -> String? {
    let found = zip(dictionary.entries, places).filter { $0.0.key.hasSameBytes(as: key) }.map { values[$0.1] }
    return Self.reached(from: found, in: objects).sorted().lazy.compactMap { place -> String? in
      guard case .dictionary(let object) = objects[place], case .string(let name)? = object["$classname"] else {
        return nil
      }
      return name.utf8.starts(with: "NSMutable".utf8) ? name : nil
    }.first
  }

  /// The archive after edits. Every object that the edits do not concern stays in its place; one that nothing leads to
  /// any more becomes nil, so that a removed value does not stay in the file.
  /// - Throws: ``PropertyListError`` for a value that the format cannot represent.
  package func editing(_ edits: [PropertyListEdit]) throws(PropertyListError) -> [UInt8] {
    let plan = EditPlan(edits, of: dictionary.entries)
    if plan.isEmpty { return document.bytes }
    var writer = KeyedArchiveWriter(objects)
    var (keys, values) = (keys, values)
    var replaced: [PropertyListValue] = []
    var dropped: Set<Int> = []
    for (fate, place) in zip(plan.fates, places) {
      switch fate {
      case .keep: continue
      case .replace(let value):
        replaced.append(values[place])
        values[place] = writer.add(value)
      case .drop:
        replaced += [keys[place], values[place]]
        dropped.insert(place)
      }
    }
    let kept = keys.indices.filter { !dropped.contains($0) }
    keys = kept.map { keys[$0] } + plan.appended.map { writer.add(.string($0.key)) }
    values = kept.map { values[$0] } + plan.appended.map { writer.add($0.value) }
    var table = writer.objects
    var object = object
    object["NS.keys"] = .array(keys)
    object["NS.objects"] = .array(values)
    table[root] = .dictionary(object)
    let members = document.dictionary?.entries.filter { $0.key != "$objects" } ?? []
    let live = Self.reached(from: members.map(\.value), in: table)
    for place in Self.reached(from: replaced, in: table).subtracting(live) { table[place] = KeyedArchiveWriter.null }
    return try document.editing([.set("$objects", .array(table))])
  }

  private static func reached(from start: [PropertyListValue], in table: [PropertyListValue]) -> Set<Int> {
    var found: Set<Int> = []
    var pending = start
    while let value = pending.popLast() {
      guard case .uid(let number) = value else {
        pending += value.children
        continue
      }
      guard let place = Int(exactly: number), table.indices.contains(place), found.insert(place).inserted else {
        continue
      }
      pending.append(table[place])
    }
    return found
  }
}

extension PropertyListDictionary {
  fileprivate func references(_ name: String, object: Int) throws(KeyedArchiveError) -> [PropertyListValue] {
    let member = try keyedMember(name, object: object)
    guard case .array(let references) = member else { throw .wrong(name, [.array], member, object: object) }
    return references
  }
}

extension KeyedValue {
  package var plain: PropertyListValue? {
    let conversion = propertyList()
    return conversion.isComplete ? conversion.value : nil
  }

  /// The pairs of a dictionary whose keys are strings. A value that a property list cannot express is null, which no
  /// step of a recipe accepts. Nil for a value of another type.
  /// - Parameter exactly: whether a value with a part that a property list expresses as another type is null, too.
  package func keys(exactly: Bool = false) -> PropertyListDictionary? {
    guard case .dictionary(let pairs) = self else { return nil }
    return PropertyListDictionary(
      entries: pairs.compactMap { pair in
        guard let name = pair.name else { return nil }
        let value = pair.value.plain ?? .null
        return .init(key: name, value: exactly && !pair.value.isExact ? .null : value)
      })
  }

  /// Whether every part has a type of property lists.
  private var isExact: Bool {
    var pending = [self]
    while let next = pending.popLast() {
      switch next {
      case .plain(let value) where value != .null: continue
      case .array(let elements), .set(let elements): pending += elements
      case .dictionary(let pairs): pending += pairs.map(\.value)
      default: return false
      }
    }
    return true
  }
}
