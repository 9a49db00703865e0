import CarryoverSystem
import PropertyLists

/// Reads an object in the JSON of a file of the state folder, and reports errors in it.
struct RecordReader {
  let path: String
  let root: JSONValue

  init(_ bytes: [UInt8], path: String) throws(RunError) {
    guard let text = String(utf8: bytes) else { throw .damagedRecord(path: path, reason: "It is not UTF-8 text.") }
    do throws(JSONError) {
      self.init(path: path, root: try JSONText(text).value)
    } catch {
      throw .damagedRecord(path: path, reason: error.description)
    }
  }

  private init(path: String, root: JSONValue) {
    self.path = path
    self.root = root
  }

  func damaged(_ member: String) -> RunError {
    .damagedRecord(path: path, reason: "Its member \(member) is missing or not valid.")
  }

  /// - Throws: `newerRecord` for a later schema.
  func require(_ schema: String, of family: String) throws(RunError) {
    let found = try text("schema")
    guard found != schema else { return }
    throw found.hasPrefix(family) ? .newerRecord(path: path, schema: found) : damaged("schema")
  }

  func object(_ member: String) -> RecordReader { RecordReader(path: path, root: root[member] ?? .null) }

  func text(_ member: String) throws(RunError) -> String {
    guard case .string(let text)? = root[member] else { throw damaged(member) }
    return text
  }

  func optionalText(_ member: String) throws(RunError) -> String? { root[member] == nil ? nil : try text(member) }

  func parsed<Value>(_ member: String, _ parse: (String) -> Value?) throws(RunError) -> Value {
    guard let value = parse(try text(member)) else { throw damaged(member) }
    return value
  }

  func number(_ member: String) throws(RunError) -> Int {
    guard let lexeme = root[member]?.numberValue?.lexeme, let number = Int(lexeme), number >= 0 else {
      throw damaged(member)
    }
    return number
  }

  func list<Item>(
    _ member: String, limit: Int = .max, _ read: (RecordReader) throws(RunError) -> Item
  ) throws(RunError) -> [Item] {
    guard case .array(let items)? = root[member] else { throw damaged(member) }
    guard items.count <= limit else {
      throw .damagedRecord(path: path, reason: "Its member \(member) has \(items.count) items; \(limit) are allowed.")
    }
    var list: [Item] = []
    for item in items { list.append(try read(RecordReader(path: path, root: item))) }
    return list
  }

  func texts(_ member: String) throws(RunError) -> [String] {
    try list(member) { (item) throws(RunError) in
      guard case .string(let text) = item.root else { throw damaged(member) }
      return text
    }
  }

  /// The files of a run, whose paths differ.
  func files(_ member: String) throws(RunError) -> [RecordedFile] {
    let files = try list(member, limit: RunStore.mostFiles) { (item) throws(RunError) in try RecordedFile(item) }
    guard Set(bytesOf: files.map(\.path)).count == files.count else { throw damaged(member) }
    return files
  }

  func digest() throws(RunError) -> ContentDigest {
    guard let digest = ContentDigest(root) else { throw damaged("size or sha256") }
    return digest
  }

  func value(_ member: String) throws(RunError) -> SavedValue? {
    guard let json = root[member], json != .null else { return nil }
    if json["sha256"] != nil {
      let summary = object(member)
      guard let kind = PropertyListValue.Kind(rawValue: try summary.text("type")) else { throw damaged(member) }
      return .summary(kind, try summary.digest())
    }
    guard let value = CodedValue.value(json) else { throw damaged(member) }
    return .whole(value)
  }
}

extension RecordedField {
  init(
    id: String, recipe: String? = nil, file: String? = nil, decision: String?, legacy: PropertyListValue?,
    proposed: PropertyListValue?, before: PropertyListValue?, after: PropertyListValue?, outcome: Outcome,
    findings: [String]
  ) {
    let recorded = { (value: PropertyListValue?) in value.map { SavedValue($0) } }
    self.init(
      id: id, recipe: recipe, file: file, decision: decision, legacy: recorded(legacy), proposed: recorded(proposed),
      before: recorded(before), after: recorded(after), outcome: outcome, findings: findings)
  }
}

extension RunRecord {
  /// Checks, before anything is written, that later commands can read the record.
  func checkReadable(path: String, limit: Int = RunStore.largestRecord - RunStore.roomForSeal) throws(RunError) {
    let bytes = Array((document.text(pretty: true) + "\n").utf8)
    guard bytes.count <= limit else {
      throw .notEncodable(path: path, reason: "It would be longer than \(limit) bytes.")
    }
    do {
      _ = try RunRecord(RecordReader(bytes, path: path))
    } catch {
      guard case .damagedRecord(_, let reason) = error else { throw error }
      throw .notEncodable(path: path, reason: reason)
    }
  }
}
