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
