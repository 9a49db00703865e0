extension Container {
  /// Checks that the container may be written to. An archive or a backup never may; the data of a simulator or of a Mac
  /// only if the finding is allowed, as for a plan.
  /// - Throws: `wrapped`, or `blocked` with the finding.
  package func requireWritable(allowing allowed: Set<FindingCode>) throws(RunError) {
    try requireUnwrapped()
    guard let liveness, !allowed.contains(.liveRunningStore) else { return }
    throw .blocked([Finding(.liveRunningStore(liveness))])
  }

  /// Checks that the container is not in an archive or a backup, which are read-only.
  /// - Throws: `wrapped`.
  package func requireUnwrapped() throws(RunError) {
    if let wrapper { throw .wrapped(wrapper) }
  }
}
