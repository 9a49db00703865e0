import Carryover
import CarryoverPages
import CarryoverTerminal

/// A rollback that is being prepared, key by key. Its plan never changes, so a row is the same key throughout.
struct RollbackDraft: Sendable {
  let plan: RollbackPlan
  let sdks: [RollbackSDK]
  private(set) var choices: [RollbackChoice]
  private let isOpen: Bool
  /// Whether a file without keys to choose is restored as a whole.
  private let hasFileWithoutKeys: Bool

  /// - Parameter isWhole: whether all keys but conflicts are chosen at first, or none.
  init(_ plan: RollbackPlan, sdks: [RollbackSDK] = [], isWhole: Bool) {
    (self.plan, self.sdks) = (plan, sdks)
    let closed = Set(bytesOf: plan.files.filter(\.isClosed).map(\.id))
    let filesWithKeys = Set(bytesOf: plan.entries.map(\.id.file))
    isOpen = closed.isEmpty
    hasFileWithoutKeys = plan.files.contains { $0.state == .asLeft && !filesWithKeys.contains($0.id) }
    choices = plan.entries.map { entry in
      switch entry.state {
      case .back: .isBack
      case .restorable: closed.contains(entry.id.file) ? .cannot : isWhole ? .goesBack : .stays
      case .conflict: closed.contains(entry.id.file) ? .cannot : .undecided
      }
    }
  }

  subscript(_ choice: RollbackChoice) -> Int { choices.count { $0 == choice } }

  var written: Int { self[.goesBack] + self[.isOverwritten] }
  var isWhole: Bool { isOpen && self[.stays] == 0 }
  var isNothingChosen: Bool { written == 0 && self[.stays] > 0 && self[.undecided] == 0 }

  var obstacle: String? {
    let waiting = self[.undecided]
    if waiting > 0 { return waiting == 1 ? "1 conflict is undecided." : "\(waiting) conflicts are undecided." }
    if written > 0 || (isWhole && hasFileWithoutKeys) { return nil }
    return self[.stays] > 0 || self[.isKept] > 0 ? "No key is chosen." : "There is nothing to roll back."
  }

  var only: Set<KeyPlace>? {
    guard !isWhole else { return nil }
    return Set(zip(plan.entries, choices).lazy.filter { $1 == .goesBack || $1.isDecision }.map(\.0.id))
  }

  var decisions: RollbackDecisions {
    var decisions: RollbackDecisions = [:]
    for (entry, choice) in zip(plan.entries, choices) where choice.isDecision {
      decisions[entry.id] = choice == .isOverwritten ? .restore : .keep
    }
    return decisions
  }

  /// Chooses a key, or the next decision of its conflict; false if there is nothing to choose.
  mutating func choose(_ row: Int) -> Bool {
    guard let next = choices.element(row)?.next else { return false }
    choices[row] = next
    return true
  }

  /// Chooses every key but conflicts, or none if all are chosen.
  mutating func chooseAll() -> Bool {
    let (old, new): (RollbackChoice, RollbackChoice) = self[.stays] > 0 ? (.stays, .goesBack) : (.goesBack, .stays)
    guard self[old] > 0 else { return false }
    for index in choices.indices where choices[index] == old { choices[index] = new }
    return true
  }
}

extension RollbackFile {
  var isClosed: Bool { if case .unreadable = state { true } else { false } }
}

extension RollbackChoice {
  var isDecision: Bool { self == .isOverwritten || self == .isKept }

  fileprivate var next: Self? {
    switch self {
    case .goesBack: .stays
    case .stays: .goesBack
    case .undecided: .isOverwritten
    case .isOverwritten: .isKept
    case .isKept: .undecided
    case .isBack, .cannot: nil
    }
  }

  var sign: Sign {
    switch self {
    case .goesBack, .isOverwritten, .isKept: .done
    case .isBack: .unchanged
    case .stays: .nothing
    case .undecided: .undecided
    case .cannot: .error
    }
  }

  var role: Role {
    switch self {
    case .goesBack: .confirmed
    case .stays, .isBack: .skipped
    case .undecided: .conflict
    case .isOverwritten, .isKept: .edited
    case .cannot: .flagged
    }
  }

  /// What happens to a key, as a sentence. A value that is lost comes last, where it may be cut.
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
