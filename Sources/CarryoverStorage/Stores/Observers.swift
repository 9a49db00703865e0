import CarryoverSystem

/// The open streams of events. A stream without a reader is removed at once.
package final class Observers<Event: Sendable>: Sendable {
  private struct State {
    var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
    var count = 0
  }

  private let state = Locked(State())
  private let capacity: Int

  /// - Parameter capacity: how many unread events a stream keeps, the newest ones.
  package init(keeping capacity: Int) { self.capacity = capacity }

  package func stream() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(capacity))
    let number = state.withLock { state in
      state.count += 1
      state.continuations[state.count] = continuation
      return state.count
    }
    continuation.onTermination = { [weak self] _ in
      // The continuation is released outside the lock, because releasing it may call this closure again.
      _ = self?.state.withLock { $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  package func send(_ event: Event) {
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(event) }
  }

  package func finish() {
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
  }

  package var count: Int { state.withLock { $0.continuations.count } }
}
