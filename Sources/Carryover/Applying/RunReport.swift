/// What one run did: field by field, and to which files.
public struct RunReport: Hashable, Sendable {
  /// Whether the run applied a plan or took one back.
  public var kind: RunKind
  /// The run's id, also the name of its folder under the state directory; nil when nothing had to be written.
  public var runID: String?
  /// How each field ended, in the plan's order.
  public var outcomes: [FieldOutcome]
  /// The files the run changed, relative to the container's root.
  public var files: [String]
  /// The run that was taken back, for a rollback.
  public var rolledBack: String?
  /// How many times bytes were brought to the disk itself; what a run costs.
  public var synchronizations: Int

  /// A report from its parts.
  public init(
    kind: RunKind, runID: String?, outcomes: [FieldOutcome], files: [String], rolledBack: String? = nil,
    synchronizations: Int = 0
  ) {
    self.kind = kind
    self.runID = runID
    self.outcomes = outcomes
    self.files = files
    self.rolledBack = rolledBack
    self.synchronizations = synchronizations
  }
}

/// What a run was for.
public enum RunKind: String, Sendable {
  case apply, rollback
}

/// How one field ended, and why.
public struct FieldOutcome: Hashable, Sendable {
  /// The target key.
  public var field: Field.ID
  /// How it ended.
  public var outcome: Outcome
  /// The reason, as a sentence, where the outcome alone does not say it.
  public var reason: String?

  /// An outcome from its parts.
  public init(field: Field.ID, outcome: Outcome, reason: String? = nil) {
    self.field = field
    self.outcome = outcome
    self.reason = reason
  }
}
