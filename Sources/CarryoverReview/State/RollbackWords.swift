import Carryover
import CarryoverVendors
import PropertyLists

extension RollbackDraft.Choice {
  /// The words after a count.
  func words(_ count: Int) -> String {
    switch self {
    case .goesBack: count == 1 ? "goes back" : "go back"
    case .stays: count == 1 ? "stays" : "stay"
    case .undecided: "undecided"
    case .isOverwritten: "put back"
    case .isKept: "kept"
    case .isBack: "back already"
    case .cannot: "out of reach"
    }
  }

  /// What becomes of a key, as a sentence; a value that is lost stands last, where it may be cut.
  /// - Parameter key: The key that chooses.
  func sentence(_ entry: RollbackEntry, key: String) -> String {
    switch self {
    case .goesBack: "It goes back to what it was before the run."
    case .stays: "It stays as it is, as the run left it; \(key) chooses it."
    case .undecided: "Changed since the run, by somebody else. \(key) decides what becomes of it."
    case .isOverwritten:
      "Goes back. Lost with that, what it holds now: \(Self.shown(entry, \.current))"
    case .isKept:
      "Kept. Lost with that, what it was before the run: \(Self.shown(entry, \.before))"
    case .isBack: "It holds what it held before the run already."
    case .cannot: "Its file was changed since and cannot be edited key by key; it stays as it is."
    }
  }

  private static func shown(_ entry: RollbackEntry, _ value: KeyPath<RollbackEntry, PropertyListValue?>) -> String {
    if Secrets.holds(entry.id.key) { return Secrets.standIn }
    return entry[keyPath: value].map { $0.inline(limit: 100) } ?? "nothing, for there is no such key"
  }
}

extension RunKind {
  /// What a run of this kind did, in a word.
  var word: String { rawValue }
}

extension RunStanding {
  /// Whether it holds, in a few words.
  var words: String {
    switch self {
    case .holds: "holds"
    case .partlyTakenBack: "partly taken back"
    case .takenBack: "taken back"
    case .interrupted: "interrupted"
    case .cameAlong: "came along"
    }
  }
}
