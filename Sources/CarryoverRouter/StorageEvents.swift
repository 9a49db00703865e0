/// An event of a router. Later versions may add cases.
public enum StorageEvent: Sendable {
  /// A value was stored.
  case stored(StoragePlace)
  /// A value was deleted.
  case deleted(StoragePlace)
  /// The migration of a key ended with this result.
  case migrated(StoragePlace, MigrationResult)
  /// A key could not be migrated, or its old value could not be removed.
  case failed(StorageRouterError)
  /// A sweep ended.
  case swept(StorageSweep)
}
