/// A keyed archive by `NSKeyedArchiver`, decoded from its object table.
///
/// Objects of property-list classes become values; an object of any other class keeps its class name and its members.
/// No class is looked up or instantiated. An object that contains itself becomes a cycle at its second occurrence.
public struct KeyedArchive: Sendable {
  /// The class that wrote it: `NSKeyedArchiver`, or a subclass.
  package let archiver: String
  /// The top-level values by name, in the order of the file, including duplicates.
  package let top: [KeyedMember]
  /// The number of objects in the table, used or not.
  package let objectCount: Int

  /// The value named `root`, or the only value; nil if there are none or several others.
  package var root: KeyedValue? {
    if let root = top.first(where: { $0.name.hasSameBytes(as: "root") }) { return root.value }
    return top.count == 1 ? top.first?.value : nil
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
    guard document.isKeyedArchive, let root = document.dictionary else { throw KeyedArchiveError(.notKeyedArchive) }
    let version = try root.keyedMember("$version", object: nil)
    guard case .integer(let number) = version else { throw .wrong("$version", [.integer], version) }
    guard number == 100_000 else { throw KeyedArchiveError(.versionUnsupported(number)) }
    let name = try root.keyedMember("$archiver", object: nil)
    guard case .string(let archiver) = name else { throw .wrong("$archiver", [.string], name) }
    let table = try root.keyedMember("$objects", object: nil)
    guard case .array(let objects) = table else { throw .wrong("$objects", [.array], table) }
    let start = try root.keyedMember("$top", object: nil)
    guard case .dictionary(let names) = start else { throw .wrong("$top", [.dictionary], start) }
    var reader = KeyedArchiveReader(objects, limits: document.limits, fileSize: document.bytes.count)
    var top: [KeyedMember] = []
    for entry in names.entries { top.append(KeyedMember(entry.key, try reader.read(entry.value))) }
    self.archiver = archiver
    self.top = top
    objectCount = objects.count
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
      throw KeyedArchiveError(.memberMissing(name), object: object)
    }
    return value
  }

  /// The only value of a member; nil if there is none.
  func keyedMember(ifPresent name: String, object: Int?) throws(KeyedArchiveError) -> PropertyListValue? {
    var found: PropertyListValue?
    for entry in entries where entry.key.hasSameBytes(as: name) {
      guard found == nil else { throw KeyedArchiveError(.memberTwice(name), object: object) }
      found = entry.value
    }
    return found
  }
}

/// Why a keyed archive could not be read, and in which of its objects.
public struct KeyedArchiveError: Error, Sendable, Hashable, CustomStringConvertible, Described {
  package let kind: Kind
  /// The object's index in `$objects`; nil if the error is about the archive itself.
  package let object: Int?

  package init(_ kind: Kind, object: Int? = nil) {
    self.kind = kind
    self.object = object
  }

  package enum Kind: Sendable, Hashable {
    case notKeyedArchive
    /// A version other than 100,000, the only one there has been.
    case versionUnsupported(PropertyListInteger)
    case memberMissing(String)
    /// A member that determines what an object is occurs twice; readers differ in which one they use.
    case memberTwice(String)
    case wrongKind(member: String, expected: [KeyedValue.Kind], found: KeyedValue.Kind)
    case referenceOutside(UInt64, count: Int)
    /// A reference leads to something that archivers do not write into the object table.
    case notAnObject(KeyedValue.Kind)
    case classMissing
    case notAClass(Int)
    case countsDiffer(keys: Int, values: Int)
    case uuidLength(Int)
    case textNotUTF8
    case tooDeep(limit: Int)
    /// The archive expands to more values than the limit; a shared object counts each time it is reached.
    case tooManyValues(limit: Int)
    case tooMuchContent(limit: Int)
  }

  package var words: String { kind.words + (object.map { " (object \($0))" } ?? "") + "." }

  static func wrong(
    _ member: String, _ expected: [KeyedValue.Kind], _ found: PropertyListValue, object: Int? = nil
  ) -> KeyedArchiveError {
    KeyedArchiveError(
      .wrongKind(member: member, expected: expected, found: KeyedValue.Kind(found.kind)), object: object)
  }
}

extension KeyedArchiveError.Kind {
  fileprivate var words: String {
    switch self {
    case .notKeyedArchive: "The property list is not a keyed archive: it lacks $archiver, $objects or $top"
    case .versionUnsupported(let version): "The keyed archive has the unsupported version \(version)"
    case .memberMissing(let name): "The member “\(name)” is missing"
    case .memberTwice(let name): "The member “\(name)” occurs more than once, and readers differ in which they take"
    case .wrongKind(let member, let expected, let found):
      "The member “\(member)” is or contains \(found.withArticle) where \(expected.map(\.withArticle).joined(separator: " or ")) "
        + "is needed"
    case .referenceOutside(let reference, let count):
      "A reference leads to object \(reference), but there are only \(count)"
    case .notAnObject(let kind): "A reference leads to \(kind.withArticle), which is not an object of an archive"
    case .classMissing: "A reference leads to an object without a class"
    case .notAClass(let index): "Object \(index) is named as a class, but is not one"
    case .countsDiffer(let keys, let values): "A dictionary has \(keys) keys and \(values) values"
    case .uuidLength(let count): "A UUID has \(count) bytes instead of 16"
    case .textNotUTF8: "The bytes of a string are not valid UTF-8"
    case .tooDeep(let limit): "Objects nest deeper than \(limit) levels"
    case .tooManyValues(let limit): "The archive unfolds to more than \(limit) values"
    case .tooMuchContent(let limit): "Shared strings and data unfold to more than \(limit) bytes"
    }
  }
}

extension KeyedValue.Kind {
  var withArticle: String {
    switch self {
    case .integer, .array, .object: "an \(rawValue)"
    case .orderedSet: "an ordered set"
    case .url: "a URL"
    case .uuid: "a UUID"
    case .data, .null: rawValue
    case .cycle: "an object that contains itself"
    case .string, .real, .boolean, .date, .set, .dictionary, .reference: "a \(rawValue)"
    }
  }
}
