import CarryoverStorage

/// One value from one place of before, its bytes as they are: the source's protection is taken off, the destination's put
/// on. The destination's serialiser has to read them, and does not make them anew, so that nothing in them is lost that its
/// type does not know.
///
/// Source and destination may be one place that is protected otherwise from now on. A key has one migration, so where a value
/// may also lie in an older place still, in an app that skips versions, that way is closed to it: give the protected value a
/// new name, and have it come from the key of the old one, which a catalog has too.
public struct SimpleLegacyMigration<DestinationKey: StorageKey>: BuiltInMigration, VerbatimMigration {
  package let ends: MigrationEnds<DestinationKey>
  private let source: StoragePlace

  /// A migration from one place to another.
  public init(
    destinationKey: DestinationKey, sourceKey: AnyStorageKey, conflictPolicy: StorageConflictPolicy = .keepDestination
  ) {
    source = sourceKey.place
    ends = MigrationEnds(
      destinationKey: destinationKey, sources: [source], conflictPolicy: conflictPolicy)
  }

  /// The source's bytes, as the destination's serialiser reads them.
  package func value(
    using router: StorageRouter, context: MigrationContext
  ) async throws -> DestinationKey.Value? {
    try await router.bytes(at: source).map { try destinationKey.serializer.decode($0) }
  }

  /// Where source and destination are one place: how it was protected before.
  var formerSecurity: SecurityPolicy? {
    let destination = destinationKey.place
    return source.isSameSpot(as: destination) && source.security != destination.security ? source.security : nil
  }
}

/// A migration that carries the bytes of one source over as they are, and may be no more than a change of how a place is
/// protected.
protocol VerbatimMigration {
  var formerSecurity: SecurityPolicy? { get }
}
