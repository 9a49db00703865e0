package import Carryover
import CarryoverVendors
import PropertyLists

extension RollbackDraft.Choice {
  /// The words after a count.
  var words: String {
    switch self {
    case .goesBack: "to roll back"
    case .stays: "not chosen"
    case .undecided: "undecided"
    case .isOverwritten: "to roll back anyway"
    case .isKept: "to keep"
    case .isBack: "unchanged"
    case .cannot: "cannot be rolled back"
    }
  }

  /// What becomes of a key, as a sentence; a value that is lost stands last, where it may be cut.
  /// - Parameter key: The key that chooses.
  func sentence(_ entry: RollbackEntry, key: String) -> String {
    switch self {
    case .goesBack:
      entry.before == nil
        ? "To roll back: the key was absent before the run, and is removed."
        : "To roll back to its value before the run."
    case .stays: "Not chosen: it stays as the run left it. \(key) chooses it."
    case .undecided: "Changed since the run. \(key) decides: roll back or keep."
    case .isOverwritten:
      entry.current.map { "To roll back, discarding the current value: \(Self.shown($0, of: entry))" }
        ?? "To roll back: the key was removed since the run, and is restored."
    case .isKept:
      entry.before.map {
        "To keep: \(entry.current == nil ? "the key stays absent" : "the current value stays"). "
          + "Its value before the run is not restored: \(Self.shown($0, of: entry))"
      } ?? "To keep: the current value stays. The key was absent before the run."
    case .isBack: "Unchanged: it has its value from before the run."
    case .cannot: "Cannot be rolled back: its file has changed since the run and cannot be edited key by key."
    }
  }

  private static func shown(_ value: PropertyListValue, of entry: RollbackEntry) -> String {
    Secrets.holds(entry.id.key) ? Secrets.standIn : value.inline(limit: 100)
  }
}

extension RunKind {
  /// What a run of this kind did, in a word.
  var word: String { rawValue }
  /// A run of this kind, at the start of a sentence.
  var noun: String { self == .apply ? "Migration" : word.prefix(1).uppercased() + word.dropFirst() }
}

extension RunStanding {
  /// Whether it is in effect, in a few words.
  package var words: String {
    switch self {
    case .holds: "in effect"
    case .partlyTakenBack: "partly rolled back"
    case .takenBack: "rolled back"
    case .interrupted: "interrupted"
    case .cameAlong: "from elsewhere"
    }
  }
}
