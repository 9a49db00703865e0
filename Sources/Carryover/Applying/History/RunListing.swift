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
