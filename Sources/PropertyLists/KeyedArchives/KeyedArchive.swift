/// What `NSKeyedArchiver` wrote, decoded from its object table.
///
/// The property-list classes become values; an object of any other class is named and shown with its members. No class
/// is looked up or instantiated. An object that contains itself is shown as a cycle where it comes again.
public struct KeyedArchive: Sendable {
  /// Who wrote it: `NSKeyedArchiver`, or a class derived from it.
  package let archiver: String
  /// The values the archive begins with, by name, in the order of the file, duplicates included.
  package let top: [KeyedMember]
  /// How many objects the table has, used or not.
  package let objectCount: Int

  /// The value named `root`, or the only one there is; nil when there are none or several others.
  package var root: KeyedValue? {
    if let root = top.first(where: { $0.name.hasSameBytes(as: "root") }) { return root.value }
    return top.count == 1 ? top.first?.value : nil
  }

  /// The root as a plain property-list value; nil when there is none.
  ///
  /// Sets stay sets and ordered sets become arrays; URLs and UUIDs become strings. Left out, each with its path, are
  /// objects of other classes, cycles, pairs whose key is no string, and URLs that are relative to another.
  /// - Returns: the converted root, nil if it cannot be converted at all, and a sentence for each value left out, in
  ///   the order of the archive, at most 1,000. The sentences do not escape names.
  public func propertyList() -> (value: PropertyListValue?, leftOut: [String])? { root?.propertyList().plain }

  /// The root as JSON; nil when there is none.
  ///
  /// Numbers are exact. Sets become arrays; dates ISO 8601 text, data base64 text, URLs and UUIDs their text. Left out
  /// is what ``propertyList()`` leaves out, and numbers and dates that JSON cannot say.
  /// - Returns: the same as ``propertyList()``, with a JSON value.
  public func json() -> (value: JSONValue?, leftOut: [String])? { root?.json().plain }

  /// Decodes an archive, within the limits the document was read with.
  ///
  /// Everything reachable from `$top` is decoded and checked; what else is in the table is passed over, and so are
  /// members of a property-list class that its readers do not ask for.
  /// - Throws: ``KeyedArchiveError`` for a property list that is no keyed archive, for a member of another type than its
  ///   class has, a reference or class that is none, nesting beyond the limit, and shared objects that unfold to many
  ///   times the size of the file.
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
    for entry in names.entries { top.append(KeyedMember(entry.key, try reader.read(entry.value, member: "$top"))) }
    self.archiver = archiver
    self.top = top
    objectCount = objects.count
  }
}

extension PropertyListDocument {
  /// True when the root has the members of a keyed archive, whatever is in them.
  package var isKeyedArchive: Bool {
    guard let dictionary else { return false }
    return ["$archiver", "$objects", "$top"].allSatisfy { dictionary[$0] != nil }
  }
}

extension KeyedArchiveError {
  static func wrong(
    _ member: String, _ expected: [KeyedValue.Kind], _ found: PropertyListValue, object: Int? = nil
  ) -> KeyedArchiveError {
    KeyedArchiveError(
      .wrongKind(member: member, expected: expected, found: KeyedValue.Kind(found.kind)), object: object)
  }
}

extension PropertyListDictionary {
  /// The one value of a member that decides what an object is.
  func keyedMember(_ name: String, object: Int?) throws(KeyedArchiveError) -> PropertyListValue {
    guard let value = try keyedMember(ifPresent: name, object: object) else {
      throw KeyedArchiveError(.memberMissing(name), object: object)
    }
    return value
  }

  /// Nil when no pair has the name.
  func keyedMember(ifPresent name: String, object: Int?) throws(KeyedArchiveError) -> PropertyListValue? {
    var found: PropertyListValue?
    for entry in entries where entry.key.hasSameBytes(as: name) {
      guard found == nil else { throw KeyedArchiveError(.memberTwice(name), object: object) }
      found = entry.value
    }
    return found
  }
}
