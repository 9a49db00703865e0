import Carryover

/// The name of the guide's helper for the Objective-C SDK, and its calls, in front of a ``PersistentMigrator``: an app that
/// uses the helper imports CarryoverUserDefaults, deletes the helper's files, and changes nothing else.
///
/// ```swift
/// PersistentMigratorFromV1(writeKey: "<write key>").restorePersistence()
/// ```
public struct PersistentMigratorFromV1: Sendable {
  private let migrator: PersistentMigrator

  /// A migrator for the running app.
  public init(writeKey: String) {
    migrator = PersistentMigrator(writeKey: writeKey, recipe: .rudderStackObjC)
  }

  /// What would be restored; nil where there is nothing, or where nothing can be read.
  public func readPersistence() -> PersistedValues? { migrator.valuesIfAny() }

  /// Restores what has not been restored yet.
  @discardableResult
  public func restorePersistence() -> PersistenceReport { migrator.restorePersistence() }
}

/// The same for the beta SDK 2.
public struct PersistentMigratorFromV2: Sendable {
  private let migrator: PersistentMigrator

  /// A migrator for the running app.
  public init(writeKey: String) {
    migrator = PersistentMigrator(writeKey: writeKey, recipe: .rudderStackSwiftV2)
  }

  /// What would be restored; nil where there is nothing, or where nothing can be read.
  public func readPersistence() -> PersistedValues? { migrator.valuesIfAny() }

  /// Restores what has not been restored yet.
  @discardableResult
  public func restorePersistence() -> PersistenceReport { migrator.restorePersistence() }
}

extension PersistentMigrator {
  fileprivate func valuesIfAny() -> PersistedValues? {
    do throws(DefaultsDomainError) {
      let values = try readPersistence()
      return values.fields.isEmpty ? nil : values
    } catch {
      return nil
    }
  }
}
