extension Container {
  /// Makes sure that the container may be written to: one that belongs to a simulator or to a Mac's own library only
  /// where that was allowed by name, as for a plan.
  /// - Throws: `blocked` with the finding that says why.
  public func requireWritable(allowing allowed: Set<FindingCode>) throws(MigrationError) {
    guard let liveness, !allowed.contains(.liveRunningStore) else { return }
    throw .blocked([Finding(.liveRunningStore(liveness))])
  }
}
