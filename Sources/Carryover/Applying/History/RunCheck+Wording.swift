import CarryoverSystem

extension RunProblem: CustomStringConvertible {
  /// The problem and what to do, in whole sentences. Text from a container is escaped for display.
  package var description: String {
    switch self {
    case .interrupted(let run):
      "Run \(DisplayText.harmless(run)) was interrupted. Run carryover recover to finish it or roll it back."
    case .leftovers:
      "A run was interrupted before it changed anything. Run carryover recover to remove what it left."
    case .foreign(let run, let reason):
      "Run \(DisplayText.harmless(run)) came with the container; \(reason.phrase). Decide with carryover recover --adopt "
        + "or --discard."
    case .failed(_, let error): error.description
    case .changed(let run, let place):
      "\(DisplayText.quoted(place.key)) in \(DisplayText.quoted(place.file)) changed after run "
        + "\(DisplayText.harmless(run)), the last that wrote it."
    case .unreadable(let run, let path, let reason):
      "\(DisplayText.quoted(path)) changed after run \(DisplayText.harmless(run)) and cannot be read. "
        + DisplayText.harmless(reason)
    }
  }

  /// The word for the problem in JSON output.
  package var code: String {
    switch self {
    case .interrupted: "interrupted"
    case .leftovers: "leftovers"
    case .foreign: "came-along"
    case .failed: "damaged"
    case .changed, .unreadable: "changed"
    }
  }

  /// The id of the run; nil if it is unknown.
  package var run: String? {
    switch self {
    case .interrupted(let run), .foreign(let run, _), .changed(let run, _), .unreadable(let run, _, _): run
    case .failed(let run, _): run
    case .leftovers: nil
    }
  }

  /// The key that has changed; nil for other problems.
  package var place: KeyPlace? {
    if case .changed(_, let place) = self { place } else { nil }
  }
}
