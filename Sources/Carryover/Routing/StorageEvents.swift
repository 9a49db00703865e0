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

/// The streams somebody reads. One that nobody holds any more is forgotten at once.
final class StorageObservers: Sendable {
  private struct State {
    var continuations: [Int: AsyncStream<StorageEvent>.Continuation] = [:]
    var count = 0
  }

  private let state = Locked(State())

  func stream() -> AsyncStream<StorageEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: StorageEvent.self, bufferingPolicy: .bufferingNewest(1000))
    let number = state.withLock { state in
      state.count += 1
      state.continuations[state.count] = continuation
      return state.count
    }
    continuation.onTermination = { [weak self] _ in
      // What is taken out is let go of outside the lock, since letting go may end here again.
      _ = self?.state.withLock { $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  func send(_ event: StorageEvent) {
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(event) }
  }

  /// How many streams somebody holds.
  var count: Int { state.withLock { $0.continuations.count } }
}
