/// How a key gets its value from where it was kept before.
///
/// Most migrations make one value and are a `ValueMigration`: ``SimpleLegacyMigration``, ``TransformingMigration``,
/// ``AggregatingMigration`` or one of the app's own. Write ``migrate(using:context:)`` yourself only for what has no single
/// value. Then its order is yours to keep: write, read back, and only then delete what was there before. After a crash it
/// runs again, with `isResumed`, and must come to the same end. While it runs nobody else's migration of
/// the key does, but others can read and set values between its steps: a value that the app sets meanwhile stays, and the
/// migration's own `set` of the key throws ``StorageRouterError/Reason/overtaken``.
///
/// A migration may ask the router for its own key: it is given what is there, and waits for no migration. A task that it
/// starts may, too, as long as the migration runs; `Task.detached` knows nothing of it and waits for its end, so a migration
/// that waits for such a task never ends. Migrations of several routers of one process that would wait for each other in a
/// circle end with ``StorageRouterError/Reason/circle(_:)``.
public protocol StorageMigration: Sendable {
  /// The type of the destination.
  associatedtype DestinationKey: StorageKey

  /// The key that is to have the value.
  var destinationKey: DestinationKey { get }
  /// The places it reads; none by default. The router checks them for cycles, and deletes them with the key.
  var sources: [StoragePlace] { get }

  /// Whether there is something to migrate. By default: any source is there, and the destination is not, unless a value is
  /// there because this migration was cut off. A `ValueMigration` has a policy for a destination that is there.
  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool
  /// Carries the value over.
  /// - Returns: how it ended. The router does not believe `migrated` of a destination that nobody has written.
  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult
}

extension StorageMigration {
  /// None, for a migration with a `shouldMigrate` of its own. The router then deletes the key nowhere else, and cannot
  /// find keys that share a source.
  public var sources: [StoragePlace] { [] }

  /// Whether any source is there, or none was named, and no value that the migration has not put there itself.
  public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    if !context.isResumed, try await router.exists(destinationKey) { return false }
    return sources.isEmpty ? true : try await router.existsAny(of: sources)
  }
}

/// A migration that makes one value. The router does the rest, and safely: value, a note of what it replaces, write, read
/// back, and only then removal of the sources. Where a source changes while the value is made, it is made again.
package protocol ValueMigration: StorageMigration {
  /// What to do where the destination has a value already.
  var conflictPolicy: StorageConflictPolicy { get }
  /// The value the destination should have, made of the sources; nil where they make none.
  func value(using router: StorageRouter, context: MigrationContext) async throws -> DestinationKey.Value?
}

extension ValueMigration {
  /// The destination's own value wins.
  package var conflictPolicy: StorageConflictPolicy { .keepDestination }

  /// Whether any source is there.
  public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.existsAny(of: sources)
  }

  /// Makes the value, writes a note and the value, reads it back and removes the sources. If only the protection
  /// changes, it is one write.
  public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    if let former = (self as? any VerbatimMigration)?.formerSecurity {
      return try await router.protectAnew(destinationKey, from: former)
    }
    return try await router.carryOut(self, context)
  }
}

/// Where a value comes from and goes to.
package struct MigrationEnds<Key: StorageKey>: Sendable {
  let destinationKey: Key
  let sources: [StoragePlace]
  let conflictPolicy: StorageConflictPolicy
}

/// A migration between ends that are known when it is made.
package protocol BuiltInMigration: ValueMigration {
  var ends: MigrationEnds<DestinationKey> { get }
}

extension BuiltInMigration {
  /// The key that is to have the value.
  public var destinationKey: DestinationKey { ends.destinationKey }
  /// Where the value may be from before.
  public var sources: [StoragePlace] { ends.sources }
  package var conflictPolicy: StorageConflictPolicy { ends.conflictPolicy }
}

/// What becomes of a value that is to be migrated where the destination has another one already.
public enum StorageConflictPolicy: Hashable, Sendable {
  /// The destination's value stays; the sources stay too, and the conflict is reported.
  case keepDestination
  /// The destination's value stays; the sources are removed.
  case keepDestinationAndRemoveSources
  /// A sweep or `forceMigration` replaces the destination's value, unless it was set while the migration ran. A read never
  /// does.
  case replace
}

/// Why a migration runs.
public struct MigrationContext: Hashable, Sendable {
  /// What asked for it.
  package enum Trigger: Hashable, Sendable {
    /// A value was asked for and was not there.
    case read
    /// A sweep of a catalog, or a call of `forceMigration`.
    case forced
  }

  /// What asked for it.
  package var trigger: Trigger
  /// Whether this migration, one of the app's own, began where there was no value and was cut off: what the destination has
  /// now, it has from the migration. Finish its work. False for a `ValueMigration`, which the router finishes.
  public var isResumed: Bool

  /// A context.
  package init(trigger: Trigger, isResumed: Bool = false) {
    self.trigger = trigger
    self.isResumed = isResumed
  }
}

/// How a migration of one key ended. Later versions may know more ways.
public enum MigrationResult: Hashable, Sendable {
  /// The value was carried over, and its sources removed.
  case migrated
  /// The value stood already, from a migration or a `set` that had been cut off behind it; its sources are removed now.
  case finished
  /// There was nothing to migrate.
  case nothingToMigrate
  /// The destination has another value, which stays; the sources stay too.
  case conflict
  /// The destination's value stays, and the sources were removed.
  case superseded
  /// The key was deleted while its value was made, and stays deleted.
  case deleted

  /// `migrated` on success, otherwise `nothingToMigrate`: for a migration that returns only a flag.
  public init(success: Bool) { self = success ? .migrated : .nothingToMigrate }
}

/// A migration without the type of its destination.
public struct AnyStorageMigration: Sendable {
  /// The places it reads.
  package let sources: [StoragePlace]
  /// The key that is to have the value.
  package let destination: StoragePlace
  /// What to do where the destination has a value already; nil for a migration that decides that itself.
  package let conflictPolicy: StorageConflictPolicy?
  /// How the destination's own place was protected before, for a migration that changes no more than that.
  let formerSecurity: SecurityPolicy?
  /// Whether the bytes of one source are carried over as they are.
  let isVerbatim: Bool
  let carryOut: @Sendable (StorageRouter, MigrationContext) async throws -> MigrationResult

  /// A migration of any type.
  public init<Migration: StorageMigration>(_ migration: Migration) {
    sources = migration.sources
    destination = migration.destinationKey.place
    conflictPolicy = (migration as? any ValueMigration)?.conflictPolicy
    formerSecurity = (migration as? any VerbatimMigration)?.formerSecurity
    isVerbatim = migration is any VerbatimMigration
    carryOut = { router, context in
      guard migration is any ValueMigration else { return try await router.carryOut(ownMigration: migration, context) }
      guard try await migration.shouldMigrate(using: router, context: context) else { return .nothingToMigrate }
      return try await migration.migrate(using: router, context: context)
    }
  }
}
