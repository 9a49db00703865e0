extension Container {
  /// Makes sure that the container may be written to: one in an archive or a backup never, one that belongs to a
  /// simulator or to a Mac's own library only where that was allowed by name, as for a plan.
  /// - Throws: `wrapped`, or `blocked` with the finding that says why.
  public func requireWritable(allowing allowed: Set<FindingCode>) throws(MigrationError) {
    if let wrapper { throw .wrapped(wrapper) }
    guard let liveness, !allowed.contains(.liveRunningStore) else { return }
    throw .blocked([Finding(.liveRunningStore(liveness))])
  }
}
