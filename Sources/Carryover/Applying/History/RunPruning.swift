package import CarryoverSystem

/// Removes the copies of a run. The record is marked first, so an incomplete set of copies is never used, and the next
/// pruning removes the rest.
struct RunPruning {
  let store: RunStore
  let record: RunRecord
  let size: Int

  func isUnfinished() throws(RunError) -> Bool {
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) { return true }
    return false
  }

  /// Throws if the folders of the copies contain something else that could not be removed.
  func check() throws(RunError) {
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) {
      for name in try RunError.attempt(store.fileSystem.list(folder(side))) {
        let path = folder(side) + "/" + name
        let status = try RunStore.status(of: path, store.fileSystem)
        if status?.kind == .directory { throw .unsafePath(path, .wrongKind) }
      }
    }
  }

  /// Marks the record, then removes the copies. Each step is on the disk before the next.
  /// - Throws: `file` with `partlyPruned`: some copies of this or of earlier runs may be removed.
  func carryOut(_ files: inout DurableFiles) throws(RunError) {
    do throws(FileSystemError) {
      if !record.isPruned {
        var pruned = record
        pruned.isPruned = true
        try store.write(pruned, &files)
      }
      try store.removeCopies(of: record.id, files.fileSystem)
      try files.synchronizeFolder(store.folder(record.id))
    } catch {
      throw .file(error, .partlyPruned)
    }
  }

  private func folder(_ side: RunStore.Side) -> String { store.folder(record.id) + "/" + side.rawValue }
}

extension Migrator {
  /// Removes the backups of runs, which frees their space. The records stay, but the runs can no longer be rolled back.
  ///
  /// Also removes what an interrupted call has left. If there is nothing to remove, nothing is written.
  package func prune(
    in container: Container, runs ids: [String], allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> PruneReport {
    let store = try store(of: container)
    _ = try recover(in: container, allowing: allowed)
    guard !(try prunings(ids, container, store).isEmpty) else { return PruneReport(runs: [], freed: 0) }
    return try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      try InterruptedRuns(store: store, container: container).settle(&files)
      var report = PruneReport(runs: [], freed: 0)
      let prunings = try prunings(ids, container, store)
      for pruning in prunings { try pruning.check() }
      for pruning in prunings {
        try pruning.carryOut(&files)
        report.runs.append(pruning.record.id.text)
        report.freed = RunStore.sum(report.freed, pruning.size)
      }
      return report
    }
  }

  private func prunings(_ ids: [String], _ container: Container, _ store: RunStore) throws(RunError) -> [RunPruning] {
    let history = RunHistory(store: store, container: container)
    let runs = try history.all().runs.filter { $0.isComplete && $0.record.isOwn }
    let known = Set(runs.map(\.record.id.text))
    if let unknown = ids.first(where: { !known.contains($0) }) { throw .noRunToPrune(unknown) }
    let asked = Set(ids)
    var prunings: [RunPruning] = []
    for run in runs where run.record.isPruned || asked.contains(run.record.id.text) {
      let pruning = RunPruning(store: store, record: run.record, size: store.size(of: run.record.id).copies)
      if run.record.isPruned, !(try pruning.isUnfinished()) { continue }
      prunings.append(pruning)
    }
    return prunings
  }
}

package enum PruneSelection: Hashable, Sendable {
  case keepingNewest(Int)
  case olderThan(Moment)
  case named(Set<String>)

  /// The selected runs, in the given order. Interrupted runs, runs without a backup and runs that came with the
  /// container are never selected.
  package func selected(from runs: [RunSummary]) -> [RunSummary] {
    // Runs that came with the container must not count as newer than the user's own.
    runs.filter { $0.foreign == nil }.enumerated().filter { number, run in
      guard run.standing != .interrupted, run.backup != nil else { return false }
      return switch self {
      case .keepingNewest(let count): number >= count
      case .olderThan(let moment): run.moment < moment
      case .named(let ids): ids.contains(run.id)
      }
    }
    .map(\.element)
  }
}

package struct PruneReport: Hashable, Sendable {
  package var runs: [String]
  package var freed: Int
}

extension RunStore {
  /// Throws if a link or a file is where the copies should be.
  func removeCopies(of id: RunID, _ fileSystem: any FileSystem) throws(FileSystemError) {
    for copies in Side.allCases.map({ folder(id) + "/" + $0.rawValue }) where try fileSystem.status(copies) != nil {
      for name in try fileSystem.list(copies) { try fileSystem.remove(copies + "/" + name) }
      try fileSystem.removeDirectory(copies)
    }
  }

  func size(of id: RunID) -> (total: Int, copies: Int) {
    let copies = Side.allCases.reduce(0) { Self.sum($0, size(folder(id) + "/" + $1.rawValue)) }
    return (Self.sum(copies, size(folder(id))), copies)
  }

  private func size(_ folder: String) -> Int {
    guard (try? isFolder(folder)) == true, let names = try? fileSystem.list(folder) else { return 0 }
    return names.reduce(0) { size, name in
      guard let status = try? fileSystem.status(folder + "/" + name), status.kind == .regular else { return size }
      return Self.sum(size, Int(clamping: max(0, status.size)))
    }
  }

  fileprivate static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}
