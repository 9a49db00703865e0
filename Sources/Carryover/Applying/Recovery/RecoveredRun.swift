import CarryoverSystem
public import PropertyLists

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

extension RecoveredRun: CustomStringConvertible, Described {
  /// The interrupted run and the result of its recovery, in whole sentences. File names are escaped for display.
  package var words: String {
    let run = "Run \(DisplayText.harmless(id)), \(kind.phrase),"
    let names = files.map(DisplayText.quoted).joined(separator: ", ")
    return switch ending {
    case .finished: "\(run) was interrupted and is now finished: \(names)."
    case .takenBack:
      "\(run) was interrupted, could not be finished and was rolled back: \(names) \(areIs) as before it."
    case .discarded:
      "\(run) was interrupted before it changed anything; its temporary files were removed."
    case .kept: "\(run) is closed: \(names) \(files.count == 1 ? "was" : "were") not changed, and its backup remains."
    }
  }

  private var areIs: String { files.count == 1 ? "is" : "are" }
}

extension InterruptedRun: CustomStringConvertible {
  /// The interrupted run and what to do, in whole sentences. File names are escaped for display.
  package var description: String {
    "Run \(DisplayText.harmless(id)) was interrupted: \(files.map(DisplayText.quoted).joined(separator: ", ")) may be "
      + "as before it or as after it. Run carryover recover first; every command that writes does so too."
  }
}

extension RunKind {
  fileprivate var phrase: String {
    switch self {
    case .apply: "an apply"
    case .rollback: "a rollback"
    case .cleanup: "a cleanup"
    }
  }
}
