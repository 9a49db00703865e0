public import Carryover
import CarryoverVendors
public import PropertyLists

/// The legacy SDK's values, with the types and content that a restoration would write for the new SDK.
public struct PersistedValues: Hashable, Sendable {
  private let values: [PersistedField: PropertyListValue]
  /// The findings, most severe first: values that are missing, doubtful or not migrated, and findings that block the
  /// restoration.
  public let findings: [Finding]

  init(values: [PersistedField: PropertyListValue], findings: [Finding]) {
    self.values = values
    self.findings = findings
  }

  /// The value that would be written; nil if none would be.
  package subscript(field: PersistedField) -> PropertyListValue? { values[field] }

  /// The fields that have a value.
  package var fields: Set<PersistedField> { Set(values.keys) }

  /// The id of the user before the app identified them.
  public var anonymousID: String? { text(.anonymousID) }
  /// The id that the app identified the user by.
  public var userID: String? { text(.userID) }
  /// The traits, as a JSON object in text.
  public var traits: String? { text(.traits) }
  /// The session id, as decimal text.
  public var sessionID: String? { text(.sessionID) }
  /// Whether the app started the session itself.
  public var isManualSession: Bool? {
    if case .boolean(let value)? = values[.isManualSession] { value } else { nil }
  }
  /// The time of the last event: milliseconds since 1970, as decimal text.
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
  /// The names of the fields, without values, because printed text may end up in a log.
  package var words: String {
    let names = fields.map(\.rawValue).sorted().joined(separator: ", ")
    return names.isEmpty ? "nothing to restore" : "values for \(names)"
  }

  /// Contains only the description, so that `dump` does not show values either.
  public var customMirror: Mirror { Mirror(self, children: [("fields", description)]) }
}
