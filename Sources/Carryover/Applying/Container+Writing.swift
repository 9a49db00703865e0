extension Container {
  /// Makes sure that the container may be written to: one in an archive or a backup never, one that belongs to a
  /// simulator or to a Mac's own library only where that was allowed by name, as for a plan.
  /// - Throws: `wrapped`, or `blocked` with the finding that says why.
  package func requireWritable(allowing allowed: Set<FindingCode>) throws(RunError) {
    try requireUnwrapped()
    guard let liveness, !allowed.contains(.liveRunningStore) else { return }
    throw .blocked([Finding(.liveRunningStore(liveness))])
  }

  /// Makes sure that the container is not in an archive or a backup, where nothing is ever written.
  /// - Throws: `wrapped`.
  package func requireUnwrapped() throws(RunError) {
    if let wrapper { throw .wrapped(wrapper) }
  }
}
