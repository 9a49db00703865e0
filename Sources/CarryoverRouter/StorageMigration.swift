import CarryoverStorage

/// A migration of a key's value from its old places.
///
/// Use ``SimpleLegacyMigration``, ``TransformingMigration`` or ``AggregatingMigration`` for a migration that makes one
/// value. Implement ``migrate(using:context:)`` yourself only for other migrations, and keep this order: write, read
/// back, and only then delete the old data. After a crash, the router runs the migration again, with
/// ``MigrationContext/isResumed``; the result must be the same. The router never runs two migrations of a key at the
/// same time, but other callers can read and set values between the migration's steps. If the app sets the key
/// meanwhile, its value stays, and the migration's own `set` of the key throws ``StorageRouterError/Reason/overtaken``.
///
/// A migration may read its own key: the router returns the current value and does not wait for the migration. So may a
/// task that the migration starts, until the migration ends. But `Task.detached` waits for that end, so a migration
/// that waits for such a task never ends. If migrations of several routers would wait for each other in a circle, they
/// fail with ``StorageRouterError/Reason/circle(_:)``.
public protocol StorageMigration: Sendable {
  /// The type of the destination's key.
  associatedtype DestinationKey: StorageKey

  /// The key that receives the value.
  var destinationKey: DestinationKey { get }
  /// The places that the migration reads; none by default. The router checks them for cycles and deletes their values
  /// with the key's.
  var sources: [StoragePlace] { get }

  /// Whether there is something to migrate. By default: a source has a value, and the destination has none, except one
  /// from an interrupted run. In a migration that makes one value, a ``StorageConflictPolicy`` covers the destination.
  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool
  /// Migrates the value.
  /// - Returns: how the migration ended. If it is `migrated` although nothing was written, the router reports an error.
  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult
}

extension StorageMigration {
  /// None. The router then deletes the key only in its own place, and cannot detect keys that share a source.
  public var sources: [StoragePlace] { [] }

  /// Whether a source has a value, or none is declared, and the destination has no value, except one from an
  /// interrupted run of this migration.
  public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    if !context.isResumed, try await router.exists(destinationKey) { return false }
    return sources.isEmpty ? true : try await router.existsAny(of: sources)
  }
}

/// A migration that makes one value. The router does the rest: it notes what the value replaces, writes it, reads it
/// back, and only then removes the sources. If a source changes meanwhile, the router makes the value again.
package protocol ValueMigration: StorageMigration {
  var conflictPolicy: StorageConflictPolicy { get }
  /// Whether the bytes of one source are copied unchanged.
  var isVerbatim: Bool { get }
  /// The former protection of the destination's place, for a migration that changes only the protection.
  var formerSecurity: SecurityPolicy? { get }
  /// The destination's value, made from the sources; nil if they make none.
  func value(using router: StorageRouter, context: MigrationContext) async throws -> DestinationKey.Value?
}

extension ValueMigration {
  package var conflictPolicy: StorageConflictPolicy { .keepDestination }
  package var isVerbatim: Bool { false }
  package var formerSecurity: SecurityPolicy? { nil }

  /// Whether a source has a value.
  public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.existsAny(of: sources)
  }

  /// Makes the value, writes a note and the value, reads it back and removes the sources. If only the protection
  /// changes, writes once.
  public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    if let formerSecurity { return try await router.protectAnew(destinationKey, from: formerSecurity) }
    return try await router.carryOut(self, context)
  }
}

package struct MigrationEnds<Key: StorageKey>: Sendable {
  let destinationKey: Key
  let sources: [StoragePlace]
  let conflictPolicy: StorageConflictPolicy
}

/// A migration whose sources and destination are fixed when it is created.
package protocol BuiltInMigration: ValueMigration {
  var ends: MigrationEnds<DestinationKey> { get }
}

extension BuiltInMigration {
  /// The key that receives the value.
  public var destinationKey: DestinationKey { ends.destinationKey }
  /// The old places of the value.
  public var sources: [StoragePlace] { ends.sources }
  package var conflictPolicy: StorageConflictPolicy { ends.conflictPolicy }
}

/// What a migration does if the destination already has a different value.
public enum StorageConflictPolicy: Hashable, Sendable {
  /// Keeps the destination's value and the sources, and reports a conflict.
  case keepDestination
  /// Keeps the destination's value and removes the sources.
  case keepDestinationAndRemoveSources
  /// In a sweep or `forceMigration`, replaces the destination's value, unless it was set during the migration. A read
  /// never replaces it.
  case replace
}

/// What started a migration, and whether an earlier run was interrupted.
public struct MigrationContext: Hashable, Sendable {
  package enum Trigger: Hashable, Sendable {
    case read
    /// A sweep of a catalog, or a call to `forceMigration`.
    case forced
  }

  package var trigger: Trigger
  /// Whether an earlier run of the app's own migration was interrupted: a value in the destination then comes from that
  /// run. Finish its work. Always false for a migration that makes one value, because the router finishes it.
  public var isResumed = false
}

/// How the migration of a key ended. Later versions may add cases.
public enum MigrationResult: Hashable, Sendable {
  /// The value was migrated, and its sources were removed.
  case migrated
  /// The destination already had the value, for example from an interrupted run; its sources were removed now.
  case finished
  /// There was nothing to migrate.
  case nothingToMigrate
  /// The destination has a different value. Neither it nor the sources were changed.
  case conflict
  /// The destination's value was kept, and the sources were removed.
  case superseded
  /// The key was deleted during the migration, and stays deleted.
  case deleted

  /// Creates `migrated` on success, otherwise `nothingToMigrate`: for a migration that returns only a Boolean.
  public init(success: Bool) { self = success ? .migrated : .nothingToMigrate }
}

/// A migration without the type of its destination.
public struct AnyStorageMigration: Sendable {
  package let sources: [StoragePlace]
  package let destination: StoragePlace
  /// What to do if the destination already has a value; nil for a migration that decides this itself.
  package let conflictPolicy: StorageConflictPolicy?
  let formerSecurity: SecurityPolicy?
  let isVerbatim: Bool
  let carryOut: @Sendable (StorageRouter, MigrationContext) async throws -> MigrationResult

  /// Erases the type of a migration's destination.
  public init<Migration: StorageMigration>(_ migration: Migration) {
    sources = migration.sources
    destination = migration.destinationKey.place
    let value = migration as? any ValueMigration
    conflictPolicy = value?.conflictPolicy
    formerSecurity = value?.formerSecurity
    isVerbatim = value?.isVerbatim ?? false
    carryOut = { router, context in
      guard migration is any ValueMigration else { return try await router.carryOut(ownMigration: migration, context) }
      guard try await migration.shouldMigrate(using: router, context: context) else { return .nothingToMigrate }
      return try await migration.migrate(using: router, context: context)
    }
  }
}

/// A migration that moves one value from its old place and keeps its bytes. The router removes the source's protection
/// and adds the destination's. The destination's serialiser must be able to decode the bytes. It does not encode them
/// again, so data that its type does not know is kept.
///
/// Source and destination may be one place whose protection changes. A key has only one migration, so such a key cannot
/// also migrate a value from an older place, which users who skip versions of the app may still have. In that case,
/// give the protected value a new name, migrate it from the key of the old name, and register both keys.
public struct SimpleLegacyMigration<DestinationKey: StorageKey>: BuiltInMigration {
  package let ends: MigrationEnds<DestinationKey>
  private let source: StoragePlace

  /// Creates a migration from one place to another.
  public init(
    destinationKey: DestinationKey, sourceKey: AnyStorageKey, conflictPolicy: StorageConflictPolicy = .keepDestination
  ) {
    source = sourceKey.place
    ends = MigrationEnds(destinationKey: destinationKey, sources: [source], conflictPolicy: conflictPolicy)
  }

  package func value(using router: StorageRouter, context: MigrationContext) async throws -> DestinationKey.Value? {
    try await router.bytes(at: source).map { try destinationKey.serializer.decode($0) }
  }

  package var isVerbatim: Bool { true }

  package var formerSecurity: SecurityPolicy? {
    let destination = destinationKey.place
    return source.isSameSpot(as: destination) && source.security != destination.security ? source.security : nil
  }
}

/// A migration that converts one value into another.
public struct TransformingMigration<DestinationKey: StorageKey, SourceKey: StorageKey>: BuiltInMigration {
  package let ends: MigrationEnds<DestinationKey>
  private let sourceKey: SourceKey
  private let transform: @Sendable (SourceKey.Value) async throws -> DestinationKey.Value?

  /// Creates a migration that converts one value into another.
  /// - Parameter transform: converts the source's value. If it returns nil, nothing changes.
  public init(
    destinationKey: DestinationKey, sourceKey: SourceKey, conflictPolicy: StorageConflictPolicy = .keepDestination,
    transform: @escaping @Sendable (SourceKey.Value) async throws -> DestinationKey.Value?
  ) {
    ends = MigrationEnds(destinationKey: destinationKey, sources: [sourceKey.place], conflictPolicy: conflictPolicy)
    self.sourceKey = sourceKey
    self.transform = transform
  }

  package func value(using router: StorageRouter, context: MigrationContext) async throws -> DestinationKey.Value? {
    guard let bytes = try await router.bytes(at: sourceKey.place) else { return nil }
    return try await transform(try sourceKey.serializer.decode(bytes))
  }
}

/// A migration that combines several values into one.
public struct AggregatingMigration<DestinationKey: StorageKey>: BuiltInMigration {
  package let ends: MigrationEnds<DestinationKey>
  private let aggregate: @Sendable (StorageParts) async throws -> DestinationKey.Value?

  /// Creates a migration that combines several values into one.
  /// - Parameter aggregate: makes the value from the sources that have one. If it returns nil, nothing changes.
  public init(
    destinationKey: DestinationKey, sourceKeys: [AnyStorageKey],
    conflictPolicy: StorageConflictPolicy = .keepDestination,
    aggregate: @escaping @Sendable (StorageParts) async throws -> DestinationKey.Value?
  ) {
    ends = MigrationEnds(
      destinationKey: destinationKey, sources: sourceKeys.map(\.place), conflictPolicy: conflictPolicy)
    self.aggregate = aggregate
  }

  package func value(using router: StorageRouter, context: MigrationContext) async throws -> DestinationKey.Value? {
    var parts: [StoragePlace: [UInt8]] = [:]
    for source in sources { parts[source] = try await router.bytes(at: source) }
    return parts.isEmpty ? nil : try await aggregate(StorageParts(parts))
  }
}

/// The values of a migration's sources.
public struct StorageParts: Sendable {
  private let bytes: [StoragePlace: [UInt8]]

  package init(_ bytes: [StoragePlace: [UInt8]]) { self.bytes = bytes }

  /// The value of a key, decoded by its serialiser; nil if there is none, or if the key is not a source of the
  /// migration.
  /// - Throws: the serialiser's error.
  public subscript<Key: StorageKey>(_ key: Key) -> Key.Value? {
    get throws { try bytes[key.place].map { try key.serializer.decode($0) } }
  }
}
