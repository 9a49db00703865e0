import CarryoverStorage

/// One value made of another.
public struct TransformingMigration<DestinationKey: StorageKey, SourceKey: StorageKey>: ValueMigration {
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
  package func value(
    using router: StorageRouter, context: MigrationContext
  ) async throws -> DestinationKey.Value? {
    guard let bytes = try await router.bytes(at: sourceKey.place) else { return nil }
    return try await transform(try sourceKey.serializer.decode(bytes))
  }
}
