/// What one run did: field by field, and to which files.
public struct RunReport: Hashable, Sendable {
  /// Whether the run applied a plan or took one back.
  package var kind: RunKind
  /// The run's id, also the name of its folder under the state directory; nil when nothing had to be written.
  public var runID: String?
  /// How each field ended, in the plan's order.
  public var outcomes: [FieldOutcome]
  /// The files the run changed, relative to the container's root.
  public var files: [String]
  /// The run that was taken back, for a rollback.
  package var rolledBack: String?
  /// How many times the disk was told to keep what was written (`fsync`): backup, record and files. What a run costs.
  package var synchronizations: Int
  /// Earlier runs that had been interrupted, and that were brought to an end first.
  package var recovered: [RecoveredRun]

  /// A report from its parts.
  package init(
    kind: RunKind, runID: String?, outcomes: [FieldOutcome], files: [String], rolledBack: String? = nil,
    synchronizations: Int = 0, recovered: [RecoveredRun] = []
  ) {
    self.kind = kind
    self.runID = runID
    self.outcomes = outcomes
    self.files = files
    self.rolledBack = rolledBack
    self.synchronizations = synchronizations
    self.recovered = recovered
  }
}

/// What a run was for. The raw value is the word in JSON output and run records.
public enum RunKind: String, Sendable {
  /// It applied a plan.
  case apply
  /// It took another run back, or some of its keys.
  case rollback
  /// It removed legacy values that the target holds.
  case cleanup
}

/// How one field ended, and why.
public struct FieldOutcome: Hashable, Sendable {
  /// The target key; for a cleanup, the legacy key.
  public var field: Field.ID
  /// The file the key stands in, relative to the container's root, where the run concerns several; nil for the target.
  package var file: String?
  /// How it ended.
  public var outcome: Outcome
  /// How it ended in words for people: a value that nobody decided to skip is not migrated.
  package var told: Outcome
  /// The reason, as a sentence, where the outcome alone does not say it.
  public var reason: String?

  /// An outcome from its parts.
  package init(
    field: Field.ID, file: String? = nil, outcome: Outcome, told: Outcome? = nil, reason: String? = nil
  ) {
    self.field = field
    self.file = file
    self.outcome = outcome
    self.told = told ?? outcome
    self.reason = reason
  }
}
