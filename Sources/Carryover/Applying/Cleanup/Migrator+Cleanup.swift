extension Migrator {
  /// Removes legacy values that the target holds.
  ///
  /// A run like any other: every file is backed up first, all of them change or none, and it can be rolled back. Files
  /// that stay are edited, everything else in them as it was; a file of the legacy SDK's own in which nothing is left is
  /// removed, after the others. Where nothing is to be removed, nothing is touched, as with ``apply(_:decisions:in:onConflict:)``.
  /// - Parameter only: the keys to remove; nil for all that the plan calls removable.
  /// - Throws: ``MigrationError``: `notRemovable` for a key that the plan lets stay, `stalePlan` where a legacy value or
  ///   one in the target is no longer what it was.
  public func cleanup(
    _ plan: CleanupPlan, only: Set<KeyPlace>? = nil, in container: Container
  ) throws(MigrationError) -> RunReport {
    let chosen = try plan.chosen(only)
    guard let target = plan.target, !chosen.isEmpty else {
      let recovered = try settleInterrupted(container)
      return RunReport(
        kind: .cleanup, runID: nil, outcomes: plan.outcomes(removing: []), files: [], recovered: recovered)
    }
    return try locked(container.stateDirectory) { (store, files) throws(MigrationError) in
      let recovered = try InterruptedRuns(store: store, container: container).settle(&files)
      let edit = try CleanupEdit(plan, chosen, root: container.root, files)
      for owner in edit.ownersOfRemovedFiles { try checkOwner(owner.owner, of: owner.path, store) }
      var record = try newRecord(.cleanup, container, plan.recipe, edit.recorded, edit.changes, store)
      record.heldIn = target.path
      let held = HeldValues(plan, chosen, path: target.path, root: container.root, fileSystem)
      var transaction = Transaction(
        files: files, store: store, root: container.root, changes: edit.changes, record: record,
        verify: { change, bytes in edit.problem(change.path, bytes) ?? held.problem })
      defer { files = transaction.files }
      try transaction.carryOut()
      // Where files were only removed, there were no bytes to verify.
      if edit.changes.allSatisfy({ $0.after == .absent }), let problem = held.problem {
        try takeBack(edit, record, container, &transaction, because: problem)
      }
      return RunReport(
        kind: .cleanup, runID: record.id.text, outcomes: plan.outcomes(removing: Set(chosen.map(\.id))),
        files: edit.changes.map(\.path), synchronizations: transaction.files.synchronizations, recovered: recovered)
    }
  }

  /// Takes a cleanup back at once, as a run of its own.
  private func takeBack(
    _ edit: CleanupEdit, _ record: RunRecord, _ container: Container, _ transaction: inout Transaction,
    because problem: VerificationProblem
  ) throws(MigrationError) {
    let path = record.heldIn ?? ""
    let changes = edit.changes.reversed().map { FileChange(path: $0.path, before: $0.after, after: $0.before) }
    let fields = edit.recorded.map { field in
      var field = field
      (field.before, field.after, field.outcome) = (field.after, field.before, .restored)
      return field
    }
    do {
      let rollback = try newRecord(
        .rollback, container, record.recipe, fields, changes, transaction.store, takingBack: record.id)
      var back = Transaction(
        files: transaction.files, store: transaction.store, root: container.root, changes: changes, record: rollback)
      defer { transaction.files = back.files }
      try back.carryOut()
    } catch {
      let backup = transaction.store.folder(record.id) + "/" + RunStore.Side.before.rawValue
      throw .verification(path: path, problem, .unfinished(run: record.id.text, backup: backup))
    }
    throw .verification(path: path, problem, .takenBack)
  }

  /// Makes sure that a file which goes could come back as its owner's: tried on a file of our own.
  private func checkOwner(
    _ owner: FileAttributes.Owner, of path: String, _ store: RunStore
  ) throws(MigrationError) {
    let probe = store.path + "/owner.tmp"
    do throws(FileSystemError) {
      if try fileSystem.status(probe) != nil { try fileSystem.remove(probe) }
      let handle = try fileSystem.create(probe, mode: 0o600)
      defer {
        try? fileSystem.close(handle)
        try? fileSystem.remove(probe)
      }
      guard let status = try fileSystem.status(probe), FileAttributes(status).owner != owner else { return }
      try fileSystem.setOwner(owner.user, owner.group, of: handle)
    } catch  where error.operation == .setOwner && error.reason == .system(SystemErrorNumber.notPermitted.number) {
      throw .ownerNotKept(path: path, user: owner.user)
    } catch {
      throw .file(error, .nothingChanged)
    }
  }
}

extension CleanupPlan {
  /// The removable entries among those named, or all of them.
  fileprivate func chosen(_ only: Set<KeyPlace>?) throws(MigrationError) -> [CleanupEntry] {
    guard let only else { return removable }
    let chosen = removable.filter { only.contains($0.id) }
    let refused = only.subtracting(chosen.map(\.id))
    guard refused.isEmpty else {
      throw .notRemovable(refused.sorted { ($0.file, $0.key) < ($1.file, $1.key) })
    }
    return chosen
  }

  /// How each entry ends when these are removed.
  fileprivate func outcomes(removing removed: Set<KeyPlace>) -> [FieldOutcome] {
    entries.map { entry in
      let isRemoved = removed.contains(entry.id)
      return FieldOutcome(
        field: entry.id.key, file: entry.id.file, outcome: isRemoved ? .dropped : .skipped,
        reason: entry.verdict.sentence(isChosen: isRemoved))
    }
  }
}
