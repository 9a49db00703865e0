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
  /// The run's recipe; if there are several, the first.
  public var recipe: RecipeReference
  /// The run's other recipes.
  package var otherRecipes: [RecipeReference] = []
  /// The version of the tool that ran it.
  package var tool: String
  /// The changed files, relative to the container's root.
  public var files: [String]
  /// The result for each field, in the order of the run.
  package var fields: [RunField]
  /// The id of the run that it rolled back; nil unless the run is a rollback.
  package var rolledBack: String?
  /// The batch of the run; nil for a run by itself.
  package var batch: BatchID?
  /// Whether the run is in effect.
  package var standing: RunStanding
  /// The reason that it does not count as the user's own run; nil if this user's Carryover wrote it.
  package var foreign: ForeignReason?
  /// The folder with the files as they were before the run; nil once it was pruned.
  package var backup: String?
  /// The size of the run's folder, in bytes.
  package var size: Int
  /// The size of the file copies in it, in bytes: the space that pruning frees.
  package var copies: Int

  /// A summary from its parts.
  package init(
    id: String, kind: RunKind, moment: Moment, recipe: RecipeReference, tool: String, files: [String],
    fields: [RunField], rolledBack: String? = nil, standing: RunStanding,
    foreign: ForeignReason? = nil, backup: String?, size: Int, copies: Int = 0
  ) {
    self.id = id
    self.kind = kind
    self.moment = moment
    self.recipe = recipe
    self.tool = tool
    self.files = files
    self.fields = fields
    self.rolledBack = rolledBack
    self.standing = standing
    self.foreign = foreign
    self.backup = backup
    self.size = size
    self.copies = copies
  }
}

extension RunSummary {
  /// All recipes of the run.
  package var recipes: [RecipeReference] { [recipe] + otherRecipes }
}

/// The state of a run. The raw value is the word in JSON output.
package enum RunStanding: String, Sendable, CaseIterable {
  /// In effect: none of its keys was rolled back.
  case holds
  /// Some of its keys were rolled back, by later runs in effect.
  case partlyTakenBack = "partly-taken-back"
  /// All its keys were rolled back, by later runs in effect.
  case takenBack = "taken-back"
  /// Its process ended before the run did; it needs recovery.
  case interrupted
  /// The run came with the container. Its record is not trusted, so it affects nothing.
  case cameAlong = "came-along"
}

/// The result of a run for one field, for display.
package struct RunField: Identifiable, Hashable, Sendable {
  /// The key and its file.
  package var id: KeyPlace
  /// The id of the field's recipe; nil in a run of one recipe.
  package var recipe: String?
  /// The decision, as in the record; nil if none was needed.
  package var decision: String?
  /// The value before the run; nil if there was none, or if it was too long for the record.
  package var before: PropertyListValue?
  /// The value after the run; nil in the same cases.
  package var after: PropertyListValue?
  /// The outcome.
  package var outcome: Outcome
  /// Whether a later run in effect has rolled it back.
  package var isTakenBack: Bool

  /// A field from its parts.
  package init(
    id: KeyPlace, recipe: String? = nil, decision: String? = nil, before: PropertyListValue?, after: PropertyListValue?,
    outcome: Outcome,
    isTakenBack: Bool = false
  ) {
    self.id = id
    self.recipe = recipe
    self.decision = decision
    self.before = before
    self.after = after
    self.outcome = outcome
    self.isTakenBack = isTakenBack
  }
}

extension RunSummary {
  /// Whether nobody knows if the run changed the key: it was interrupted, and has not been recovered.
  package func isUnknown(_ field: RunField) -> Bool { standing == .interrupted && field.before != field.after }
}

extension RunField {
  /// `RECIPE/FIELD` in a run of several recipes, otherwise the key.
  package var name: String { FieldOwner.name(id.key, of: recipe) }
}

/// The runs of a container, and the errors of records that cannot be read.
package struct RunListing: Hashable, Sendable {
  /// The runs, newest first.
  package var runs: [RunSummary]
  /// The errors of the other records. Each names its record.
  package var problems: [RunError]

  /// A listing from its parts.
  package init(runs: [RunSummary], problems: [RunError] = []) {
    self.runs = runs
    self.problems = problems
  }
}

extension Migrator {
  /// The runs of a container with readable records, newest first. Writes nothing.
  /// - Throws: ``RunError`` if the state folder cannot be read.
  package func runs(in container: Container) throws(RunError) -> [RunSummary] {
    try history(of: container).runs
  }

  /// The runs of a container, newest first, and the errors of other records. Empty if there is no state folder. Writes
  /// nothing.
  /// - Throws: ``RunError`` if the state folder cannot be read.
  package func history(of container: Container) throws(RunError) -> RunListing {
    let store = try store(of: container)
    let history = RunHistory(store: store, container: container)
    var (runs, problems) = try history.all()
    if let user = store.closedOwner { problems.append(.stateClosed(path: store.path, user: user)) }
    return RunListing(runs: runs.map { RunSummary($0, store) }, problems: problems)
  }
}

extension RunSummary {
  /// A run from its record.
  init(_ run: HistoricRun, _ store: RunStore) {
    let record = run.record
    let folder = store.folder(record.id)
    let size = RunSize(of: record.id, store)
    let fields = record.fields.map { field in
      let place = record.place(field)
      return RunField(
        id: place, recipe: field.recipe, decision: field.decision, before: field.before?.value,
        after: field.after?.value,
        outcome: field.outcome, isTakenBack: run.undone.contains(place))
    }
    self.init(
      id: record.id.text, kind: record.kind, moment: record.moment, recipe: record.recipe, tool: record.tool,
      files: record.files.map(\.path), fields: fields, rolledBack: record.rolledBack?.text, standing: run.standing,
      foreign: record.foreign,
      backup: record.isPruned ? nil : folder + "/" + RunStore.Side.before.rawValue,
      size: size.total, copies: size.copies)
    otherRecipes = record.otherRecipes
    batch = record.batch
  }
}
