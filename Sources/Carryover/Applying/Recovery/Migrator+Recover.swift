extension Migrator {
  /// Recovers an interrupted run: finishes it, or rolls it back if it cannot be finished. Then removes the leftovers of
  /// runs that were not decided. Writes nothing if no run was interrupted.
  ///
  /// Every method that writes does this first.
  /// - Parameters:
  ///   - keeping: whether to close the interrupted run without changing any file, because another process has changed
  ///     one since. Its backup stays.
  ///   - allowed: the blocking findings to allow: `live.running-store` for a live container.
  /// - Returns: the recovered runs, the decided one first.
  /// - Throws: ``RunError``; among others `interrupted`, after which nothing has changed.
  package func recover(
    in container: Container, keeping: Bool = false, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> [RecoveredRun] {
    let store = try store(of: container)
    let interrupted = InterruptedRuns(store: store, container: container)
    do {
      guard try interrupted.exist() else { return [] }
    } catch {
      guard keeping, case .damagedJournal = error else { throw error }
    }
    return try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      try InterruptedRuns(store: store, container: container).settle(&files, keeping: keeping)
    }
  }

  /// The decided run that was interrupted, so that some files may have their old and others their new content; nil if
  /// there is none. Writes nothing.
  /// - Throws: ``RunError``; among others `damagedJournal`.
  package func runToRecover(in container: Container) throws(RunError) -> InterruptedRun? {
    let store = try store(of: container)
    guard let journal = try InterruptedRuns(store: store, container: container).journal() else { return nil }
    return InterruptedRun(id: journal.run.text, files: journal.files.map(\.path))
  }
}

/// A decided run whose process ended before it had changed every file.
package struct InterruptedRun: Hashable, Sendable {
  /// The run's id.
  package var id: String
  /// The run's files, relative to the container's root.
  package var files: [String]

  /// An interrupted run from its parts.
  package init(id: String, files: [String]) {
    self.id = id
    self.files = files
  }
}
