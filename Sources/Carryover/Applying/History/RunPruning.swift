package import CarryoverSystem

/// Removes the copies of a run. The record is marked first, so an incomplete set of copies is never used, and the next
/// pruning removes the rest.
struct RunPruning {
  let store: RunStore
  let record: RunRecord
  /// The size of the copies, in bytes.
  let size: Int

  init(store: RunStore, record: RunRecord) {
    self.store = store
    self.record = record
    size = RunSize(of: record.id, store).copies
  }

  /// Whether a pruned run still has copies.
  func isUnfinished() throws(RunError) -> Bool {
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) { return true }
    return false
  }

  /// Throws if the folders of the copies contain something else that could not be removed.
  func check() throws(RunError) {
    for side in RunStore.Side.allCases where try store.isFolder(folder(side)) {
      for name in try RunError.early(store.fileSystem.list(folder(side))) {
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
      try mark(&files)
      for side in RunStore.Side.allCases where try files.fileSystem.status(folder(side)) != nil {
        for name in try files.fileSystem.list(folder(side)) { try files.fileSystem.remove(folder(side) + "/" + name) }
        try files.fileSystem.removeDirectory(folder(side))
      }
      try files.synchronizeFolder(store.folder(record.id))
    } catch {
      throw .file(error, .partlyPruned)
    }
  }

  private func mark(_ files: inout DurableFiles) throws(FileSystemError) {
    guard !record.isPruned else { return }
    var pruned = record
    pruned.isPruned = true
    try store.write(pruned, &files)
  }

  private func folder(_ side: RunStore.Side) -> String { store.folder(record.id) + "/" + side.rawValue }
}

extension Migrator {
  /// Removes the backups of runs, which frees their space. The records stay, but the runs can no longer be rolled back.
  ///
  /// Also removes what an interrupted call has left. If there is nothing to remove, nothing is written.
  /// - Parameters:
  ///   - ids: the ids of the runs, which may include pruned runs.
  ///   - allowed: the blocking findings to allow: `live.running-store` for a live container.
  /// - Throws: ``RunError``; `noRunToPrune` for a run that does not exist or is not complete. Nothing was removed then.
  package func prune(
    in container: Container, runs ids: [String], allowing allowed: Set<FindingCode> = []
  ) throws(RunError) -> PruneReport {
    let store = try store(of: container)
    _ = try settleInterrupted(container, allowing: allowed)
    guard !(try prunings(ids, container, store).isEmpty) else { return PruneReport(runs: [], freed: 0) }
    return try locked(container, allowing: allowed) { (store, files) throws(RunError) in
      try InterruptedRuns(store: store, container: container).settle(&files)
      var report = PruneReport(runs: [], freed: 0)
      let prunings = try prunings(ids, container, store)
      for pruning in prunings { try pruning.check() }
      for pruning in prunings {
        try pruning.carryOut(&files)
        report.runs.append(pruning.record.id.text)
        report.freed = RunSize.sum(report.freed, pruning.size)
      }
      return report
    }
  }

  /// The runs with backups to remove, newest first.
  private func prunings(
    _ ids: [String], _ container: Container, _ store: RunStore
  ) throws(RunError) -> [RunPruning] {
    let history = RunHistory(store: store, container: container)
    let runs = try history.all().runs.filter { $0.isComplete && $0.record.isOwn }
    let known = Set(runs.map(\.record.id.text))
    if let unknown = ids.first(where: { !known.contains($0) }) { throw .noRunToPrune(unknown) }
    let asked = Set(ids)
    var prunings: [RunPruning] = []
    for run in runs where run.record.isPruned || asked.contains(run.record.id.text) {
      let pruning = RunPruning(store: store, record: run.record)
      if run.record.isPruned, !(try pruning.isUnfinished()) { continue }
      prunings.append(pruning)
    }
    return prunings
  }
}

/// Selects the runs to prune: their backups are removed, and only their records stay.
package enum PruneSelection: Hashable, Sendable {
  /// All runs except the newest ones.
  case keepingNewest(Int)
  /// The runs that began before this moment.
  case olderThan(Moment)
  /// The runs with these ids.
  case named(Set<String>)

  /// The selected runs, in the given order. Interrupted runs, runs without a backup and runs that came with the
  /// container are never selected.
  /// - Parameter runs: the runs of a container, newest first.
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

/// The result of pruning.
package struct PruneReport: Hashable, Sendable {
  /// The ids of the pruned runs, newest first.
  package var runs: [String]
  /// The freed space, in bytes.
  package var freed: Int

  /// A report from its parts.
  package init(runs: [String], freed: Int) {
    self.runs = runs
    self.freed = freed
  }
}

/// The size of a run's folder in bytes, as far as it can be read.
struct RunSize {
  /// The size of the file copies.
  private(set) var copies = 0
  /// The size of the record and all other files.
  private(set) var rest = 0

  var total: Int { Self.sum(copies, rest) }

  init(of id: RunID, _ store: RunStore) {
    rest = Self.size(store.folder(id), store)
    for side in RunStore.Side.allCases {
      copies = Self.sum(copies, Self.size(store.folder(id) + "/" + side.rawValue, store))
    }
  }

  /// The size of the files in a folder. Links do not count.
  private static func size(_ folder: String, _ store: RunStore) -> Int {
    guard (try? store.isFolder(folder)) == true, let names = try? store.fileSystem.list(folder) else { return 0 }
    return names.reduce(0) { size, name in
      guard let status = try? store.fileSystem.status(folder + "/" + name), status.kind == .regular else { return size }
      return sum(size, Int(clamping: max(0, status.size)))
    }
  }

  static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}
