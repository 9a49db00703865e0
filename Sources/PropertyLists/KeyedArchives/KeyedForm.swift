/// How the members of an object form its value: by its class, or as a container written in place.
enum KeyedForm {
  case string, data, number, date, null, array, set, orderedSet, dictionary, url, uuid
  /// Any other class.
  case opaque
  /// A container written in place of a reference.
  case inPlaceArray, inPlaceSet, inPlaceDictionary

  /// Recognises the exact name only: a subclass may use other members.
  init(className: String) {
    switch className {
    case "NSString", "NSMutableString": self = .string
    case "NSData", "NSMutableData": self = .data
    case "NSNumber": self = .number
    case "NSDate": self = .date
    case "NSNull": self = .null
    case "NSArray", "NSMutableArray": self = .array
    case "NSSet", "NSMutableSet": self = .set
    case "NSOrderedSet", "NSMutableOrderedSet": self = .orderedSet
    case "NSDictionary", "NSMutableDictionary": self = .dictionary
    case "NSURL": self = .url
    case "NSUUID": self = .uuid
    default: self = .opaque
    }
  }

  /// The names that a class with a single member may use for it.
  var singleMember: [String] {
    switch self {
    case .string: ["NS.string", "NS.bytes"]
    case .data: ["NS.data", "NS.bytes"]
    case .number: ["NS.number", "NS.boolval", "NS.intval", "NS.dblval"]
    case .date: ["NS.time"]
    case .uuid: ["NS.uuidbytes"]
    default: []
    }
  }
}

/// An object or container that is being read.
struct KeyedFrame {
  let form: KeyedForm
  /// The object's index in `$objects`; for a container in place, that of the object that contains it.
  let object: Int?
  var objectClass: KeyedClass?
  /// The items to read in order; for a dictionary, the keys and then the values.
  var items: [PropertyListValue] = []
  /// The names of the items' members, if there are several.
  var names: [String] = []
  /// The member of all items, if there is only one.
  var member = ""
  /// Whether the items must be references, as in collections.
  var needsReferences = false
  var results: [KeyedValue] = []

  init(_ form: KeyedForm, object: Int?) {
    self.form = form
    self.object = object
  }

  /// The object whose end closes the frame; nil for a container in place.
  var opened: Int? { objectClass == nil ? nil : object }

  /// The member of an item.
  func member(at place: Int) -> String {
    guard form == .dictionary else { return place < names.count ? names[place] : member }
    return place < items.count / 2 ? "NS.keys" : member
  }
}

/// Creates the value of an object after its contents are read.
extension KeyedFrame {
  /// The value.
  ///
  /// - Throws: ``KeyedArchiveError`` if a member has a type that the class does not allow.
  func value() throws(KeyedArchiveError) -> KeyedValue {
    switch form {
    case .array, .inPlaceArray: return .array(results)
    case .set, .inPlaceSet: return .set(results)
    case .orderedSet: return .orderedSet(results)
    case .dictionary:
      let half = results.count / 2
      return .dictionary(zip(results[..<half], results[half...]).map { KeyedPair($0, $1) })
    case .inPlaceDictionary: return .dictionary(zip(names, results).map { KeyedPair(.string($0), $1) })
    case .null: return .null
    case .opaque:
      guard let object, let objectClass else { return .null }
      let members = zip(names, results).map { KeyedMember($0, $1) }
      return .object(KeyedObject(index: object, objectClass: objectClass, members: members))
    case .url: return try url()
    case .string, .data, .number, .date, .uuid:
      guard let content = results.first else { return .null }
      return try single(content)
    }
  }

  private func single(_ content: KeyedValue) throws(KeyedArchiveError) -> KeyedValue {
    switch (form, member, content) {
    case (.string, "NS.string", .string): return content
    case (.string, "NS.bytes", .data(let bytes)):
      guard bytes.withUnsafeBufferPointer({ firstInvalidUTF8($0) }) == nil else {
        throw KeyedArchiveError(.textNotUTF8, object: object)
      }
      return .string(String(decoding: bytes, as: UTF8.self))
    case (.string, _, _): throw wrong([member == "NS.bytes" ? .data : .string], content)
    case (.data, _, .data): return content
    case (.number, "NS.number", .integer), (.number, "NS.number", .real), (.number, "NS.number", .boolean),
      (.number, "NS.boolval", .boolean), (.number, "NS.intval", .integer), (.number, "NS.dblval", .real):
      return content
    case (.number, "NS.boolval", _): throw wrong([.boolean], content)
    case (.number, "NS.intval", _): throw wrong([.integer], content)
    case (.number, "NS.dblval", _): throw wrong([.real], content)
    case (.number, _, _): throw wrong([.integer, .real, .boolean], content)
    case (.date, _, .real(let seconds)): return .date(PropertyListDate(secondsSince2001: seconds.value))
    case (.date, _, .integer(let seconds)):
      guard let seconds = seconds.int64 else { throw wrong([.real], content) }
      return .date(PropertyListDate(secondsSince2001: Double(seconds)))
    case (.date, _, _): throw wrong([.real], content)
    case (_, _, .data(let bytes)):
      guard let uuid = KeyedUUID(bytes: bytes) else {
        throw KeyedArchiveError(.uuidLength(bytes.count), object: object)
      }
      return .uuid(uuid)
    default: throw wrong([.data], content)
    }
  }

  private func url() throws(KeyedArchiveError) -> KeyedValue {
    guard let base = results.first, let relative = results.last, results.count == 2 else { return .null }
    guard case .string(let text) = relative else { throw wrong([.string], relative, at: 1) }
    switch base {
    case .null: return .url(KeyedURL(relative: text))
    case .url(let base): return .url(KeyedURL(relative: text, bases: [base.relative] + base.bases))
    default: throw wrong([.url, .null], base, at: 0)
    }
  }

  private func wrong(_ expected: [KeyedValue.Kind], _ found: KeyedValue, at place: Int = 0) -> KeyedArchiveError {
    KeyedArchiveError(
      .wrongKind(member: member(at: place), expected: expected, found: found.kind), object: object)
  }
}

/// Finds the members of an object, by the names that its class uses.
extension KeyedFrame {
  /// Creates the frame of an object.
  ///
  /// - Throws: ``KeyedArchiveError`` if a required member is missing, duplicated or of another type.
  init(
    _ dictionary: PropertyListDictionary, _ objectClass: KeyedClass, object: Int
  ) throws(KeyedArchiveError) {
    self.init(KeyedForm(className: objectClass.name), object: object)
    self.objectClass = objectClass
    switch form {
    case .array, .set, .orderedSet:
      items = try elements("NS.objects", numbered: "NS.object.", of: dictionary)
      member = "NS.objects"
      needsReferences = true
    case .dictionary:
      let keys = try elements("NS.keys", numbered: "NS.key.", of: dictionary)
      let values = try elements("NS.objects", numbered: "NS.object.", of: dictionary)
      guard keys.count == values.count else {
        throw KeyedArchiveError(.countsDiffer(keys: keys.count, values: values.count), object: object)
      }
      items = keys + values
      member = "NS.objects"
      needsReferences = true
    case .url:
      names = ["NS.base", "NS.relative"]
      items = [
        // Readers treat a missing base as none.
        try dictionary.keyedMember(ifPresent: "NS.base", object: object) ?? .null,
        try dictionary.keyedMember("NS.relative", object: object),
      ]
    case .string, .data, .number, .date, .uuid: try takeSingleMember(of: dictionary)
    case .opaque:
      items.reserveCapacity(dictionary.count)
      for entry in dictionary.entries where !entry.key.hasSameBytes(as: "$class") {
        names.append(entry.key)
        items.append(entry.value)
      }
    case .null, .inPlaceArray, .inPlaceSet, .inPlaceDictionary: break
    }
    results.reserveCapacity(items.count)
  }

  private mutating func takeSingleMember(of dictionary: PropertyListDictionary) throws(KeyedArchiveError) {
    for name in form.singleMember {
      guard let value = try dictionary.keyedMember(ifPresent: name, object: object) else { continue }
      member = name
      items = [value]
      return
    }
    throw KeyedArchiveError(.memberMissing(form.singleMember.first ?? ""), object: object)
  }

  /// The references of a collection: in one member, or each in its own member.
  ///
  /// Ordered sets always have the second form, so an empty one may have no member at all.
  private func elements(
    _ name: String, numbered prefix: String, of dictionary: PropertyListDictionary
  ) throws(KeyedArchiveError) -> [PropertyListValue] {
    if let list = try dictionary.keyedMember(ifPresent: name, object: object) {
      guard case .array(let values) = list else { throw .wrong(name, [.array], list, object: object) }
      return values
    }
    var found: [Int: PropertyListValue] = [:]
    for entry in dictionary.entries where entry.key.utf8.starts(with: prefix.utf8) {
      let digits = String(decoding: entry.key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
      guard let number = Int(digits), number >= 0, String(number).hasSameBytes(as: digits) else { continue }
      guard found.updateValue(entry.value, forKey: number) == nil else {
        throw KeyedArchiveError(.memberTwice(entry.key), object: object)
      }
    }
    if found.isEmpty, form != .orderedSet { throw KeyedArchiveError(.memberMissing(name), object: object) }
    var values: [PropertyListValue] = []
    for number in 0..<found.count {
      guard let value = found[number] else {
        throw KeyedArchiveError(.memberMissing(prefix + String(number)), object: object)
      }
      values.append(value)
    }
    return values
  }
}
