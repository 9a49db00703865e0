public import Carryover
public import CarryoverUserDefaults
public import PropertyLists

/// What a restoration would find at this moment.
public enum PersistenceReading: Sendable {
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
}

extension PersistenceReading: CustomStringConvertible, CustomReflectable, Described {
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
