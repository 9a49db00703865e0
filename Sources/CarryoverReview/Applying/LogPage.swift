import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal

extension Screen {
  static let log = Screen("log", "Log")
}

extension ScreenContent<ReviewState> {
  /// Opens at its end: the newest entry is the last.
  static var log: ScreenContent {
    text(.log, keys: logKeys) { $0.log($1) }.with { $0.opened = { $0.stack.pageTop = .max } }
  }

  private static var logKeys: [KeyBinding<ReviewState>] {
    [
      KeyBinding(
        [.character("L")], "log", "Show the log of this review.", in: [.result, .failure], .seeing, hint: 2,
        opens: .log),
      KeyBinding(
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

/// The times of an entry; a narrow page has only one.
private struct LogColumns {
  static let kindWidth = 8
  let offset: Int
  let isWide: Bool

  init(offset: Int, columns: Int) {
    self.offset = offset
    isWide = columns >= 90
  }

  /// Follows the day.
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

  /// The part behind the day.
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
