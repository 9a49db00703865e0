import CarryoverStorage

/// One value made of another.
public struct TransformingMigration<DestinationKey: StorageKey, SourceKey: StorageKey>: BuiltInMigration {
  package let ends: MigrationEnds<DestinationKey>
  private let sourceKey: SourceKey
  private let transform: @Sendable (SourceKey.Value) async throws -> DestinationKey.Value?

  /// - Parameter transform: makes the value; nil leaves everything as it is.
  public init(
    destinationKey: DestinationKey, sourceKey: SourceKey, conflictPolicy: StorageConflictPolicy = .keepDestination,
    transform: @escaping @Sendable (SourceKey.Value) async throws -> DestinationKey.Value?
  ) {
    ends = MigrationEnds(
      destinationKey: destinationKey, sources: [sourceKey.place], conflictPolicy: conflictPolicy)
    self.sourceKey = sourceKey
    self.transform = transform
  }

  /// What the transform makes of the source's value.
  package func value(
    using router: StorageRouter, context: MigrationContext
  ) async throws -> DestinationKey.Value? {
    guard let bytes = try await router.bytes(at: sourceKey.place) else { return nil }
    return try await transform(try sourceKey.serializer.decode(bytes))
  }
}
