import Carryover
import CarryoverPages
package import CarryoverSystem
import CarryoverTerminal

extension Screen {
  static let log = Screen("log", "Log")
}

extension ScreenContent<ReviewState> {
  /// Opens at its end: the newest entry is the last.
  static var log: ScreenContent {
    text(.log, keys: logKeys) { $0.log($1) }.with { $0.opened = { $0.stack.pageTop = .max } }
  }

  private static var logKeys: [ReviewKey] {
    [
      ReviewKey(
        [.character("L")], "log", "Show the log of this review.", in: [.result, .failure], .seeing, hint: 2,
        opens: .log),
      ReviewKey(
        [.character("L")], "log", "Show the log of this review.",
        in: [.review, .details, .warnings, .preview, .history, .run, .rollback, .recipes, .finding], .seeing,
        opens: .log),
    ]
  }
}

extension PageWriter {
  mutating func log(_ state: ReviewState) {
    let log = state.log
    guard !log.entries.isEmpty else {
      return words("Nothing has been done yet. Decisions and runs are listed here.", .muted)
    }
    let columns = LogColumns(offset: state.options.zoneOffset, columns: self.columns)
    if log.droppedCount > 0 { words("… \(log.droppedCount) older entries were dropped.", .muted) }
    var day: Substring?
    for entry in log.entries {
      let today = entry.moment.map { MomentText.text($0) }?.prefix { $0 != " " }
      if let today, today != day {
        day = today
        heading(today + " " + columns.title)
      }
      let times = columns.times(entry.moment)
      add(
        [
          Span(times, .muted), Span(entry.kind.rawValue.padded(LogColumns.kindWidth), entry.kind.role),
          Span(ink.sentence(entry.text), entry.kind == .failure ? .error : .plain),
        ], indent: 2, hanging: times.utf8.count + LogColumns.kindWidth + 4)
    }
  }
}

private struct LogColumns {
  static let kindWidth = 8
  let offset: Int
  let isWide: Bool

  init(offset: Int, columns: Int) {
    self.offset = offset
    isWide = columns >= 90
  }

  var title: String {
    guard offset != 0 else { return "UTC" }
    return isWide
      ? "UTC, then local time (UTC\(MomentText.zone(offset)))" : "UTC; local time is UTC\(MomentText.zone(offset))"
  }

  func times(_ moment: Moment?) -> String {
    let clock = moment.map { Self.clock(MomentText.text($0), milliseconds: isWide) } ?? ""
    var times = Self.fit(clock, isWide ? 12 : 8) + "  "
    if isWide, offset != 0 {
      let local = moment.map { Self.clock(MomentText.seconds($0, offset: offset), milliseconds: false) } ?? ""
      times += Self.fit(local, 8) + "  "
    }
    return times
  }

  private static func clock(_ text: String, milliseconds: Bool) -> String {
    let clock = text.drop { $0 != " " }.dropFirst()
    guard milliseconds else { return String(clock.prefix { $0 != "." }) }
    return clock.contains(".") || clock.isEmpty ? String(clock) : clock + ".000"
  }

  private static func fit(_ text: String, _ width: Int) -> String {
    text.utf8.count > width ? String(text.prefix(width)) : text + String(repeating: " ", count: width - text.utf8.count)
  }
}

extension ActivityLog.Kind {
  fileprivate var role: Role {
    switch self {
    case .decision: .edited
    case .run: .confirmed
    case .failure: .error
    }
  }
}

package struct ActivityLog: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case decision, run
    case failure = "failed"
  }

  package struct Entry: Hashable, Sendable {
    package var moment: Moment?
    package var kind: Kind
    /// A sentence or a part of one. It may name keys and paths, never values.
    package var text: String
  }

  package private(set) var entries: [Entry] = []
  package private(set) var droppedCount = 0
  package static let limit = 5000

  mutating func add(_ kind: Kind, _ text: String, at moment: Moment?) {
    entries.append(Entry(moment: moment, kind: kind, text: text))
    // In blocks: removing the first entry costs the length of the log.
    if entries.count > Self.limit + 500 {
      droppedCount += entries.count - Self.limit
      entries.removeFirst(entries.count - Self.limit)
    }
  }
}

extension ReviewState {
  mutating func noteStart(_ kind: RunKind) {
    switch kind {
    case .rollback: log.add(.run, "You asked to roll back run \(pages.draft?.plan.run.id ?? "?")", at: now)
    default: log.add(.run, "You asked to apply \(counted(pages.preview.changes.count, "key"))", at: now)
    }
  }

  mutating func note(_ result: Result<RunReport, ReviewFailure>) {
    switch result {
    case .failure(let failure): log.add(.failure, failure.message, at: now)
    case .success(let report):
      for run in report.recovered { noteRecovered(run) }
      log.add(.run, Self.sentence(report), at: now)
    }
  }

  mutating func noteRecovered(_ run: RecoveredRun) { log.add(.run, String(run.words.dropLast()), at: now) }

  private static func sentence(_ report: RunReport) -> String {
    guard let id = report.runID else { return "There was nothing to write" }
    let files = report.files.joined(separator: ", ")
    let calls = counted(report.synchronizations, "fsync call")
    let syncs = report.synchronizations > 0 ? "; flushed to disk with \(calls)" : ""
    switch report.kind {
    case .rollback: return "Run \(id) rolled back run \(report.rolledBack ?? "?"): \(files)\(syncs)"
    default:
      let written = report.outcomes.count { $0.outcome == .migrated }
      return "Run \(id) wrote \(counted(written, "key")) to \(files)\(syncs)"
    }
  }
}
