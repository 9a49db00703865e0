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

/// The object table of an archive that is being written.
struct KeyedArchiveWriter {
  /// The object that stands for nil: always the first one.
  static let null: PropertyListValue = "$null"

  private(set) var objects: [PropertyListValue]
  /// The references to the classes, by name.
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
      var seen: Set<[UInt8]> = []
      let entries = dictionary.entries.filter { seen.insert(Array($0.key.utf8)).inserted }
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
