import CarryoverSystem

/// The streams somebody reads. One that nobody holds any more is forgotten at once.
package final class Observers<Event: Sendable>: Sendable {
  private struct State {
    var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
    var count = 0
  }

  private let state = Locked(State())
  private let capacity: Int

  /// - Parameter capacity: how many events a stream keeps that nobody has taken yet; the newest ones.
  package init(keeping capacity: Int) { self.capacity = capacity }

  /// A stream of the events from now on.
  package func stream() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Event.self, bufferingPolicy: .bufferingNewest(capacity))
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

  package func send(_ event: Event) {
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(event) }
  }

  /// Ends every stream there is.
  package func finish() {
    for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
  }

  /// The number of open streams.
  package var count: Int { state.withLock { $0.continuations.count } }
}
