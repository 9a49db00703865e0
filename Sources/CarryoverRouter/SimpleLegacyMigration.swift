import CarryoverStorage

/// A migration that moves one value from its old place and keeps its bytes. The router removes the source's protection
/// and adds the destination's. The destination's serialiser must be able to decode the bytes. It does not encode them
/// again, so data that its type does not know is kept.
///
/// Source and destination may be one place whose protection changes. A key has only one migration, so such a key cannot
/// also migrate a value from an older place, which users who skip versions of the app may still have. In that case,
/// give the protected value a new name, migrate it from the key of the old name, and register both keys.
public struct SimpleLegacyMigration<DestinationKey: StorageKey>: BuiltInMigration, VerbatimMigration {
  package let ends: MigrationEnds<DestinationKey>
  private let source: StoragePlace

  /// Creates a migration from one place to another.
  public init(
    destinationKey: DestinationKey, sourceKey: AnyStorageKey, conflictPolicy: StorageConflictPolicy = .keepDestination
  ) {
    source = sourceKey.place
    ends = MigrationEnds(
      destinationKey: destinationKey, sources: [source], conflictPolicy: conflictPolicy)
  }

  /// The source's bytes, decoded by the destination's serialiser.
  package func value(
    using router: StorageRouter, context: MigrationContext
  ) async throws -> DestinationKey.Value? {
    try await router.bytes(at: source).map { try destinationKey.serializer.decode($0) }
  }

  /// The former protection, if source and destination are one place; otherwise nil.
  var formerSecurity: SecurityPolicy? {
    let destination = destinationKey.place
    return source.isSameSpot(as: destination) && source.security != destination.security ? source.security : nil
  }
}

/// A migration that copies the bytes of one source unchanged. It may change only the protection of a place.
protocol VerbatimMigration {
  var formerSecurity: SecurityPolicy? { get }
}
