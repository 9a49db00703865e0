extension Migrator {
  /// Brings an interrupted run to its end: it is finished, or taken back where it cannot be, and what a run has left
  /// that had not been decided is removed. Writes nothing where no run was interrupted.
  ///
  /// Everything that writes does this first; this does it alone.
  /// - Parameters:
  ///   - keeping: whether the interrupted run is closed with every file as it stands, for a container in which somebody
  ///     else has changed a file since. Its backup stays.
  ///   - allowed: what is allowed by name: `live.running-store`, for a live container.
  /// - Returns: the runs that were brought to an end, the decided one first.
  /// - Throws: ``RunError``, among them `interrupted`, with which everything is left as it was.
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

  /// The run that was interrupted after it had been decided, so that the container's files may stand on both sides; nil
  /// where there is none. Writes nothing.
  /// - Throws: ``RunError``, among them `damagedJournal`.
  package func runToRecover(in container: Container) throws(RunError) -> InterruptedRun? {
    let store = try store(of: container)
    guard let journal = try InterruptedRuns(store: store, container: container).journal() else { return nil }
    return InterruptedRun(id: journal.run.text, files: journal.files.map(\.path))
  }
}

/// A run that was decided and whose process ended before it had changed every file.
package struct InterruptedRun: Hashable, Sendable {
  /// The run's id.
  package var id: String
  /// The files it is about, relative to the container's root.
  package var files: [String]

  /// An interrupted run from its parts.
  package init(id: String, files: [String]) {
    self.id = id
    self.files = files
  }
}
