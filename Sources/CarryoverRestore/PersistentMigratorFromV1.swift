import Carryover
import CarryoverUserDefaults
import CarryoverVendors
package import Foundation

/// A ``PersistentMigrator`` for the Objective-C SDK, with the name and methods of the helper in RudderStack's migration
/// guide. To replace the helper, import CarryoverRestore and delete the helper's files. See
/// <doc:MigrateFromRudderStacksHelper>.
///
/// If the Objective-C SDK has left no values, the migrator writes no mark, even if the beta SDK 2 has left some.
public struct PersistentMigratorFromV1: Sendable {
  private let migrator: PersistentMigrator

  /// A migrator for the running app.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source. It is part of the suite's name.
  ///   - bundleIdentifier: the app's bundle identifier; nil uses that of `Bundle.main`.
  ///   - log: receives the ``PersistenceReport/logEntries`` of each restoration. They contain no values.
  public init(
    writeKey: String, bundleIdentifier: String? = nil, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in }
  ) {
    migrator = PersistentMigrator(
      writeKey: writeKey, bundleIdentifier: bundleIdentifier, recipe: .rudderStackObjC, log: log)
  }

  /// A migrator for a test's places.
  package init(
    writeKey: String, places: LegacyPersistence, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in },
    now: @escaping @Sendable () -> Date
  ) {
    migrator = PersistentMigrator(writeKey: writeKey, places: places, recipe: .rudderStackObjC, log: log, now: now)
  }

  /// The values that would be restored; nil if there are none or they cannot be read. For the reason, use a
  /// ``PersistentMigrator`` with the recipe `rudderStackObjC`.
  public func readPersistence() -> PersistedValues? { migrator.valuesIfAny() }

  /// The values that would be restored, or the reason why none would be. Writes nothing.
  package func inspectPersistence() -> PersistenceReading { migrator.inspectPersistence() }

  /// Restores the fields that were not restored yet.
  @discardableResult
  public func restorePersistence() -> PersistenceReport { migrator.restorePersistence() }
}

/// A ``PersistentMigrator`` for the beta SDK 2, with the helper's methods; see ``PersistentMigratorFromV1``.
public struct PersistentMigratorFromV2: Sendable {
  private let migrator: PersistentMigrator

  /// A migrator for the running app.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source. It is part of the suite's name.
  ///   - bundleIdentifier: the app's bundle identifier; nil uses that of `Bundle.main`.
  ///   - log: receives the ``PersistenceReport/logEntries`` of each restoration. They contain no values.
  public init(
    writeKey: String, bundleIdentifier: String? = nil, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in }
  ) {
    migrator = PersistentMigrator(
      writeKey: writeKey, bundleIdentifier: bundleIdentifier, recipe: .rudderStackSwiftV2, log: log)
  }

  /// A migrator for a test's places.
  package init(
    writeKey: String, places: LegacyPersistence, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in },
    now: @escaping @Sendable () -> Date
  ) {
    migrator = PersistentMigrator(writeKey: writeKey, places: places, recipe: .rudderStackSwiftV2, log: log, now: now)
  }

  /// The values that would be restored; nil if there are none or they cannot be read. For the reason, use a
  /// ``PersistentMigrator`` with the recipe `rudderStackSwiftV2`.
  public func readPersistence() -> PersistedValues? { migrator.valuesIfAny() }

  /// The values that would be restored, or the reason why none would be. Writes nothing.
  package func inspectPersistence() -> PersistenceReading { migrator.inspectPersistence() }

  /// Restores the fields that were not restored yet.
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
