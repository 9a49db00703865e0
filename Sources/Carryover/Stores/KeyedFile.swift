import CarryoverSystem
package import PropertyLists

/// A file with keys that a run can edit: a property list or a keyed archive with a dictionary, or JSON with an object.
///
/// A file whose name ends with `.plist` is a property list. Of the others, one that begins with `{` is JSON, and one with
/// the members of a keyed archive is a keyed archive.
package enum KeyedFile: Sendable {
  case propertyList(PropertyListDocument)
  case archive(KeyedDictionary)
  case json(JSONText)

  package struct Problem: Error {
    package let reason: String

    static func of<Result>(_ operation: @autoclosure () throws -> Result) throws(Problem) -> Result {
      do {
        return try operation()
      } catch {
        throw Problem(reason: String(describing: error))
      }
    }
  }

  /// The format of a file. The raw value is the word in JSON output.
  package enum Format: String, Sendable, JSONConvertible {
    case binary, xml, json
    case archive = "keyed-archive"
  }

  package init(bytes: [UInt8], path: String) throws(Problem) {
    if Self.isFree(path), bytes.first(where: { !$0.isSpace }) == UInt8(ascii: "{") {
      self = .json(try Problem.of(JSONText(bytes: bytes)))
    } else {
      try self.init(try Problem.of(PropertyListDocument(bytes: bytes)), path)
    }
  }

  package init(_ store: Store) throws(Problem) {
    switch store.content {
    case .document(let document): try self.init(document, store.path)
    case .json(let json) where json.value.members != nil && Self.isFree(store.path): self = .json(json)
    default: throw Problem(reason: store.problem ?? Self.noDictionary)
    }
  }

  private init(_ document: PropertyListDocument, _ path: String) throws(Problem) {
    guard document.dictionary != nil else { throw Problem(reason: Self.noDictionary) }
    guard Self.isFree(path), document.isKeyedArchive else {
      self = .propertyList(document)
      return
    }
    // An edit writes every object again, including those that Apple's readers read differently.
    if let finding = document.findings.first { throw Problem(reason: finding.description) }
    self = .archive(try Problem.of(KeyedDictionary(document)))
  }

  private static func isFree(_ path: String) -> Bool { !path.hasSuffix(NameTemplate.fileExtension) }

  package static let noDictionary = "Its root is not a dictionary."
  package static let noArchive = "It is not a keyed archive."

  package var dictionary: PropertyListDictionary {
    switch self {
    case .propertyList(let document): document.dictionary ?? [:]
    case .archive(let archive): archive.dictionary
    case .json(let json): json.value.members.map(PropertyListDictionary.init(members:)) ?? [:]
    }
  }

  package var format: Format {
    switch self {
    case .propertyList(let document): document.format == .binary ? .binary : .xml
    case .archive: .archive
    case .json: .json
    }
  }

  func problem(as expected: Format) -> Problem? {
    guard (format == .archive) != (expected == .archive) else { return nil }
    return Problem(reason: expected == .archive ? Self.noArchive : "It is a keyed archive.")
  }

  package var bytes: [UInt8] {
    switch self {
    case .propertyList(let document): document.bytes
    case .archive(let archive): archive.document.bytes
    case .json(let json): Array(json.text.utf8)
    }
  }

  package func editing(_ edits: [PropertyListEdit]) throws(Problem) -> [UInt8] {
    switch self {
    case .propertyList(let document): return try Problem.of(document.editing(edits))
    case .archive(let archive):
      try checkChange(of: edits.map(\.key))
      return try Problem.of(archive.editing(edits))
    case .json(var json):
      for edit in edits { json = try Self.edited(json, edit) }
      return Array(json.text.utf8)
    }
  }

  func checkChange(of keys: [String]) throws(Problem) {
    guard case .archive(let archive) = self, let key = archive.opaque(among: keys) else { return }
    throw Problem(
      reason: "A rollback could not restore the value of \(DisplayText.quoted(key)): property lists have no such type.")
  }

  func checkReaders() throws(Problem) {
    guard case .propertyList(let document) = self, let refusal = document.lastingRefusal else { return }
    throw Problem(reason: refusal.description)
  }

  private static func edited(_ json: JSONText, _ edit: PropertyListEdit) throws(Problem) -> JSONText {
    switch edit {
    case .remove(let key): return try Problem.of(JSONText(json.removingMembers(named: [key])))
    case .set(let key, let value):
      guard let value = JSONValue(expressing: value) else { throw Problem(reason: noJSON) }
      return try Problem.of(JSONText(json.settingMember(key, to: value)))
    }
  }

  package static func encode(_ dictionary: PropertyListDictionary, as format: Format) throws(Problem) -> [UInt8] {
    let value = PropertyListValue.dictionary(dictionary)
    switch format {
    case .binary: return try Problem.of(PropertyListDocument.encode(value, as: .binary))
    case .xml: return try Problem.of(PropertyListDocument.encode(value, as: .xml))
    case .archive: return try Problem.of(KeyedArchive.encode(value))
    case .json:
      guard let json = JSONValue(expressing: value) else { throw Problem(reason: noJSON) }
      return Array(json.text().utf8)
    }
  }

  private static let noJSON = "JSON cannot express the value."
}

extension PropertyListDictionary {
  package init(members: [JSONMember]) {
    self.init(entries: members.map { .init(key: $0.name, value: $0.value.propertyListValue) })
  }
}
