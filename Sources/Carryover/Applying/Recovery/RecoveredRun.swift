/// A run that had been interrupted, and how it was brought to an end.
public struct RecoveredRun: Hashable, Sendable {
  /// The run's id.
  public var id: String
  /// What it was for.
  package var kind: RunKind
  /// How it ended.
  public var ending: Ending
  /// The files it is about, relative to the container's root.
  public var files: [String]

  /// How an interrupted run was brought to an end. The raw value is the word in JSON output.
  public enum Ending: String, Sendable {
    /// It had been decided, and every file is as it meant to leave it.
    case finished
    /// It could not be finished, and every file is as it was before it.
    case takenBack = "taken-back"
    /// It had not begun to change files, and what it had prepared was removed.
    case discarded
    /// Every file was kept as it stood, by a person's decision.
    case kept
  }

  /// A recovered run from its parts.
  package init(id: String, kind: RunKind, ending: Ending, files: [String]) {
    self.id = id
    self.kind = kind
    self.ending = ending
    self.files = files
  }
}
