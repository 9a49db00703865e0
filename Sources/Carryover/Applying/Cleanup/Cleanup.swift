import CarryoverSystem
package import PropertyLists

extension Migrator {
  /// Removes legacy values that the target contains.
  ///
  /// A cleanup is a run: it backs up every file first, changes all files or none, and can be rolled back. In the other
  /// files, only the removed keys change. A file of the legacy SDK in which no key is left is removed, after the
  /// others. If nothing is to be removed, nothing is written, as in ``apply(_:decisions:in:onConflict:)``.
  package func cleanup(
    _ plan: CleanupPlan, only: Set<KeyPlace>? = nil, in container: Container, allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> RunReport {
    let chosen = try plan.chosen(only)
    guard let target = plan.target, !chosen.isEmpty else {
      let recovered = try recover(in: container, allowing: allowed)
      return RunReport(
        kind: .cleanup, runID: nil, outcomes: plan.outcomes(removing: []), files: [], recovered: recovered)
    }
    return try carryOut(container, allowing: allowed) { (store, files) throws(RunError) in
      let place = try ContainerPath.resolve(target.path, in: container.root, files.fileSystem)
      // Values that the app has just written to the target must not be lost after the legacy values are removed.
      if place.status != nil { try RunError.attempt(files.synchronizeFile(place.absolute)) }
      let edit = try CleanupEdit(plan, chosen, root: container.root, files)
      for change in edit.changes where change.after == .absent {
        // A rollback could not restore the owner.
        guard let owner = change.before.attributes?.owner, ![0, owner.user].contains(fileSystem.user) else { continue }
        throw .ownerNotKept(path: change.path, user: owner.user)
      }
      var record = try newRecord(.cleanup, container, plan.recipe, edit.recorded, edit.changes, store)
      record.heldIn = HeldIn(path: target.path, bytes: edit.target)
      let held = plan.held(by: chosen, in: target.path)
      let fileSystem = files.fileSystem
      return PreparedRun(
        record: record, changes: edit.changes, outcomes: plan.outcomes(removing: Set(chosen.map(\.id)))
      ) { Self.lost(held, in: target.path, of: container, fileSystem) }
    }
  }

  private static func lost(
    _ values: [PlanBasis], in path: String, of container: Container, _ fileSystem: any FileSystem
  ) -> VerificationProblem? {
    var stores = ReadStores(files: DurableFiles(fileSystem), root: container.root)
    let file = try? stores.store(path).parsed
    let lost = values.filter { file == nil || file?[$0.key] != $0.value }.map(\.key)
    return file != nil && lost.isEmpty ? nil : .heldNoMore(path: path, keys: lost)
  }

  /// The cleanups that removed legacy values because a file of this run contains them, newest first. If the run were
  /// rolled back, no file would contain them.
  func cleanupsThatRestOn(run: RunRecord, _ history: RunHistory) throws(RunError) -> [RunID] {
    let paths = Set(bytesOf: run.files.map(\.path))
    return try history.cleanups(since: run.id).filter { cleanup in
      guard !cleanup.removed.isEmpty else { return false }
      return cleanup.record.heldIn.map { paths.contains($0.path) } ?? true
    }.map(\.record.id)
  }

  /// Checks that rolling back a run leaves every value in at least one place.
  func checkCleanups(takingBack run: RunRecord, _ history: RunHistory) throws(RunError) {
    let resting = try cleanupsThatRestOn(run: run, history)
    guard resting.isEmpty else { throw .cleanupRests(onRun: run.id.text, cleanups: resting.map(\.text)) }
    guard run.kind == .rollback, let earlier = run.rolledBack else { return }
    if try history.store.record(earlier)?.kind == .cleanup { throw .cleanupNotRepeated(run: run.id.text) }
  }

  /// The values that cleanups in effect removed, by place; empty if there are none. Writes nothing.
  ///
  /// A plan needs these to distinguish a removed value from one that never existed.
  package func removedByCleanups(in container: Container) throws(RunError) -> [KeyPlace: PropertyListValue] {
    let cleanups = try readHistory(of: container) { (history) throws(RunError) in try history.cleanups() }
    var removed: [KeyPlace: PropertyListValue] = [:]
    for cleanup in cleanups ?? [] {
      for (place, value) in cleanup.removed where removed[place] == nil { removed[place] = value }
    }
    return removed
  }
}

extension CleanupPlan {
  fileprivate func held(by chosen: [CleanupEntry], in path: String) -> [PlanBasis] {
    var fields: Set<StringByBytes> = []
    for case .removable(let held) in chosen.map(\.verdict) { fields.formUnion(held.map { StringByBytes($0) }) }
    return basis.filter { $0.store.hasSameBytes(as: path) && fields.contains($0.key) }
  }

  fileprivate func chosen(_ only: Set<KeyPlace>?) throws(RunError) -> [CleanupEntry] {
    guard let only else { return removable }
    let chosen = removable.filter { only.contains($0.id) }
    let refused = only.subtracting(chosen.map(\.id))
    guard refused.isEmpty else { throw .notRemovable(refused.sorted { ($0.file, $0.key) < ($1.file, $1.key) }) }
    return chosen
  }

  fileprivate func outcomes(removing removed: Set<KeyPlace>) -> [FieldOutcome] {
    entries.map { entry in
      let isRemoved = removed.contains(entry.id)
      return FieldOutcome(
        field: entry.id.key, file: entry.id.file, outcome: isRemoved ? .dropped : .skipped,
        reason: entry.verdict.sentence(isChosen: isRemoved))
    }
  }
}

struct CleanupEdit {
  let changes: [FileChange]
  let target: [UInt8]
  let recorded: [RecordedField]

  init(_ plan: CleanupPlan, _ chosen: [CleanupEntry], root: String, _ files: DurableFiles) throws(RunError) {
    var stores = ReadStores(files: files, root: root)
    let paths = plan.stores.map(\.id).filter { path in chosen.contains { $0.id.file.hasSameBytes(as: path) } }
    try stores.requireEditable(paths)
    var stale = try stores.stale(plan.basis)
    var changes: [FileChange] = []
    var removals: [FileChange] = []
    for path in paths {
      let store = try stores.store(path)
      let values = Dictionary(
        firstOf: chosen.filter { $0.id.file.hasSameBytes(as: path) }.map { ($0.id.key, $0.value) })
      guard let file = store.parsed.file else { continue }
      let entries = file.dictionary.entries
      // A look-up finds only the first pair of a key. All its pairs are removed, so each must have the checked value.
      for entry in entries {
        guard let value = values[entry.key], value != entry.value else { continue }
        stale.append(PlanBasis(store: path, key: entry.key, value: value))
      }
      let edit = try TargetEdit(
        file, path: path,
        changes: values.sorted { $0.key < $1.key }.map { KeyChange(key: $0.key.text, before: $0.value, after: nil) },
        forms: [:])
      guard let image = store.image else { continue }
      let change = try FileChange(edit, before: FileState(image), attributes: FileAttributes(image.status))
      let isOwn = plan.stores.contains { $0.id.hasSameBytes(as: path) && $0.isOwn }
      if isOwn, entries.allSatisfy({ values[$0.key] != nil }) {
        removals.append(FileChange(path: path, before: change.before, after: .absent))
      } else {
        changes.append(change)
      }
    }
    guard stale.isEmpty else { throw .stalePlan(stale.distinct { $0 }) }
    target = try plan.target.map { (target) throws(RunError) in try stores.store(target.path) }?.image?.bytes ?? []
    self.changes = changes + removals
    recorded = chosen.map { entry in
      RecordedField(
        id: entry.id.key, file: entry.id.file, decision: nil, legacy: nil, proposed: nil, before: entry.value,
        after: nil, outcome: .dropped, findings: [])
    }
  }
}

/// A cleanup in effect, and the values that it removed and no later run restored.
struct StandingCleanup {
  var record: RunRecord
  var removed: [KeyPlace: PropertyListValue?]
}

extension RunHistory {
  /// The cleanups that are at least partly in effect, newest first.
  /// - Parameter earlier: only cleanups after this run; nil for all.
  func cleanups(since earlier: RunID? = nil) throws(RunError) -> [StandingCleanup] {
    var cleanups: [StandingCleanup] = []
    _ = try newest { run in
      if let earlier, run.record.id <= earlier { return true }
      guard run.record.kind == .cleanup else { return false }
      var removed: [KeyPlace: PropertyListValue?] = [:]
      for field in run.record.fields {
        let place = run.record.place(field)
        if run.written.contains(place), !run.undone.contains(place) { removed[place] = .some(field.before?.value) }
      }
      cleanups.append(StandingCleanup(record: run.record, removed: removed))
      return false
    }
    return cleanups
  }
}
