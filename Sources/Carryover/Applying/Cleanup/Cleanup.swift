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
  fileprivate func chosen(_ only: Set<KeyPlace>?) throws(RunError) -> [CleanupEntry] {
    guard let only else { return removable }
    let chosen = removable.filter { only.contains($0.id) }
    let refused = only.subtracting(chosen.map(\.id))
    guard refused.isEmpty else {
      throw .notRemovable(refused.sorted { ($0.file, $0.key) < ($1.file, $1.key) })
    }
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

/// The legacy files before and after a cleanup.
struct CleanupEdit {
  /// Edited files come first, removed files last.
  let changes: [FileChange]
  /// The target's bytes, which contain the removed values.
  let target: [UInt8]
  let recorded: [RecordedField]
  private let edits: [StringByBytes: TargetEdit]

  init(
    _ plan: CleanupPlan, _ chosen: [CleanupEntry], root: String, _ files: DurableFiles
  ) throws(RunError) {
    var stores = ReadStores(files: files, root: root)
    let paths = plan.stores.map(\.id).filter { path in chosen.contains { $0.id.file.hasSameBytes(as: path) } }
    for path in paths {
      let store = try stores.store(path)
      if let links = store.image?.status.links, links > 1 { throw .hardLinked(path: path, links: links) }
      if let problem = store.problem { throw .unreadable(path: path, reason: problem) }
    }
    var stale = try stores.stale(plan.basis)
    var known = Set(stale)
    var changes: [FileChange] = []
    var removals: [FileChange] = []
    var edits: [StringByBytes: TargetEdit] = [:]
    for path in paths {
      let store = try stores.store(path)
      let values = Dictionary(
        firstOf: chosen.filter { $0.id.file.hasSameBytes(as: path) }.map { ($0.id.key, $0.value) })
      guard let file = store.file else { continue }
      let entries = file.dictionary.entries
      // A look-up finds only the first pair of a key. All its pairs are removed, so each must have the checked value.
      for entry in entries {
        guard let value = values[entry.key], value != entry.value else { continue }
        let basis = PlanBasis(store: path, key: entry.key, value: value)
        if known.insert(basis).inserted { stale.append(basis) }
      }
      let edit = try TargetEdit(
        file, path: path,
        changes: values.sorted { $0.key < $1.key }.map { KeyChange(key: $0.key.text, before: $0.value, after: nil) },
        forms: [:])
      if let problem = edit.problem(in: edit.bytes) { throw .verification(path: path, problem, .nothingChanged) }
      let before = FileState(store.image)
      let isOwn = plan.stores.contains { $0.id.hasSameBytes(as: path) && $0.isOwn }
      if isOwn, entries.allSatisfy({ values[$0.key] != nil }) {
        removals.append(FileChange(path: path, before: before, after: .absent))
      } else if let status = store.image?.status {
        edits[path] = edit
        let after = FileState(bytes: edit.bytes, attributes: FileAttributes(status))
        changes.append(FileChange(path: path, before: before, after: after))
      }
    }
    guard stale.isEmpty else { throw .stalePlan(stale) }
    target =
      try plan.target.map { (target) throws(RunError) in try stores.store(target.path) }?.image?.bytes ?? []
    self.changes = changes + removals
    self.edits = edits
    recorded = chosen.map { entry in
      RecordedField(
        id: entry.id.key, file: entry.id.file, decision: nil, legacy: nil, proposed: nil, before: entry.value,
        after: nil, outcome: .dropped, findings: [])
    }
  }

  var ownersOfRemovedFiles: [(path: String, owner: FileAttributes.Owner)] {
    changes.compactMap { change in
      guard change.after == .absent, let owner = change.before.attributes?.owner else { return nil }
      return (change.path, owner)
    }
  }

  func problem(_ path: String, _ bytes: [UInt8]?) -> VerificationProblem? { edits[path]?.problem(in: bytes ?? []) }
}

/// The target's values that a cleanup depends on.
struct HeldValues {
  private let path: String
  private let root: String
  private let fileSystem: any FileSystem
  private let values: [PlanBasis]

  init(_ plan: CleanupPlan, _ chosen: [CleanupEntry], path: String, root: String, _ fileSystem: any FileSystem) {
    self.path = path
    self.root = root
    self.fileSystem = fileSystem
    var fields: Set<StringByBytes> = []
    for case .removable(let held) in chosen.map(\.verdict) { fields.formUnion(held.map { StringByBytes($0) }) }
    values = plan.basis.filter { $0.store.hasSameBytes(as: path) && fields.contains($0.key) }
  }

  var problem: VerificationProblem? {
    var stores = ReadStores(files: DurableFiles(fileSystem), root: root)
    do throws(RunError) {
      let index = try stores.store(path).index
      let lost = values.filter { index?[$0.key] != $0.value }.map(\.key)
      return lost.isEmpty ? nil : .heldNoMore(path: path, keys: lost)
    } catch {
      return .heldNoMore(path: path, keys: values.map(\.key))
    }
  }
}

/// A cleanup in effect, and the values that it removed and no later run restored.
struct StandingCleanup {
  var record: RunRecord
  /// The value at each place; nil if it was too long for the record.
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

extension Migrator {
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
  /// A plan needs these to distinguish a removed value from one that never existed. If a record is damaged or of a
  /// later version, or if something else is in the place of the state folder, the result is empty, so that the
  /// container can still be opened.
  package func removedByCleanups(in container: Container) throws(RunError) -> [KeyPlace: PropertyListValue] {
    guard occupiedStateFolder(of: container) == nil else { return [:] }
    let store = try store(of: container)
    let history = RunHistory(store: store, container: container)
    let cleanups: [StandingCleanup]
    do {
      cleanups = try history.cleanups()
    } catch {
      switch error {
      case .damagedRecord, .newerRecord: return [:]
      default: throw error
      }
    }
    var removed: [KeyPlace: PropertyListValue] = [:]
    for cleanup in cleanups {
      for (place, value) in cleanup.removed where removed[place] == nil { removed[place] = value }
    }
    return removed
  }
}
