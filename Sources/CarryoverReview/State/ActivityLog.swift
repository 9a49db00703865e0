import Carryover
package import CarryoverSystem

/// What was done in a review, in order: each decision, undo and run, to be read afterwards.
package struct ActivityLog: Hashable, Sendable {
  /// What one entry is about.
  package enum Kind: Hashable, Sendable {
    /// A decision was taken, changed or taken back.
    case decision
    /// Something was asked for and began, or ended well.
    case run
    /// Something failed.
    case failure
  }

  /// One thing that was done.
  package struct Entry: Hashable, Sendable {
    /// When; nil where nobody told the time.
    package var moment: Moment?
    /// What it is about.
    package var kind: Kind
    /// What happened, as a sentence or a part of one. It may name keys and paths, never values.
    package var text: String
  }

  /// The entries that are kept, the oldest first.
  package private(set) var entries: [Entry] = []
  /// How many older ones were let go.
  package private(set) var droppedCount = 0
  /// How many entries are kept at most.
  package static let limit = 5000

  mutating func add(_ kind: Kind, _ text: String, at moment: Moment?) {
    entries.append(Entry(moment: moment, kind: kind, text: text))
    // In blocks, so that no entry costs the length of the log.
    if entries.count > Self.limit + 500 {
      droppedCount += entries.count - Self.limit
      entries.removeFirst(entries.count - Self.limit)
    }
  }
}

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
