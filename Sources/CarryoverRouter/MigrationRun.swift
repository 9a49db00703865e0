import CarryoverSystem

/// A running migration. Tasks that it starts know its identity, so they do not confuse it with a later run or one of
/// another router. It knows which runs it waits for, so that migrations of several routers cannot wait for each other
/// forever.
final class MigrationRun: Sendable {
  let place: StoragePlace
  private let state = Locked(State())

  private struct State {
    var awaited: [MigrationRun] = []
    var isOver = false
  }

  init(_ place: StoragePlace) { self.place = place }

  /// Whether it has ended.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// The runs that it waits for, of any router.
  private var awaited: [MigrationRun] { state.withLock { $0.isOver ? [] : $0.awaited } }

  func end() { state.withLock { $0.isOver = true } }

  func wait(for run: MigrationRun) { state.withLock { $0.awaited.append(run) } }

  func stopWaiting(for run: MigrationRun) {
    state.withLock { state in
      if let index = state.awaited.firstIndex(where: { $0 === run }) { state.awaited.remove(at: index) }
    }
  }

  /// The chain of waiting runs from this one to one of `ends`; nil if there is none.
  func path(to ends: [MigrationRun]) -> [MigrationRun]? {
    if ends.isEmpty { return nil }
    var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var paths = [[self]]
    while let path = paths.popLast(), let last = path.last {
      if ends.contains(where: { $0 === last }) { return path }
      for next in last.awaited where seen.insert(ObjectIdentifier(next)).inserted { paths.append(path + [next]) }
    }
    return nil
  }
}
