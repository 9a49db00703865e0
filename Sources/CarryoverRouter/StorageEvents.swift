/// What a router does. Later versions may tell of more.
public enum StorageEvent: Sendable {
  /// A value was stored.
  case stored(StoragePlace)
  /// A value was deleted.
  case deleted(StoragePlace)
  /// A key was migrated, or it turned out how its migration stands.
  case migrated(StoragePlace, MigrationResult)
  /// A key could not be migrated.
  case failed(StorageRouterError)
  /// A sweep ended.
  case swept(StorageSweep)
}
