import CarryoverSystem
public import PropertyLists

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
