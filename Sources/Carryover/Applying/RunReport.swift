/// The result of a run: the outcome of each field, and the changed files.
public struct RunReport: Hashable, Sendable {
  package var kind: RunKind
  /// The run's id, which is also the name of its folder in the state folder; nil if nothing had to be written.
  public var runID: String?
  /// The outcomes of the fields, in the plan's order.
  public var outcomes: [FieldOutcome]
  /// The changed files, relative to the container's root.
  public var files: [String]
  package var rolledBack: String?
  /// The number of `fsync` calls, for backup, record and files.
  package var synchronizations = 0
  /// What the app loses by the run.
  package var losses: [RunLoss] = []
  package var recovered: [RecoveredRun] = []
  /// Those of the files that are gone.
  package var removed: [String] = []
  /// What an edit changed, value by value.
  package var changes: [PlannedChange] = []
  /// Those of the files that did not exist before.
  package var created: [String] = []
}

/// The kind of a run. The raw value is the word in JSON output and run records.
public enum RunKind: String, Sendable, JSONConvertible {
  /// Applies a plan.
  case apply
  /// Rolls back another run, or some of its keys.
  case rollback
  /// Removes legacy values that the target contains.
  case cleanup
  /// Changes values by hand.
  case edit
}

/// The outcome of a field, and the reason.
public struct FieldOutcome: Hashable, Sendable {
  /// The target key; in a cleanup, the legacy key.
  public var field: Field.ID
  /// The key's file, relative to the container's root, if the run has several; nil for the target.
  package var file: String?
  /// The outcome.
  public var outcome: Outcome
  /// The outcome in texts: a skipped field without a decision is not migrated.
  package var told: Outcome
  /// The reason as a sentence; nil if the outcome is reason enough.
  public var reason: String?
  /// Whether the field was not in the run.
  package var isOmitted: Bool

  package init(
    field: Field.ID, file: String? = nil, outcome: Outcome, told: Outcome? = nil, reason: String? = nil,
    isOmitted: Bool = false
  ) {
    self.field = field
    self.file = file
    self.outcome = outcome
    self.told = told ?? outcome
    self.reason = reason
    self.isOmitted = isOmitted
  }
}
