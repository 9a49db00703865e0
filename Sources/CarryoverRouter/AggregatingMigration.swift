/// One value made of several.
public struct AggregatingMigration<DestinationKey: StorageKey>: ValueMigration {
  /// The key that is to have the value.
  public let destinationKey: DestinationKey
  /// Where its parts were kept before.
  public let sources: [StoragePlace]
  /// What to do where the destination has a value already.
  public let conflictPolicy: StorageConflictPolicy
  private let aggregate: @Sendable (StorageParts) async throws -> DestinationKey.Value?

  /// - Parameter aggregate: makes the value of the parts that are there; nil leaves everything as it is.
  public init(
    destinationKey: DestinationKey, sourceKeys: [AnyStorageKey],
    conflictPolicy: StorageConflictPolicy = .keepDestination,
    aggregate: @escaping @Sendable (StorageParts) async throws -> DestinationKey.Value?
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
    return parts.isEmpty ? nil : try await aggregate(StorageParts(parts))
  }
}
