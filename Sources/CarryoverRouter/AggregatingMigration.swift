/// One value made of several.
public struct AggregatingMigration<DestinationKey: StorageKey>: BuiltInMigration {
  package let ends: MigrationEnds<DestinationKey>
  private let aggregate: @Sendable (StorageParts) async throws -> DestinationKey.Value?

  /// - Parameter aggregate: makes the value of the parts that are there; nil leaves everything as it is.
  public init(
    destinationKey: DestinationKey, sourceKeys: [AnyStorageKey],
    conflictPolicy: StorageConflictPolicy = .keepDestination,
    aggregate: @escaping @Sendable (StorageParts) async throws -> DestinationKey.Value?
  ) {
    ends = MigrationEnds(
      destinationKey: destinationKey, sources: sourceKeys.map(\.place), conflictPolicy: conflictPolicy)
    self.aggregate = aggregate
  }

  /// What is made of the parts.
  package func value(
    using router: StorageRouter, context: MigrationContext
  ) async throws -> DestinationKey.Value? {
    var parts: [StoragePlace: [UInt8]] = [:]
    for source in sources { parts[source] = try await router.bytes(at: source) }
    return parts.isEmpty ? nil : try await aggregate(StorageParts(parts))
  }
}
