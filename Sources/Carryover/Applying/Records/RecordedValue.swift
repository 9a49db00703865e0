import CarryoverSystem
import PropertyLists

/// A value as a run's record keeps it. A record of long values would be longer than its reader takes; what was written
/// is in the run's copies anyway.
enum RecordedValue: Hashable {
  /// The value itself.
  case whole(PropertyListValue)
  /// A long value: its type, and the digest of its JSON text (see `CodedValue`), without spaces.
  case summary(PropertyListValue.Kind, ContentDigest)

  /// A value as it is to be recorded.
  init(_ value: PropertyListValue) {
    let text = CodedValue.json(value).text()
    if text.utf8.count <= Self.longest {
      self = .whole(value)
    } else {
      self = .summary(value.kind, ContentDigest(Array(text.utf8)))
    }
  }

  /// The value; nil where only its summary was kept.
  var value: PropertyListValue? {
    if case .whole(let value) = self { value } else { nil }
  }

  /// How long a value's JSON text may be, in bytes, for the record to hold it.
  static let longest = 64 << 10
}

extension RecordedField {
  /// A field from the values themselves.
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
  /// Makes sure, while nothing has been written yet, that later commands will be able to read the record.
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
