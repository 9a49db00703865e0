import CarryoverSystem

extension Migrator {
  /// Removes legacy values that the target contains.
  ///
  /// A cleanup is a run: it backs up every file first, changes all files or none, and can be rolled back. In the other
  /// files, only the removed keys change. A file of the legacy SDK in which no key is left is removed, after the
  /// others. If nothing is to be removed, nothing is written, as in ``apply(_:decisions:in:onConflict:)``.
  /// - Parameters:
  ///   - only: the keys to remove; nil for all removable keys of the plan.
  ///   - allowed: the blocking findings to allow: `live.running-store` for a live container.
  /// - Throws: ``RunError``: `notRemovable` for a key that must stay, `stalePlan` if a value in a legacy store or in
  ///   the target has changed.
  package func cleanup(
    _ plan: CleanupPlan, only: Set<KeyPlace>? = nil, in container: Container, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> RunReport {
    let chosen = try plan.chosen(only)
    guard let target = plan.target, !chosen.isEmpty else {
      let recovered = try settleInterrupted(container, allowing: allowed)
      return RunReport(
        kind: .cleanup, runID: nil, outcomes: plan.outcomes(removing: []), files: [], recovered: recovered)
    }
    return try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      let recovered = try InterruptedRuns(store: store, container: container).settle(&files)
      try bringToDisk(target.path, container.root, &files)
      let edit = try CleanupEdit(plan, chosen, root: container.root, files)
      for owner in edit.ownersOfRemovedFiles { try checkOwner(owner.owner, of: owner.path) }
      var record = try newRecord(.cleanup, container, plan.recipe, edit.recorded, edit.changes, store)
      record.heldIn = HeldIn(path: target.path, bytes: edit.target)
      let held = HeldValues(plan, chosen, path: target.path, root: container.root, files.fileSystem)
      var transaction = Transaction(
        files: files, store: store, scope: RunScope(container), changes: edit.changes, record: record,
        verify: { change, bytes in edit.problem(change.path, bytes) ?? held.problem })
      defer { files = transaction.files }
      try transaction.carryOut()
      return RunReport(
        kind: .cleanup, runID: record.id.text, outcomes: plan.outcomes(removing: Set(chosen.map(\.id))),
        files: edit.changes.map(\.path), synchronizations: transaction.files.synchronizations, recovered: recovered)
    }
  }

  /// Writes the target to the disk: values that the app has just written to it must not be lost after the legacy values
  /// are removed.
  private func bringToDisk(_ target: String, _ root: String, _ files: inout DurableFiles) throws(RunError) {
    let place = try ContainerPath.resolve(target, in: root, files.fileSystem)
    guard place.status != nil else { return }
    try RunError.early(files.synchronizeFile(place.absolute))
  }

  /// Throws unless a rollback could restore a removed file with its owner.
  private func checkOwner(_ owner: FileAttributes.Owner, of path: String) throws(RunError) {
    guard fileSystem.user == 0 || fileSystem.user == owner.user else {
      throw .ownerNotKept(path: path, user: owner.user)
    }
  }
}

extension CleanupPlan {
  /// The named removable entries, or all of them.
  fileprivate func chosen(_ only: Set<KeyPlace>?) throws(RunError) -> [CleanupEntry] {
    guard let only else { return removable }
    let chosen = removable.filter { only.contains($0.id) }
    let refused = only.subtracting(chosen.map(\.id))
    guard refused.isEmpty else {
      throw .notRemovable(refused.sorted { ($0.file, $0.key) < ($1.file, $1.key) })
    }
    return chosen
  }

  /// The outcome of each entry if these are removed.
  fileprivate func outcomes(removing removed: Set<KeyPlace>) -> [FieldOutcome] {
    entries.map { entry in
      let isRemoved = removed.contains(entry.id)
      return FieldOutcome(
        field: entry.id.key, file: entry.id.file, outcome: isRemoved ? .dropped : .skipped,
        reason: entry.verdict.sentence(isChosen: isRemoved))
    }
  }
}
