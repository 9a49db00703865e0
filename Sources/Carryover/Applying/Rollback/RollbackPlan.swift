import CarryoverSystem
package import PropertyLists

/// The effect of rolling back a run on its current files. Making the plan writes nothing.
package struct RollbackPlan: Hashable, Sendable {
  /// The run to roll back.
  package var run: RunSummary
  /// The files of the run, in its order.
  package var files: [RollbackFile]
  /// The keys that the run changed, in the order of the files, then of the run's fields.
  package var entries: [RollbackEntry]

  /// A plan from its parts.
  package init(run: RunSummary, files: [RollbackFile], entries: [RollbackEntry]) {
    self.run = run
    self.files = files
    self.entries = entries
  }
}

/// A current file of a run.
package struct RollbackFile: Identifiable, Hashable, Sendable {
  /// The path, relative to the container's root.
  package var id: String
  /// The state of the file.
  package var state: RollbackFileState
  /// Whether the run created the file.
  package var isNew: Bool

  /// A file from its parts.
  package init(id: String, state: RollbackFileState, isNew: Bool = false) {
    self.id = id
    self.state = state
    self.isNew = isNew
  }
}

/// The state of a file relative to the run to roll back.
package enum RollbackFileState: Hashable, Sendable {
  /// It has exactly the bytes of the run. The rollback restores the earlier bytes.
  case asLeft
  /// It has exactly the bytes from before the run. Nothing has to be rolled back.
  case asBefore
  /// It has changed since. The run's keys are rolled back one by one, and all other keys stay.
  case changed
  /// It has changed since and cannot be edited key by key; the reason is a sentence.
  case unreadable(String)
}

/// A key that a run changed.
package struct RollbackEntry: Identifiable, Hashable, Sendable {
  /// The key and its file.
  package var id: KeyPlace
  /// The id of the field's recipe; nil in a run of one recipe.
  package var recipe: String?
  /// The value before the run; nil if there was none.
  package var before: PropertyListValue?
  /// The value after the run.
  package var after: PropertyListValue?
  /// The current value.
  package var current: PropertyListValue?
  /// The effect of the rollback on the key.
  package var state: RollbackEntryState

  /// An entry from its parts.
  package init(
    id: KeyPlace, recipe: String? = nil, before: PropertyListValue?, after: PropertyListValue?,
    current: PropertyListValue?,
    state: RollbackEntryState
  ) {
    self.id = id
    self.recipe = recipe
    self.before = before
    self.after = after
    self.current = current
    self.state = state
  }
}

extension RollbackEntry {
  /// `RECIPE/FIELD` in a run of several recipes, otherwise the key.
  package var name: String { FieldOwner.name(id.key, of: recipe) }
}

/// The effect of a rollback on a key. The raw value is the word in JSON output.
package enum RollbackEntryState: String, Sendable {
  /// The key has the run's value and is rolled back.
  case restorable
  /// The key already has the value from before the run.
  case back
  /// The key has another value. A decision is needed.
  case conflict
}

/// The decision for a key of a run that is rolled back.
package enum RollbackDecision: String, Hashable, Sendable {
  /// Restore the value from before the run, over any current value.
  case restore
  /// Keep the current value.
  case keep
}

/// Decisions by key. Without a decision, a restorable key is rolled back and a conflict stops the rollback.
package typealias RollbackDecisions = [KeyPlace: RollbackDecision]

/// The data of a rollback: the files of a run before it, after it, and now.
struct RollbackBasis {
  /// One file of the run.
  struct File {
    var recorded: RecordedFile
    var resolved: ResolvedPath
    /// The verified copies.
    var before: FileState
    var left: FileState
    var now: FileState
    /// The current file, by its keys.
    var parsed: ParsedFile
    /// The file before the run, whose format a restored file gets.
    var parsedBefore: ParsedFile
    /// The file as the run left it, whose kind an edited file has to have.
    var parsedLeft: ParsedFile
    var state: RollbackFileState
    var entries: [RollbackEntry]
  }

  let run: HistoricRun
  let files: [File]

  /// Reads a run's copies and its current files.
  /// - Throws: `prunedRun`, `damagedBackup`, `unsafePath` or `file`.
  init(_ run: HistoricRun, _ store: RunStore, _ scope: RunScope, _ files: DurableFiles) throws(RunError) {
    guard !run.record.isPruned else { throw .prunedRun(run.record.id.text) }
    self.run = run
    var read: [File] = []
    for file in run.record.files { read.append(try File(file, run, store, scope, files)) }
    self.files = read
  }

  /// The resulting plan.
  func plan(_ store: RunStore) -> RollbackPlan {
    RollbackPlan(
      run: RunSummary(run, store),
      files: files.map {
        RollbackFile(id: $0.recorded.path, state: $0.state, isNew: $0.recorded.before == .absent)
      },
      entries: files.flatMap(\.entries))
  }
}

extension RollbackBasis.File {
  fileprivate init(
    _ file: RecordedFile, _ run: HistoricRun, _ store: RunStore, _ scope: RunScope, _ files: DurableFiles
  ) throws(RunError) {
    let before = try store.state(.before, file.before, of: run.record.id)
    let left = try store.state(.after, file.after, of: run.record.id)
    let resolved = try scope.resolve(file.path, files.fileSystem)
    let now = resolved.status == nil ? .absent : try RunError.early(files.state(resolved.absolute))
    let parsedBefore = ParsedFile(before, path: file.path)
    let parsedLeft = ParsedFile(left, path: file.path)
    let parsed = now.bytes == left.bytes ? parsedLeft : ParsedFile(now, path: file.path)
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
        .unreadable(RollbackWording.copiesUnreadable(copiesProblem))
      } else if let problem = parsed.problem {
        .unreadable(RollbackWording.fileUnreadable(problem))
      } else {
        .changed
      }
    self.init(
      recorded: file, resolved: resolved, before: before, left: left, now: now, parsed: parsed,
      parsedBefore: parsedBefore, parsedLeft: parsedLeft, state: state, entries: [])
    entries = keys.compactMap { key in
      let place = KeyPlace(file: file.path, key: key)
      let entry = RollbackEntry(
        id: place, recipe: recipes[key] ?? nil, before: parsedBefore[key], after: parsedLeft[key], current: parsed[key],
        isReadable: parsed.problem == nil)
      return run.undone.contains(place) && entry.state != .back ? nil : entry
    }
  }
}

extension RollbackEntry {
  /// An entry whose state follows from its values. In an unreadable file, no state is known.
  fileprivate init(
    id: KeyPlace, recipe: String?, before: PropertyListValue?, after: PropertyListValue?, current: PropertyListValue?,
    isReadable: Bool
  ) {
    let state: RollbackEntryState =
      !isReadable ? .conflict : current == after ? .restorable : current == before ? .back : .conflict
    self.init(id: id, recipe: recipe, before: before, after: after, current: current, state: state)
  }
}
