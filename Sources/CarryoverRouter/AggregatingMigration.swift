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

  /// The combined value; nil if no source has a value.
  package func value(
    using router: StorageRouter, context: MigrationContext
  ) async throws -> DestinationKey.Value? {
    var parts: [StoragePlace: [UInt8]] = [:]
    for source in sources { parts[source] = try await router.bytes(at: source) }
    return parts.isEmpty ? nil : try await aggregate(StorageParts(parts))
  }
}
