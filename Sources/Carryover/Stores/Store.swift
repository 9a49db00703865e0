package import CarryoverSystem
package import PropertyLists

package struct Store: Sendable {
  package var path: String
  package var content: StoreContent
  package var size: Int?
  package var modified: Moment?
  /// What a plan depends on, of a file whose bytes the content does not have; nil for other files.
  private let contents: PropertyListValue?
  /// The line of printable text that is the whole file, if it is neither a property list nor JSON; nil for other files.
  let line: String?
  /// The files that belong to it, such as a database's log, as a plan depends on them.
  package var companions: [PlanBasis] = []
  /// All tables of a database, where they were read: for inspecting, not for planning.
  package var tables: DatabaseTables?

  package init(path: String, content: StoreContent, size: Int? = nil, bytes: [UInt8]? = nil) {
    self.path = path
    self.content = content
    self.size = size ?? content.size
    switch content {
    case .unreadable, .database: contents = bytes.map { PlanBasis.contents($0) }
    case .document, .json: contents = nil
    }
    line = if case .unreadable = content { bytes.flatMap(Self.line) } else { nil }
  }

  /// What begins like a property list or JSON is damaged, and ciphertext is not printable.
  private static func line(_ bytes: [UInt8]) -> String? {
    guard let first = bytes.first, bytes.count <= 1024, !#"{["<"#.utf8.contains(first),
      !bytes.starts(with: "bplist".utf8)
    else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf8.elementsEqual(bytes) && text.unicodeScalars.allSatisfy(DisplayText.hasShape) ? text : nil
  }

  package var name: String { FilePath.name(of: path) }

  /// Whether a text is the path or the last parts of it, with or without `.plist`, as apps name a suite. The text is
  /// only compared.
  package func isNamed(_ name: String) -> Bool {
    !name.isEmpty
      && [name, name + NameTemplate.fileExtension].contains {
        path.hasSameBytes(as: $0) || path.endsWithBytes(of: "/" + $0)
      }
  }

  package var dictionary: PropertyListDictionary? {
    if case .document(let document) = content { document.dictionary } else { nil }
  }

  package var problem: String? { if case .unreadable(let reason) = content { reason } else { nil } }

  /// The word for its format in JSON output: `binary`, `xml`, `json`, `sqlite`; nil if it could not be read.
  package var format: String? {
    switch content {
    case .document(let document): document.format.rawValue
    case .json: "json"
    case .database: "sqlite"
    case .unreadable: nil
    }
  }

  /// The values under their keys, of all tables of a database; empty for a store without keys.
  package var entries: [PropertyListDictionary.Entry] {
    switch content {
    case .document: dictionary?.entries ?? []
    case .json(let json): json.value.members.map { PropertyListDictionary(members: $0).entries } ?? []
    case .database(let tables):
      tables.entries.flatMap { table -> [PropertyListDictionary.Entry] in
        if case .dictionary(let rows) = table.value { rows.entries } else { [] }
      }
    case .unreadable: []
    }
  }

  package var findings: [String] {
    switch content {
    case .document(let document): document.findings.map(\.description)
    case .json(let text): text.findings.map(\.description)
    case .database, .unreadable: []
    }
  }

  /// The reason that Apple's readers refuse the file although it could be read, as a sentence; nil if they do not.
  package var refusal: String? {
    if case .document(let document) = content { document.refusal?.description } else { nil }
  }

  /// What a plan depends on if it depends on the whole file: its content and that of its companions.
  package var basis: [PlanBasis] {
    let value =
      switch content {
      case .document(let document): PlanBasis.contents(document.bytes)
      case .json(let json): PlanBasis.contents(json.text.utf8)
      case .database, .unreadable: contents ?? PlanBasis.presence
      }
    return [PlanBasis(file: path, value: value)] + companions
  }

  /// Feeds the file's contents and those of its companions.
  fileprivate func hashContents(into hasher: inout Hasher) {
    hasher.combine(StringByBytes(path))
    hasher.combine(companions)
    switch content {
    case .document(let document): document.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    case .json(let json): hasher.combine(StringByBytes(json.text))
    case .database, .unreadable: hasher.combine(contents)
    }
  }
}

extension Container {
  /// A hash value of the app and the contents of its stores, to compare two readings in one process.
  package var contentsHash: Int {
    var hasher = Hasher()
    hasher.combine(bundleID)
    for store in stores { store.hashContents(into: &hasher) }
    return hasher.finalize()
  }
}

package enum StoreContent: Sendable {
  case document(PropertyListDocument)
  case json(JSONText)
  /// The key-value tables of a SQLite database that recipes read: each table's values by its label, null for one that
  /// could not be read.
  case database(PropertyListDictionary)
  /// The store could not be read; the reason and the place, as a sentence.
  case unreadable(String)

  var size: Int? {
    switch self {
    case .document(let document): document.bytes.count
    case .json(let text): text.text.utf8.count
    case .database, .unreadable: nil
    }
  }
}

extension JSONValue {
  /// The value as a property list has it, for display and comparison. A number that does not fit an integer is a real.
  package var propertyListValue: PropertyListValue {
    switch self {
    case .object(let members): .dictionary(PropertyListDictionary(members: members))
    case .array(let elements): .array(elements.map(\.propertyListValue))
    case .string(let text): .string(text)
    case .number(let number):
      PropertyListInteger(number.lexeme).map(PropertyListValue.integer)
        ?? .real(PropertyListReal(Double(number.lexeme) ?? .nan))
    case .boolean(let flag): .boolean(flag)
    case .null: .null
    }
  }
}

/// A value that a plan depends on: that of a key in a store, which may be missing, or that of a whole file.
package struct PlanBasis: Hashable, Sendable {
  @StringByBytes package var store: String
  /// The key; empty for a whole file.
  @StringByBytes package var key: String
  /// The value; nil if the key or the file was missing. For a whole file, a text with size and checksum.
  package var value: PropertyListValue?
  package var isFile = false

  package init(store: String, key: String, value: PropertyListValue?) {
    self.store = store
    self.key = key
    self.value = value
  }

  package init(file: String, value: PropertyListValue?) {
    self.init(store: file, key: "", value: value)
    isFile = true
  }

  /// The value for the bytes of a file: their number and checksum.
  package static func contents(_ bytes: some Collection<UInt8>) -> PropertyListValue {
    .string("\(bytes.count) bytes, \(SHA256.hexDigest(Array(bytes)))")
  }

  /// The value for a file of which only the existence counts, or which cannot be read.
  package static let presence: PropertyListValue = true
}
