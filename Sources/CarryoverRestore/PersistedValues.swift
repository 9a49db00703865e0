public import Carryover
import CarryoverVendors
public import PropertyLists

/// What the legacy SDK left, in the types and values the new SDK will read: exactly what would be written.
public struct PersistedValues: Hashable, Sendable {
  private let values: [PersistedField: PropertyListValue]
  /// What was observed on the way, the gravest first: values that are missing, doubtful or could not be carried over, and
  /// what forbids it all.
  public let findings: [Finding]

  init(values: [PersistedField: PropertyListValue], findings: [Finding]) {
    self.values = values
    self.findings = findings
  }

  /// A value as it would be written; nil where nothing would be.
  package subscript(field: PersistedField) -> PropertyListValue? { values[field] }

  /// The fields that have a value.
  package var fields: Set<PersistedField> { Set(values.keys) }

  /// The id of the user before anybody identified them.
  public var anonymousID: String? { text(.anonymousID) }
  /// The id the user was identified by.
  public var userID: String? { text(.userID) }
  /// The traits, as the text of a JSON object.
  public var traits: String? { text(.traits) }
  /// The session's id, as decimal text.
  public var sessionID: String? { text(.sessionID) }
  /// Whether the app began the session itself.
  public var isManualSession: Bool? {
    if case .boolean(let value)? = values[.isManualSession] { value } else { nil }
  }
  /// When the last event was recorded: milliseconds since 1970, as decimal text.
  public var lastActivityTime: String? { text(.lastActivityTime) }
  /// The app's version.
  public var appVersion: String? { text(.appVersion) }
  /// The app's build.
  public var appBuild: Int? {
    if case .integer(let value)? = values[.appBuild] { value.int64.flatMap { Int(exactly: $0) } } else { nil }
  }

  private func text(_ field: PersistedField) -> String? {
    if case .string(let text)? = values[field] { text } else { nil }
  }
}

extension PersistedValues: CustomStringConvertible, CustomReflectable, Described {
  /// The fields that have a value, without the values: what is printed by mistake ends in a log.
  package var words: String {
    let names = fields.map(\.rawValue).sorted().joined(separator: ", ")
    return names.isEmpty ? "nothing to restore" : "values for \(names)"
  }

  /// Nothing but the description, so that `dump` shows no values either.
  public var customMirror: Mirror { Mirror(self, children: [("fields", description)]) }
}
