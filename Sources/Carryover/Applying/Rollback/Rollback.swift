import CarryoverSystem
import PropertyLists

extension Migrator {
  /// Rolls back a whole run: the newest apply or cleanup that is at least partly in effect, or a named run.
  ///
  /// See `rollback(_:only:decisions:onConflict:in:allowing:)`. An interrupted run is recovered first.
  package func rollback(
    in container: Container, runID: String? = nil, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> RunReport {
    let store = try store(of: container)
    // Without this check, a container that was never written to would get a state folder.
    guard !(try store.ids().isEmpty) else { throw .nothingToRollBack }
    let recovered = try recover(in: container, allowing: allowed)
    var report = try rollback(rollbackPlan(in: container, runID: runID), in: container, allowing: allowed)
    report.recovered = recovered + report.recovered
    return report
  }

  /// Rolls back a run, or some of its keys, by a plan.
  ///
  /// If the whole run is rolled back, a file that is still as the run left it gets its earlier bytes, mode and owner,
  /// or is removed. Folders that were created for it are removed if they are empty. Every other file is edited key by
  /// key. A file that the run created, or an earlier one that is rolled back, is removed once it has no keys left.
  ///
  /// A rollback is a run, with a record and a backup of the replaced files. If nothing has to change, nothing is
  /// written.
  package func rollback(
    _ plan: RollbackPlan, only: Set<KeyPlace>? = nil, decisions: RollbackDecisions = [:],
    onConflict: ConflictPolicy = .fail, in container: Container, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> RunReport {
    let decided = try RollbackResolution(plan, only: only, decisions: decisions, onConflict: onConflict)
    try decided.check()
    guard decided.changesFiles else {
      return RunReport(kind: .rollback, runID: nil, outcomes: decided.outcomes, files: [], rolledBack: plan.run.id)
    }
    return try carryOut(container, allowing: allowed) { (store, files) throws(RunError) in
      let basis = try rollbackBasis(plan.run.id, container, store, files)
      let fresh = basis.plan(store)
      let stale = fresh.stale(plan, only: only)
      guard stale.isEmpty else { throw .stalePlan(stale, of: .rollback) }
      let resolved = try RollbackResolution(fresh, only: only, decisions: decisions, onConflict: onConflict)
      try resolved.check()
      let changes = try basis.changes(resolved)
      let earlier = basis.run.record
      let record = try newRecord(
        .rollback, container, earlier.recipe, and: earlier.otherRecipes, resolved.recorded, changes, store,
        takingBack: earlier.id)
      return PreparedRun(record: record, changes: changes, outcomes: resolved.outcomes)
    }
  }

  /// The effect of rolling back a run on its current files, key by key. Writes nothing.
  ///
  /// The changed keys come from the run's copies of the files, not from its record.
  package func rollbackPlan(in container: Container, runID: String? = nil) throws(RunError) -> RollbackPlan {
    let store = try store(of: container)
    return try rollbackBasis(runID, container, store, DurableFiles(fileSystem)).plan(store)
  }

  func rollbackBasis(
    _ runID: String?, _ container: Container, _ store: RunStore, _ files: DurableFiles
  ) throws(RunError) -> RollbackBasis {
    let history = RunHistory(store: store, container: container)
    let found =
      if let runID {
        try history.newest { $0.record.id.text == runID }
      } else {
        try history.newestOriginal()
      }
    guard let found else {
      guard let runID else { throw try history.hasRuns ? .allRolledBack : .nothingToRollBack }
      if let id = RunID(runID), let reason = try store.record(id)?.foreign { throw .foreignRun(runID, reason) }
      throw .noSuchRun(runID)
    }
    try checkCleanups(takingBack: found.record, history)
    return try RollbackBasis(found, history, RunScope(container, found.record.container), files)
  }

  /// The effect of `rollback(_:only:decisions:onConflict:in:allowing:)`, with the new files computed in memory. Writes
  /// nothing.
  package func rollbackPreview(
    _ resolved: RollbackResolution, in container: Container, allowing allowed: Set<FindingCode>
  ) -> RollbackPreview {
    let plan = resolved.plan
    do throws(RunError) {
      try container.requireWritable(allowing: allowed)
      try resolved.check()
      let store = try store(of: container)
      let basis = try rollbackBasis(plan.run.id, container, store, DurableFiles(fileSystem))
      let changes = resolved.changesFiles ? try basis.changes(resolved) : []
      return RollbackPreview(
        files: zip(basis.files, plan.files).map { file, planned in
          let change = changes.first { $0.path.hasSameBytes(as: planned.id) }
          return RollbackPreview.File(id: planned.id, fate: change?.fate(of: file) ?? .unchanged)
        })
    } catch {
      return RollbackPreview(files: plan.files.map { .init(id: $0.id, fate: .unchanged) }, refusal: error)
    }
  }
}

package struct RollbackPreview: Sendable {
  package var files: [File]
  package var refusal: RunError?

  package struct File: Identifiable, Hashable, Sendable {
    package var id: String
    package var fate: FileFate
  }

  /// The effect on a file. The raw value is the word in JSON output.
  package enum FileFate: String, Sendable {
    /// The file gets its bytes, mode and owner from before the run.
    case restored
    /// Some keys are rolled back one by one.
    case edited
    /// The file is removed: only runs made it, and nothing else is in it.
    case removed
    case unchanged
  }
}

extension FileChange {
  fileprivate func fate(of file: RollbackBasis.File) -> RollbackPreview.FileFate {
    after == .absent ? .removed : after == file.before ? .restored : .edited
  }
}

extension RollbackBasis {
  func changes(_ resolution: RollbackResolution) throws(RunError) -> [FileChange] {
    var changes: [FileChange] = []
    for (file, planned) in zip(files, resolution.plan.files) {
      let path = file.recorded.path
      let change: FileChange
      if resolution.isWhole(planned) {
        change = FileChange(path: path, before: file.now, after: file.before, folders: file.recorded.folders)
      } else {
        let keys = resolution.restored.filter { $0.id.file.hasSameBytes(as: path) }
          .map { KeyChange(key: $0.id.key, before: $0.current, after: $0.before) }
        guard !keys.isEmpty else { continue }
        change = try file.edited(keys)
      }
      if let links = file.resolved.status?.links, links > 1 { throw .hardLinked(path: path, links: links) }
      changes.append(change)
    }
    return changes
  }
}

extension RollbackBasis.File {
  fileprivate func edited(_ keys: [KeyChange]) throws(RunError) -> FileChange {
    if isRemovable, removesAll(keys) {
      return FileChange(path: recorded.path, before: now, after: .absent, folders: recorded.folders)
    }
    let edit = try TargetEdit(
      try keyed(), path: recorded.path, changes: keys, forms: [:], format: parsedLeft.file?.format)
    // A removed file is restored with its earlier attributes.
    let attributes =
      now.attributes ?? before.attributes ?? left.attributes ?? FileAttributes(mode: 0o600, owner: nil)
    return try FileChange(edit, before: now, attributes: attributes, folders: resolved.missingFolders)
  }

  private func removesAll(_ changes: [KeyChange]) -> Bool {
    let removed = Set(bytesOf: changes.filter { $0.after == nil }.map(\.key))
    return removed.count == changes.count && parsed.entries.allSatisfy { removed.contains($0.key) }
  }

  private func keyed() throws(RunError) -> KeyedFile? {
    guard parsed.file == nil, let format = parsedBefore.file?.format else { return parsed.file }
    return try converting(try KeyedFile(bytes: KeyedFile.encode([:], as: format), path: recorded.path)) {
      (error: KeyedFile.Problem) in RunError.notEncodable(path: recorded.path, reason: error.reason)
    }
  }
}
