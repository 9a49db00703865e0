import CarryoverSystem
import PropertyLists

/// A value in a run's record. Long values would exceed the record's size limit; the run's copies contain them anyway.
enum RecordedValue: Hashable {
  /// The value itself.
  case whole(PropertyListValue)
  /// A long value: its type, and the digest of its JSON text without spaces (see `CodedValue`).
  case summary(PropertyListValue.Kind, ContentDigest)

  /// The recorded form of a value.
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
  /// A recorded field with these values.
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
  /// - Throws: `notEncodable`.
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
