import Carryover
import CarryoverUserDefaults
import CarryoverVendors
package import Foundation

/// A ``PersistentMigrator`` with the name and the calls of the guide's helper for the Objective-C SDK. An app that uses
/// the helper imports CarryoverRestore, deletes the helper's files, and changes nothing else. See
/// <doc:MigrateFromRudderStacksHelper>.
///
/// Where that SDK has left nothing it finds nothing and marks nothing, whatever the beta SDK 2 has left.
public struct PersistentMigratorFromV1: Sendable {
  private let migrator: PersistentMigrator

  /// A migrator for the running app.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source; names its suite.
  ///   - bundleIdentifier: the app's bundle identifier; nil asks `Bundle.main`.
  ///   - log: is told of every field that a restoration could not migrate, and why, without values.
  public init(
    writeKey: String, bundleIdentifier: String? = nil, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in }
  ) {
    migrator = PersistentMigrator(
      writeKey: writeKey, bundleIdentifier: bundleIdentifier, recipe: .rudderStackObjC, log: log)
  }

  /// A migrator for places of a test's own.
  package init(
    writeKey: String, places: LegacyPersistence, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in },
    now: @escaping @Sendable () -> Date
  ) {
    migrator = PersistentMigrator(writeKey: writeKey, places: places, recipe: .rudderStackObjC, log: log, now: now)
  }

  /// What would be restored; nil where that is nothing, or where nothing can be read.
  /// A ``PersistentMigrator`` with the recipe `rudderStackObjC` says which.
  public func readPersistence() -> PersistedValues? { migrator.valuesIfAny() }

  /// What would be restored, or why nothing would be; writes nothing.
  package func inspectPersistence() -> PersistenceReading { migrator.inspectPersistence() }

  /// Restores what has not been restored yet.
  @discardableResult
  public func restorePersistence() -> PersistenceReport { migrator.restorePersistence() }
}

/// The same for the beta SDK 2.
public struct PersistentMigratorFromV2: Sendable {
  private let migrator: PersistentMigrator

  /// A migrator for the running app.
  /// - Parameters:
  ///   - writeKey: the write key of the new SDK's source; names its suite.
  ///   - bundleIdentifier: the app's bundle identifier; nil asks `Bundle.main`.
  ///   - log: is told of every field that a restoration could not migrate, and why, without values.
  public init(
    writeKey: String, bundleIdentifier: String? = nil, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in }
  ) {
    migrator = PersistentMigrator(
      writeKey: writeKey, bundleIdentifier: bundleIdentifier, recipe: .rudderStackSwiftV2, log: log)
  }

  /// A migrator for places of a test's own.
  package init(
    writeKey: String, places: LegacyPersistence, log: @escaping @Sendable (PersistenceLogEntry) -> Void = { _ in },
    now: @escaping @Sendable () -> Date
  ) {
    migrator = PersistentMigrator(writeKey: writeKey, places: places, recipe: .rudderStackSwiftV2, log: log, now: now)
  }

  /// What would be restored; nil where that is nothing, or where nothing can be read.
  /// A ``PersistentMigrator`` with the recipe `rudderStackSwiftV2` says which.
  public func readPersistence() -> PersistedValues? { migrator.valuesIfAny() }

  /// What would be restored, or why nothing would be; writes nothing.
  package func inspectPersistence() -> PersistenceReading { migrator.inspectPersistence() }

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
