/// How a key gets its value from where it was kept before.
///
/// A migration reads its sources, writes the destination, and leaves the removal of the sources to what it returns: the
/// router removes them only after the destination was read back. It may run again after a crash and must then come to the
/// same value.
public protocol StorageMigration: Sendable {
  /// The type of the destination.
  associatedtype DestinationKey: StorageKey

  /// The key that is to have the value.
  var destinationKey: DestinationKey { get }
  /// The places it reads, so that cycles are found.
  var sources: [StoragePlace] { get }
  /// What to do where the destination has a value already.
  var conflictPolicy: StorageConflictPolicy { get }

  /// Whether there is something to migrate; by default, whether any source is there.
  func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool
  /// The value the destination should have, made of the sources; nil where they make none.
  func value(using router: StorageRouter, context: MigrationContext) async throws -> DestinationKey.Value?
  /// Carries the value over. The default does it safely: value, write, read back, and only then removal of the sources.
  /// Write your own only for what has no single value.
  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult
}

extension StorageMigration {
  /// The destination's own value wins.
  public var conflictPolicy: StorageConflictPolicy { .keepDestination }

  /// Whether any source is there.
  public func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    for source in sources where try await router.exists(source) { return true }
    return false
  }

  /// Value, write, read back, removal of the sources.
  public func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    try await router.carryOut(self, context)
  }
}

/// What becomes of a value that is to be migrated where the destination has another one already.
public enum StorageConflictPolicy: Hashable, Sendable {
  /// The destination's value stays; the sources stay too, and the conflict is reported.
  case keepDestination
  /// The destination's value stays; the sources are removed.
  case keepDestinationAndRemoveSources
  /// The destination's value is replaced.
  case replace
}

/// Why a migration runs.
public struct MigrationContext: Hashable, Sendable {
  /// What asked for it.
  public enum Trigger: Hashable, Sendable {
    /// A value was asked for and was not there.
    case read
    /// A sweep of a catalog, or a call of `forceMigration`.
    case forced
  }

  /// What asked for it.
  public var trigger: Trigger

  /// A context.
  public init(trigger: Trigger) { self.trigger = trigger }
}

/// How a migration of one key ended.
public enum MigrationResult: Hashable, Sendable {
  /// The value was carried over, and its sources removed.
  case migrated
  /// An earlier migration had been cut off after the value was carried over; its sources are removed now.
  case finished
  /// There was nothing to migrate.
  case nothingToMigrate
  /// The destination has another value, which stays; the sources stay too.
  case conflict
  /// The destination's value stays, and the sources were removed.
  case superseded
}

/// A migration without the type of its destination.
public struct AnyStorageMigration: Sendable {
  /// The places it reads.
  public let sources: [StoragePlace]
  /// The key that is to have the value.
  public let destination: StoragePlace
  let carryOut: @Sendable (StorageRouter, MigrationContext) async throws -> MigrationResult

  /// A migration of any type.
  public init<Migration: StorageMigration>(_ migration: Migration) {
    sources = migration.sources
    destination = migration.destinationKey.place
    carryOut = { router, context in
      guard try await migration.shouldMigrate(using: router, context: context) else { return .nothingToMigrate }
      return try await migration.migrate(using: router, context: context)
    }
  }
}

/// One value from one place of before, its bytes as they are: the source's protection is taken off, the destination's put
/// on.
public struct SimpleLegacyMigration<DestinationKey: StorageKey>: StorageMigration {
  /// The key that is to have the value.
  public let destinationKey: DestinationKey
  /// Where it was kept before.
  public let sourceKey: AnyStorageKey
  /// What to do where the destination has a value already.
  public let conflictPolicy: StorageConflictPolicy

  /// A migration from one place to another.
  public init(
    destinationKey: DestinationKey, sourceKey: AnyStorageKey, conflictPolicy: StorageConflictPolicy = .keepDestination
  ) {
    self.destinationKey = destinationKey
    self.sourceKey = sourceKey
    self.conflictPolicy = conflictPolicy
  }

  /// The one source.
  public var sources: [StoragePlace] { [sourceKey.place] }

  /// The source's bytes, as the destination's serialiser reads them.
  public func value(
    using router: StorageRouter, context: MigrationContext
  ) async throws -> DestinationKey.Value? {
    try await router.bytes(at: sourceKey.place).map { try destinationKey.serializer.decode($0) }
  }
}

/// One value made of another.
public struct TransformingMigration<DestinationKey: StorageKey, SourceKey: StorageKey>: StorageMigration {
  /// The key that is to have the value.
  public let destinationKey: DestinationKey
  /// Where it was kept before.
  public let sourceKey: SourceKey
  /// What to do where the destination has a value already.
  public let conflictPolicy: StorageConflictPolicy
  private let transform: @Sendable (SourceKey.Value) async throws -> DestinationKey.Value?

  /// - Parameter transform: makes the value; nil leaves everything as it is.
  public init(
    destinationKey: DestinationKey, sourceKey: SourceKey, conflictPolicy: StorageConflictPolicy = .keepDestination,
    transform: @escaping @Sendable (SourceKey.Value) async throws -> DestinationKey.Value?
  ) {
    self.destinationKey = destinationKey
    self.sourceKey = sourceKey
    self.conflictPolicy = conflictPolicy
    self.transform = transform
  }

  /// The one source.
  public var sources: [StoragePlace] { [sourceKey.place] }

  /// What the transform makes of the source's value.
  public func value(
    using router: StorageRouter, context: MigrationContext
  ) async throws -> DestinationKey.Value? {
    guard let bytes = try await router.bytes(at: sourceKey.place) else { return nil }
    return try await transform(try sourceKey.serializer.decode(bytes))
  }
}

/// One value made of several.
public struct AggregatingMigration<DestinationKey: StorageKey>: StorageMigration {
  /// The key that is to have the value.
  public let destinationKey: DestinationKey
  /// Where its parts were kept before.
  public let sources: [StoragePlace]
  /// What to do where the destination has a value already.
  public let conflictPolicy: StorageConflictPolicy
  private let aggregate: @Sendable ([StoragePlace: [UInt8]]) async throws -> DestinationKey.Value?

  /// - Parameter aggregate: makes the value of the parts that are there; nil leaves everything as it is.
  public init(
    destinationKey: DestinationKey, sourceKeys: [AnyStorageKey],
    conflictPolicy: StorageConflictPolicy = .keepDestination,
    aggregate: @escaping @Sendable ([StoragePlace: [UInt8]]) async throws -> DestinationKey.Value?
  ) {
    self.destinationKey = destinationKey
    sources = sourceKeys.map(\.place)
    self.conflictPolicy = conflictPolicy
    self.aggregate = aggregate
  }

  /// What is made of the parts.
  public func value(
    using router: StorageRouter, context: MigrationContext
  ) async throws -> DestinationKey.Value? {
    var parts: [StoragePlace: [UInt8]] = [:]
    for source in sources { parts[source] = try await router.bytes(at: source) }
    return parts.isEmpty ? nil : try await aggregate(parts)
  }
}
