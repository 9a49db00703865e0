/// A keyed archive by `NSKeyedArchiver`, decoded from its object table.
///
/// Objects of property-list classes become values; an object of any other class keeps its class name and its members.
/// No class is looked up or instantiated. An object that contains itself becomes a cycle at its second occurrence.
public struct KeyedArchive: Sendable {
  /// The top-level values by name, in the order of the file, including duplicates.
  package let top: [KeyedMember]

  /// The value named `root`, or the only value; nil if there are none or several others.
  package var root: KeyedValue? {
    if let root = top.first(where: { $0.name.hasSameBytes(as: "root") }) { return root.value }
    return top.count == 1 ? top.first?.value : nil
  }

  package var requiredRoot: KeyedValue {
    get throws(KeyedArchiveError) {
      guard let root else { throw .missing("root") }
      return root
    }
  }

  /// Converts the root to a plain property-list value; nil if there is no root.
  ///
  /// Sets stay sets, ordered sets become arrays, and URLs and UUIDs become strings. Objects of other classes, cycles,
  /// pairs whose key is not a string, and relative URLs are omitted.
  /// - Returns: the converted root (nil if it cannot be converted), and a sentence with the path for each omitted
  ///   value, in the order of the archive, at most 1,000. The sentences do not escape names.
  public func propertyList() -> (value: PropertyListValue?, leftOut: [String])? { root?.propertyList().plain }

  /// Converts the root to JSON; nil if there is no root.
  ///
  /// Numbers are exact. Sets become arrays, dates ISO 8601 text, data base64 text, and URLs and UUIDs their text. It
  /// omits what ``propertyList()`` omits, and numbers and dates that JSON cannot represent.
  /// - Returns: the same as ``propertyList()``, with a JSON value.
  public func json() -> (value: JSONValue?, leftOut: [String])? { root?.json().plain }

  /// Decodes an archive, within the limits of the document.
  ///
  /// Decodes and checks everything that is reachable from `$top`. Ignores other objects in the table, and members that
  /// readers of a property-list class do not use.
  /// - Throws: ``KeyedArchiveError`` if the document is not a keyed archive, if a member is missing, duplicated or of
  ///   the wrong type, if a reference or class is not valid, or if objects nest too deeply or expand to many times the
  ///   file's size.
  public init(_ document: PropertyListDocument) throws(KeyedArchiveError) {
    guard document.isKeyedArchive, let root = document.dictionary else {
      throw KeyedArchiveError("The property list is not a keyed archive: it lacks $archiver, $objects or $top")
    }
    let version = try root.keyedMember("$version", object: nil)
    guard case .integer(let number) = version else { throw .wrong("$version", [.integer], version) }
    // There has been no other version.
    guard number == 100_000 else {
      throw KeyedArchiveError("The keyed archive has the unsupported version \(number)")
    }
    let name = try root.keyedMember("$archiver", object: nil)
    guard case .string = name else { throw .wrong("$archiver", [.string], name) }
    let table = try root.keyedMember("$objects", object: nil)
    guard case .array(let objects) = table else { throw .wrong("$objects", [.array], table) }
    let start = try root.keyedMember("$top", object: nil)
    guard case .dictionary(let names) = start else { throw .wrong("$top", [.dictionary], start) }
    var reader = KeyedArchiveReader(objects, limits: document.limits, fileSize: document.bytes.count)
    var top: [KeyedMember] = []
    for entry in names.entries { top.append(KeyedMember(entry.key, try reader.read(entry.value))) }
    self.top = top
  }
}

extension PropertyListDocument {
  /// Whether the root has the members of a keyed archive, with any contents.
  package var isKeyedArchive: Bool {
    guard let dictionary else { return false }
    return ["$archiver", "$objects", "$top"].allSatisfy { dictionary[$0] != nil }
  }
}

extension PropertyListDictionary {
  /// The only value of a member that determines what an object is.
  func keyedMember(_ name: String, object: Int?) throws(KeyedArchiveError) -> PropertyListValue {
    guard let value = try keyedMember(ifPresent: name, object: object) else {
      throw .missing(name, object: object)
    }
    return value
  }

  /// The only value of a member; nil if there is none.
  func keyedMember(ifPresent name: String, object: Int?) throws(KeyedArchiveError) -> PropertyListValue? {
    var found: PropertyListValue?
    for entry in entries where entry.key.hasSameBytes(as: name) {
      guard found == nil else { throw .twice(name, object: object) }
      found = entry.value
    }
    return found
  }
}

/// Why a keyed archive could not be read, and in which of its objects.
public struct KeyedArchiveError: Error, Sendable, Hashable, CustomStringConvertible, Described {
  /// A sentence without a full stop.
  package let reason: String
  /// The object's index in `$objects`; nil if the error is about the archive itself.
  let object: Int?

  package init(_ reason: String, object: Int? = nil) {
    self.reason = reason
    self.object = object
  }

  package var words: String { reason + (object.map { " (object \($0))" } ?? "") + "." }

  package static func missing(_ member: String, object: Int? = nil) -> KeyedArchiveError {
    KeyedArchiveError("The member “\(member)” is missing", object: object)
  }

  package static func twice(_ member: String, object: Int?) -> KeyedArchiveError {
    KeyedArchiveError(
      "The member “\(member)” occurs more than once, and readers differ in which they take", object: object)
  }

  package static func wrong(
    _ member: String, _ expected: [KeyedValue.Kind], _ found: PropertyListValue, object: Int? = nil
  ) -> KeyedArchiveError {
    wrong(member, expected, KeyedValue.Kind(found.kind), object: object)
  }

  package static func wrong(
    _ member: String, _ expected: [KeyedValue.Kind], _ found: KeyedValue.Kind, object: Int? = nil
  ) -> KeyedArchiveError {
    let needed = expected.map(\.withArticle).joined(separator: " or ")
    return KeyedArchiveError(
      "The member “\(member)” is or contains \(found.withArticle) where \(needed) is needed", object: object)
  }

  package static func referenceOutside(_ reference: UInt64, count: Int, object: Int?) -> KeyedArchiveError {
    KeyedArchiveError("A reference leads to object \(reference), but there are only \(count)", object: object)
  }

  package static func notAnObject(_ found: PropertyListValue, object: Int?) -> KeyedArchiveError {
    let kind = KeyedValue.Kind(found.kind).withArticle
    return KeyedArchiveError("A reference leads to \(kind), which is not an object of an archive", object: object)
  }
}

extension KeyedValue.Kind {
  package var word: String {
    switch self {
    case .orderedSet: "ordered set"
    case .url: "URL"
    case .uuid: "UUID"
    default: rawValue
    }
  }

  var withArticle: String {
    switch self {
    case .integer, .array, .object, .orderedSet: "an \(word)"
    case .data, .null: word
    case .cycle: "an object that contains itself"
    default: "a \(word)"
    }
  }
}
