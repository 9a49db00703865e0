import CarryoverSystem
public import PropertyLists

extension RecoveredRun: CustomStringConvertible, Described {
  /// What was interrupted and what became of it, in whole sentences. File names are escaped for display.
  package var words: String {
    let run = "Run \(DisplayText.harmless(id)), \(kind.phrase),"
    let names = files.map(DisplayText.quoted).joined(separator: ", ")
    return switch ending {
    case .finished: "\(run) had been interrupted and is finished now: \(names)."
    case .takenBack:
      "\(run) had been interrupted, could not be finished and was taken back: \(names) \(areIs) as before it."
    case .discarded:
      "\(run) had been interrupted before it changed anything; what it had prepared was removed."
    case .kept: "\(run) is closed: \(names) \(files.count == 1 ? "stays" : "stay") as found, and its backup stays too."
    }
  }

  private var areIs: String { files.count == 1 ? "is" : "are" }
}

extension InterruptedRun: CustomStringConvertible {
  /// What was interrupted and what to do, in whole sentences. File names are escaped for display.
  package var description: String {
    "Run \(DisplayText.harmless(id)) was interrupted: \(files.map(DisplayText.quoted).joined(separator: ", ")) may stand "
      + "as before it or as after it. Recover the container first; every command that writes does so too."
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
