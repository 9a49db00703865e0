import Carryover

/// The entries of the log about decisions: which fields, and never a value.
enum DecisionLog {
  static func taken(_ changes: [HistoryStep.Change]) -> String {
    "\(words(changes.first?.after)): \(names(changes))"
  }

  static func replayed(_ changes: [HistoryStep.Change], verb: String) -> String { "\(verb): \(names(changes))" }

  private static func words(_ decision: Decision?) -> String {
    switch decision {
    case .migrate, .accept: "Accepted"
    case .skip, .omit: "Skipped"
    case .keep: "Kept the target's value"
    case .edit: "Edited"
    case nil: "Undone"
    }
  }

  /// The first few names, and how many more there are.
  private static func names(_ changes: [HistoryStep.Change]) -> String {
    let shown = changes.prefix(5).map { String($0.field.prefix(80)) }.joined(separator: ", ")
    return changes.count > 5 ? "\(shown) and \(changes.count - 5) more" : shown
  }
}
