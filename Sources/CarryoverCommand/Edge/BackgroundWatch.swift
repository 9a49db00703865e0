import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem

/// Watches a container while the program has the screen, and wakes the program after a change.
final class BackgroundWatch: Sendable {
  struct News: Sendable {
    var container: Container
    /// What was added or changed; for a removed value, the value that contained it.
    var paths: [InspectedPath]
    var moment: Moment
  }

  private struct State {
    var watch: ContainerWatch
    var news: News?
    var thread: BackgroundThread?
    var isOver = false
  }

  private let state: Locked<State>

  init(_ watch: ContainerWatch) { state = Locked(State(watch: watch)) }

  /// What has changed since the last call; nil for nothing.
  func news() -> News? {
    state.withLock { state in
      defer { state.news = nil }
      return state.news
    }
  }

  func start(waking wake: @escaping @Sendable () -> Void) {
    let thread = BackgroundThread { [self] in run(wake) }
    state.withLock { $0.thread = thread }
    // Without a thread, nothing is marked, but the stores can still be browsed.
    _ = thread.start()
  }

  func end() {
    let thread = state.withLock { state in
      state.isOver = true
      return state.thread
    }
    thread?.join()
  }

  private func run(_ wake: () -> Void) {
    var watch = state.withLock { $0.watch }
    let clock = WatchClock(
      now: { Console.now }, processorTime: { Console.processorTime },
      sleep: { duration in
        // The user does not wait for the end of a long pause.
        var left = duration
        while left > .zero, !self.state.withLock({ $0.isOver }) {
          let part = min(left, .milliseconds(250))
          Console.sleep(part)
          left -= part
        }
        return !self.state.withLock { $0.isOver }
      })
    watch.run(clock) { watch, moment, news in
      guard let container = watch.containers.first?.container else { return }
      let paths = news.flatMap { self.paths($0) }
      guard !paths.isEmpty else { return }
      state.withLock { state in
        state.news = News(container: container, paths: (state.news?.paths ?? []) + paths, moment: moment)
      }
      wake()
    }
  }

  private func paths(_ news: ContainerWatch.News) -> [InspectedPath] {
    guard case .changed(let before, let after) = news.kind else { return [] }
    var paths: [InspectedPath] = []
    for store in StoreComparison(before, after, .init(listsSystemKeys: true)).stores where store.isListed {
      if store.keys.isEmpty { paths.append(InspectedPath(store: store.path)) }
      for (path, difference) in store.values() { paths.append(difference.change == .removed ? path.outer : path) }
    }
    return paths
  }
}

extension InspectedPath {
  fileprivate var outer: InspectedPath { InspectedPath(store: store, labels: labels.dropLast()) }
}
