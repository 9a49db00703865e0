public import CarryoverSystem
package import PropertyLists

/// A run in the history of a container.
public struct RunSummary: Identifiable, Hashable, Sendable {
  /// The run's id, which is also the name of its folder in the state folder.
  public var id: String
  /// The kind of run.
  public var kind: RunKind
  /// The moment when the run began.
  public var moment: Moment
  /// The run's recipe; if there are several, the first. Nil for an edit, and for its rollback.
  public var recipe: RecipeReference?
  package var otherRecipes: [RecipeReference] = []
  package var tool: String
  /// The changed files, relative to the container's root.
  public var files: [String]
  package var fields: [RunField]
  package var rolledBack: String?
  package var batch: BatchID?
  package var standing: RunStanding
  /// The reason that it does not count as the user's own run; nil if this user's Carryover wrote it.
  package var foreign: ForeignReason?
  package var backup: String?
  /// The size of the run's folder, in bytes.
  package var size: Int
  /// The size of the file copies in it, in bytes: the space that pruning frees.
  package var copies = 0

  package var recipes: [RecipeReference] { (recipe.map { [$0] } ?? []) + otherRecipes }

  /// How many fields the run wrote. The others are in its record too.
  package var writtenCount: Int { fields.count(where: \.isWritten) }

  /// Whether nobody knows if the run changed the key: it was interrupted, and has not been recovered.
  package func isUnknown(_ field: RunField) -> Bool { standing == .interrupted && field.before != field.after }
}

/// The state of a run. The raw value is the word in JSON output.
package enum RunStanding: String, Sendable, CaseIterable, JSONConvertible {
  /// In effect: none of its keys was rolled back.
  case holds
  case partlyTakenBack = "partly-taken-back"
  case takenBack = "taken-back"
  case interrupted
  /// The run came with the container. Its record is not trusted, so it affects nothing.
  case cameAlong = "came-along"
}

package struct RunField: Identifiable, Hashable, Sendable {
  package var id: KeyPlace
  package var recipe: String?
  package var decision: String?
  package var legacy: SavedValue?
  package var proposed: SavedValue?
  /// The value before the run; nil if there was none, or if it was too long for the record.
  package var before: PropertyListValue?
  package var after: PropertyListValue?
  package var outcome: Outcome
  package var isTakenBack = false
  /// Whether the field was not in the run.
  package var isOmitted = false

  package var name: String { FieldOwner.name(id.key, of: recipe) }

  /// A removed value may have been too long for the record.
  package var isWritten: Bool {
    outcome == .migrated || outcome == .restored || outcome == .dropped || before != after
  }
}

package struct RunListing: Hashable, Sendable {
  package var runs: [RunSummary]
  package var problems: [RunError]

  package init(runs: [RunSummary], problems: [RunError] = []) {
    self.runs = runs
    self.problems = problems
  }
}

extension Migrator {
  package func runs(in container: Container) throws(RunError) -> [RunSummary] { try history(of: container).runs }

  /// The runs of a container, newest first, and the errors of other records. Empty if there is no state folder. Writes
  /// nothing.
  package func history(of container: Container) throws(RunError) -> RunListing {
    let store = try store(of: container)
    let history = RunHistory(store: store, container: container)
    var (runs, problems) = try history.all()
    if let user = store.closedOwner { problems.append(.stateClosed(path: store.path, user: user)) }
    return RunListing(runs: runs.map { RunSummary($0, store) }, problems: problems)
  }
}

/// The files that a run changed, as they were before it.
package struct FilesBeforeRun {
  /// Relative to the container's root.
  package var files: [(path: String, state: FileState)]
  /// The files that are no longer as the run left them.
  package var changedSince: [String]
  /// The reason that it does not count as the user's own run; nil if this user's Carryover wrote it.
  package var foreign: ForeignReason?
}

extension Migrator {
  /// The files before a run, from the copies in its backup, whose checksums are in its record. Writes nothing.
  /// - Throws: `unknownRun`, `prunedRun`, or the reason that a copy cannot be used.
  package func files(before runID: String, in container: Container) throws(RunError) -> FilesBeforeRun {
    let store = try store(of: container)
    let own = RecordedContainer(container)
    guard let id = RunID(runID), try store.isThere(), let record = try store.record(id),
      record.belongs(to: own) || (own.root == nil && !record.isOwn)
    else { throw .unknownRun(runID) }
    guard !record.isPruned else { throw .prunedRun(runID) }
    let reader = DurableFiles(fileSystem)
    var found = FilesBeforeRun(files: [], changedSince: [], foreign: record.foreign)
    for file in record.files {
      let place = try ContainerPath.resolve(file.path, in: container.root, fileSystem)
      found.files.append((file.path, try store.state(.before, file.before, of: id)))
      let now = try? reader.state(place.absolute)
      if now.map({ file.after.matches($0.bytes) }) != true { found.changedSince.append(file.path) }
    }
    return found
  }
}

extension RunSummary {
  init(_ run: HistoricRun, _ store: RunStore) {
    let record = run.record
    let size = store.size(of: record.id)
    let fields = record.fields.map { field in
      let place = record.place(field)
      return RunField(
        id: place, recipe: field.recipe, decision: field.decision, legacy: field.legacy, proposed: field.proposed,
        before: field.before?.value, after: field.after?.value, outcome: field.outcome,
        isTakenBack: run.undone.contains(place), isOmitted: field.isOmitted)
    }
    self.init(
      id: record.id.text, kind: record.kind, moment: record.moment, recipe: record.recipe, tool: record.tool,
      files: record.files.map(\.path), fields: fields, rolledBack: record.rolledBack?.text, standing: run.standing,
      foreign: record.foreign, backup: record.isPruned ? nil : store.backup(of: record.id), size: size.total,
      copies: size.copies)
    otherRecipes = record.otherRecipes
    batch = record.batch
  }
}
