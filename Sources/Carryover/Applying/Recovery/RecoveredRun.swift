/// An interrupted run that was recovered.
public struct RecoveredRun: Hashable, Sendable {
  /// The run's id.
  public var id: String
  /// The kind of run.
  package var kind: RunKind
  /// The result of the recovery.
  public var ending: Ending
  /// The run's files, relative to the container's root.
  public var files: [String]

  /// The result of a recovery. The raw value is the word in JSON output.
  public enum Ending: String, Sendable {
    /// The run was finished: every file has its new content.
    case finished
    /// The run could not be finished and was rolled back: every file has its old content.
    case takenBack = "taken-back"
    /// The run had not changed any file yet. Its temporary files were removed.
    case discarded
    /// The caller closed the run, and no file was changed.
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
