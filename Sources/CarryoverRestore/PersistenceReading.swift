public import Carryover
public import CarryoverUserDefaults
import CarryoverVendors

/// What a restoration would find at this moment.
public enum PersistenceReading: Sendable, CustomStringConvertible, CustomReflectable, Described {
  /// There are legacy values that were not restored yet, with the values that would be written. These are none if the
  /// new SDK's suite has other values or none can be migrated; the findings give the reason.
  case found(PersistedValues)
  /// There are no values of a legacy SDK.
  case nothingFound
  /// These findings block the restoration, for example a user who opted out.
  case blocked([Finding])
  /// An earlier call restored all requested fields. A call can still resolve these conflicts; see
  /// ``PersistenceConflict``.
  case restoredBefore(conflicts: Set<PersistedField>)
  /// There may be legacy values, but they cannot be read at this moment.
  case unreadable(DefaultsDomainError)

  /// One line for a log: field names and codes, never values.
  package var words: String {
    switch self {
    case .found(let values): "found; \(values)"
    case .nothingFound: "nothing of a legacy SDK found"
    case .blocked(let findings): "blocked: \(findings.shared.map(\.finding.code.rawValue).joined(separator: ", "))"
    case .restoredBefore(let conflicts) where conflicts.isEmpty: "restored before"
    case .restoredBefore(let conflicts):
      "restored before; conflict: \(conflicts.map(\.rawValue).sorted().joined(separator: ", "))"
    case .unreadable(let error): "unreadable: \(error)"
    }
  }

  /// Contains only the description, so that `dump` does not show values either.
  public var customMirror: Mirror { Mirror(self, children: [("reading", description)]) }
}

extension PersistentMigrator {
  /// Returns what ``restorePersistence(_:onConflict:)`` would find at this moment, without writing.
  /// - Parameters:
  ///   - fields: the fields to inspect; all by default.
  ///   - onConflict: what a restoration would do if the new SDK's suite has another value.
  public func inspectPersistence(
    _ fields: Set<PersistedField> = Set(PersistedField.allCases), onConflict: PersistenceConflict = .keepTarget
  ) -> PersistenceReading {
    do throws(DefaultsDomainError) {
      let (mark, plan) = try look(fields, onConflict)
      guard let plan else { return .restoredBefore(conflicts: Set(mark.conflicts(fields).keys)) }
      switch plan.status {
      case .blocked: return .blocked(plan.plan.blockers)
      case .nothingFound where plan.isPartlyHidden:
        let reasons = plan.plan.findings.filter { $0.code == .sourceUnreadable }.map(\.message)
        return .unreadable(.unreadable(reasons.joined(separator: " ")))
      case .nothingFound: return .nothingFound
      default: return .found(values(fields, onConflict, mark, plan))
      }
    } catch {
      return .unreadable(error)
    }
  }
}

/// The legacy SDK's values, with the types and content that a restoration would write for the new SDK.
public struct PersistedValues: Hashable, Sendable, CustomStringConvertible, CustomReflectable, Described {
  let values: [PersistedField: PropertyListValue]
  /// The findings, most severe first: values that are missing, doubtful or not migrated, and findings that block the
  /// restoration.
  public let findings: [Finding]

  package subscript(field: PersistedField) -> PropertyListValue? { values[field] }

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

  /// The names of the fields, without values, because printed text may end up in a log.
  package var words: String {
    let names = fields.map(\.rawValue).sorted().joined(separator: ", ")
    return names.isEmpty ? "nothing to restore" : "values for \(names)"
  }

  /// Contains only the description, so that `dump` does not show values either.
  public var customMirror: Mirror { Mirror(self, children: [("fields", description)]) }
}

/// A field that the migrator restores from a legacy RudderStack SDK. The raw value is the new SDK's key.
public enum PersistedField: String, CaseIterable, Hashable, Sendable {
  case anonymousID = "anonymous_id"
  case userID = "user_id"
  case traits
  case sessionID = "session_id"
  case isManualSession = "is_manual_session"
  case lastActivityTime = "last_activity_time"
  case appVersion = "rudder.app_version"
  case appBuild = "rudder.app_build"
}
