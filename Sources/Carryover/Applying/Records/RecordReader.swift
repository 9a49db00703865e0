import CarryoverSystem
import PropertyLists

/// Reads the JSON of a file in the state folder, and reports errors in it.
struct RecordReader {
  let path: String
  let root: JSONValue

  init(_ bytes: [UInt8], path: String) throws(RunError) {
    self.path = path
    guard let text = String(utf8: bytes) else {
      throw .damagedRecord(path: path, reason: "It is not UTF-8 text.")
    }
    do throws(JSONError) {
      root = try JSONText(text).value
    } catch {
      throw .damagedRecord(path: path, reason: error.description)
    }
  }

  func damaged(_ member: String) -> RunError {
    .damagedRecord(path: path, reason: "Its member \(member) is missing or not valid.")
  }

  func text(_ member: String, in object: JSONValue) throws(RunError) -> String {
    guard case .string(let text)? = object[member] else { throw damaged(member) }
    return text
  }

  func optionalText(_ member: String, in object: JSONValue) throws(RunError) -> String? {
    object[member] == nil ? nil : try text(member, in: object)
  }

  func number(_ member: String, in object: JSONValue) throws(RunError) -> Int {
    guard let lexeme = object[member]?.numberValue?.lexeme, let number = Int(lexeme), number >= 0 else {
      throw damaged(member)
    }
    return number
  }

  func items(_ member: String, in object: JSONValue, limit: Int = .max) throws(RunError) -> [JSONValue] {
    guard case .array(let items)? = object[member] else { throw damaged(member) }
    guard items.count <= limit else {
      throw .damagedRecord(path: path, reason: "Its member \(member) has \(items.count) items; \(limit) are allowed.")
    }
    return items
  }

  func texts(_ member: String, in object: JSONValue) throws(RunError) -> [String] {
    var texts: [String] = []
    for item in try items(member, in: object) {
      guard case .string(let text) = item else { throw damaged(member) }
      texts.append(text)
    }
    return texts
  }

  func digest(_ object: JSONValue) throws(RunError) -> ContentDigest {
    guard let digest = ContentDigest(object) else { throw damaged("size or sha256") }
    return digest
  }

  func value(_ member: String, in object: JSONValue) throws(RunError) -> RecordedValue? {
    guard let json = object[member], json != .null else { return nil }
    if json["sha256"] != nil {
      guard let kind = PropertyListValue.Kind(rawValue: try text("type", in: json)) else { throw damaged(member) }
      return .summary(kind, try digest(json))
    }
    guard let value = CodedValue.value(json) else { throw damaged(member) }
    return .whole(value)
  }
}

/// A value in a run's record. Long values would exceed the record's size limit; the run's copies contain them anyway.
enum RecordedValue: Hashable {
  case whole(PropertyListValue)
  /// A long value: its type, and the digest of its JSON text without spaces (see `CodedValue`).
  case summary(PropertyListValue.Kind, ContentDigest)

  init(_ value: PropertyListValue) {
    let text = CodedValue.json(value).text()
    if text.utf8.count <= Self.longest {
      self = .whole(value)
    } else {
      self = .summary(value.kind, ContentDigest(Array(text.utf8)))
    }
  }

  /// The value; nil if only its summary was recorded.
  var value: PropertyListValue? {
    if case .whole(let value) = self { value } else { nil }
  }

  /// The longest JSON text of a value that is recorded as a whole, in bytes.
  static let longest = 64 << 10
}

extension RecordedField {
  init(
    id: String, recipe: String? = nil, file: String? = nil, decision: String?, legacy: PropertyListValue?,
    proposed: PropertyListValue?,
    before: PropertyListValue?, after: PropertyListValue?, outcome: Outcome, findings: [String]
  ) {
    self.init(
      id: id, recipe: recipe, file: file, decision: decision, legacy: legacy.map(RecordedValue.init),
      proposed: proposed.map(RecordedValue.init),
      before: before.map(RecordedValue.init), after: after.map(RecordedValue.init), outcome: outcome, findings: findings
    )
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
