import CarryoverSystem
package import PropertyLists

/// The effect of rolling back a run on its current files. Making the plan writes nothing.
package struct RollbackPlan: Hashable, Sendable {
  package var run: RunSummary
  package var files: [RollbackFile]
  package var entries: [RollbackEntry]
}

package struct RollbackFile: Identifiable, Hashable, Sendable {
  package var id: String
  package var state: RollbackFileState
  /// Whether the run created it.
  package var isNew = false
  /// Whether a rollback that leaves none of its keys removes it: it contains nothing else, and only runs made it.
  package var isRemovable = false

  /// - Parameter left: the values of its keys after a rollback.
  package func isRemoved(leaving left: [PropertyListValue?]) -> Bool { isRemovable && left.allSatisfy { $0 == nil } }
}

package enum RollbackFileState: Hashable, Sendable {
  /// It has exactly the bytes of the run. The rollback restores the earlier bytes.
  case asLeft
  /// It has exactly the bytes from before the run. Nothing has to be rolled back.
  case asBefore
  /// It has changed since. The run's keys are rolled back one by one, and all other keys stay.
  case changed
  case unreadable(String)
}

package struct RollbackEntry: Identifiable, Hashable, Sendable {
  package var id: KeyPlace
  package var recipe: String?
  package var before: PropertyListValue?
  package var after: PropertyListValue?
  package var current: PropertyListValue?
  package var state: RollbackEntryState

  package var name: String { FieldOwner.name(id.key, of: recipe) }
}

/// The effect of a rollback on a key. The raw value is the word in JSON output.
package enum RollbackEntryState: String, Sendable {
  case restorable
  case back
  /// The key has another value. A decision is needed.
  case conflict
}

package enum RollbackDecision: String, Hashable, Sendable {
  /// Restore the value from before the run, over any current value.
  case restore
  case keep
}

/// Decisions by key. Without a decision, a restorable key is rolled back and a conflict stops the rollback.
package typealias RollbackDecisions = [KeyPlace: RollbackDecision]

struct RollbackBasis {
  struct File {
    var recorded: RecordedFile
    var resolved: ResolvedPath
    var before: FileState
    var left: FileState
    var now: FileState
    var parsed: ParsedFile
    /// The file before the run, whose format a restored file gets.
    var parsedBefore: ParsedFile
    /// The file as the run left it, whose kind an edited file has to have.
    var parsedLeft: ParsedFile
    var state: RollbackFileState
    /// Whether there was no file before the run, or before the earlier runs of it, which are all rolled back.
    var isMadeByRuns: Bool
    var entries: [RollbackEntry]

    /// See ``RollbackFile/isRemovable``.
    var isRemovable: Bool {
      let keys = Set(bytesOf: entries.map(\.id.key))
      return isMadeByRuns && parsed.entries.allSatisfy { keys.contains($0.key) }
    }
  }

  let run: HistoricRun
  let files: [File]

  init(_ run: HistoricRun, _ history: RunHistory, _ scope: RunScope, _ files: DurableFiles) throws(RunError) {
    guard !run.record.isPruned else { throw .prunedRun(run.record.id.text) }
    self.run = run
    var read: [File] = []
    for file in run.record.files { read.append(try File(file, run, history, scope, files)) }
    self.files = read
  }

  func plan(_ store: RunStore) -> RollbackPlan {
    RollbackPlan(
      run: RunSummary(run, store),
      files: files.map { file in
        RollbackFile(
          id: file.recorded.path, state: file.state, isNew: file.recorded.before == .absent,
          isRemovable: file.isRemovable)
      },
      entries: files.flatMap(\.entries))
  }
}

extension RollbackBasis.File {
  fileprivate init(
    _ file: RecordedFile, _ run: HistoricRun, _ history: RunHistory, _ scope: RunScope, _ files: DurableFiles
  ) throws(RunError) {
    let store = history.store
    let before = try store.state(.before, file.before, of: run.record.id)
    let left = try store.state(.after, file.after, of: run.record.id)
    let resolved = try scope.resolve(file.path, files.fileSystem)
    let now = try resolved.state(files)
    let parsedBefore = ParsedFile(before.bytes, path: file.path)
    let parsedLeft = ParsedFile(left.bytes, path: file.path)
    let parsed = now.bytes == left.bytes ? parsedLeft : ParsedFile(now.bytes, path: file.path)
    let copiesProblem = parsedBefore.problem ?? parsedLeft.problem
    let fields = run.record.fields.filter { run.record.place($0).file.hasSameBytes(as: file.path) }
    let recipes = Dictionary(firstOf: fields.map { ($0.id, $0.recipe) })
    let keys = copiesProblem == nil ? ParsedFile.changedKeys(parsedBefore, parsedLeft, first: fields.map(\.id)) : []
    // A later run may have written the same bytes again after a rollback. These are no longer this run's.
    let isPartlyBack = run.undone.contains { $0.file.hasSameBytes(as: file.path) }
    let state: RollbackFileState =
      if now.bytes == before.bytes {
        .asBefore
      } else if now.bytes == left.bytes, !isPartlyBack {
        .asLeft
      } else if let copiesProblem {
        .unreadable("It changed after the run, and the run's copies of it are not property lists. \(copiesProblem)")
      } else if let problem = parsed.problem {
        .unreadable("It changed after the run, and is not a property list that can be edited. \(problem)")
      } else {
        .changed
      }
    // A file that is as the run left it gets its earlier bytes, even if they contain no key.
    let isMadeByRuns =
      file.before == .absent
      || state == .changed && !parsedBefore.entries.isEmpty && history.madeByUndoneRuns(file, before: run.record.id)
    self.init(
      recorded: file, resolved: resolved, before: before, left: left, now: now, parsed: parsed,
      parsedBefore: parsedBefore, parsedLeft: parsedLeft, state: state, isMadeByRuns: isMadeByRuns,
      entries: [])
    entries = keys.compactMap { key in
      let place = KeyPlace(file: file.path, key: key)
      let (before, after, current) = (parsedBefore[key], parsedLeft[key], parsed[key])
      // In an unreadable file, no state is known.
      let state: RollbackEntryState =
        parsed.problem != nil ? .conflict : current == after ? .restorable : current == before ? .back : .conflict
      if run.undone.contains(place), state != .back { return nil }
      return RollbackEntry(
        id: place, recipe: recipes[key] ?? nil, before: before, after: after, current: current, state: state)
    }
  }
}
