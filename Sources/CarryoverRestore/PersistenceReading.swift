public import Carryover
public import CarryoverUserDefaults

/// What a restoration would find now.
public enum PersistenceReading: Sendable {
  /// There are legacy values that were not restored yet. The values are those that would be written: none where the new
  /// SDK's suite has others, or where none can be migrated; the findings say why.
  case found(PersistedValues)
  /// There is nothing of the legacy SDK.
  case nothingFound
  /// Something forbids a restoration, such as a user who opted out: the findings that do.
  case blocked([Finding])
  /// All that was asked for was restored by an earlier call. These fields ended as conflicts, and a call can still resolve
  /// them; see ``PersistenceConflict``.
  case restoredBefore(conflicts: Set<PersistedField>)
  /// There may be legacy values, and they cannot be read now.
  case unreadable(DefaultsDomainError)
}

extension PersistentMigrator {
  /// Says what ``restorePersistence(_:onConflict:)`` would find now; writes nothing.
  /// - Parameters:
  ///   - fields: what would be restored; everything by default.
  ///   - onConflict: what would be done where the new SDK's suite holds another value.
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
