import Carryover
package import CarryoverSystem

/// What was done in a review, in order: each decision, undo, run and file operation, to be read afterwards.
package struct ActivityLog: Hashable, Sendable {
  /// What one entry is about.
  package enum Kind: Hashable, Sendable {
    /// A decision was taken, changed or taken back.
    case decision
    /// Something was asked for and began, or ended well.
    case run
    /// A file was read, written, renamed or synchronised on behalf of a run.
    case file
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
    /// The number of the run it belongs to; nil for what belongs to none.
    package var run: Int?
  }

  /// The run that is under way, and how many there were.
  private var current: Int?
  private var runs = 0

  /// The entries that are kept, the oldest first.
  package private(set) var entries: [Entry] = []
  /// How many older ones were let go.
  package private(set) var droppedCount = 0
  /// How many entries are kept at most.
  package static let limit = 5000

  /// Lets what is added belong to a run of its own, until that ends.
  mutating func beginRun() {
    runs += 1
    current = runs
  }

  mutating func endRun() { current = nil }

  /// The entries, those of a run together.
  var groups: [ArraySlice<Entry>] {
    var groups: [ArraySlice<Entry>] = []
    var start = entries.startIndex
    while start < entries.endIndex {
      let run = entries[start].run
      var end = start + 1
      while run != nil, end < entries.endIndex, entries[end].run == run { end += 1 }
      groups.append(entries[start..<end])
      start = end
    }
    return groups
  }

  mutating func add(_ kind: Kind, _ text: String, at moment: Moment?) {
    entries.append(Entry(moment: moment, kind: kind, text: text, run: current))
    // In blocks, so that no entry costs the length of the log.
    if entries.count > Self.limit + 500 {
      droppedCount += entries.count - Self.limit
      entries.removeFirst(entries.count - Self.limit)
    }
  }
}

/// What is shown of the log.
struct LogView: Sendable {
  /// The number of the entry, or the run, that is chosen.
  var chosen = 0
  /// The runs that are shown otherwise than at first: with their steps, or, where one failed, without.
  private var changed: Set<Int> = []

  /// Whether every step of a run is shown: at first where one failed.
  func isUnfolded(_ group: ArraySlice<ActivityLog.Entry>) -> Bool {
    guard let run = group.first?.run else { return false }
    return group.contains { $0.kind == .failure } != changed.contains(run)
  }

  mutating func toggle(_ run: Int) { if changed.remove(run) == nil { changed.insert(run) } }
}
