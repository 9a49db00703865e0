import CarryoverStorage

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
    ends = MigrationEnds(
      destinationKey: destinationKey, sources: [sourceKey.place], conflictPolicy: conflictPolicy)
    self.sourceKey = sourceKey
    self.transform = transform
  }

  /// The converted value; nil if the source has no value.
  package func value(
    using router: StorageRouter, context: MigrationContext
  ) async throws -> DestinationKey.Value? {
    guard let bytes = try await router.bytes(at: sourceKey.place) else { return nil }
    return try await transform(try sourceKey.serializer.decode(bytes))
  }
}
