/// What a router does.
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

/// The streams somebody reads.
struct StorageObservers {
  private var continuations: [AsyncStream<StorageEvent>.Continuation] = []

  mutating func stream() -> AsyncStream<StorageEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: StorageEvent.self, bufferingPolicy: .bufferingNewest(1000))
    continuations.append(continuation)
    return stream
  }

  mutating func send(_ event: StorageEvent) {
    guard !continuations.isEmpty else { return }
    continuations.removeAll { continuation in
      if case .terminated = continuation.yield(event) { true } else { false }
    }
  }
}
