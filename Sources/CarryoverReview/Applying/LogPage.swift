import Carryover
import CarryoverSystem
import CarryoverTerminal

extension Screen {
  /// What was done so far.
  static let log = Screen("log", "Log")
}

extension ScreenContent<ReviewState> {
  /// What was done so far, from its end: the newest entry is the last.
  static var log: ScreenContent {
    text(.log, keys: logKeys) { $0.log($1) }.with {
      $0.opened = { state in
        state.logView.chosen = max(0, state.log.groups.count - 1)
        state.stack.pageTop = .max
      }
      $0.chosen = Chosen(
        number: { $0.logView.chosen },
        select: { $0.logView.chosen = max(0, min($1, $0.log.groups.count - 1)) })
      $0.summary = { state, ink in
        let groups = state.log.groups
        guard let entry = groups.element(state.logView.chosen)?.last else { return "" }
        return ink.words("At entry \(state.logView.chosen + 1) of \(groups.count): ") + ink.sentence(entry.text)
      }
    }
  }

  private static var logKeys: [KeyBinding<ReviewState>] {
    [
      KeyBinding(
        [.enter], "unfold", "Show every file operation of the run (again: hide them).", in: [.log],
        .seeing, hint: 1, unless: { $0.unfoldObstacle }
      ) { $0.unfoldRun() },
      KeyBinding(
        [.character("L")], "log", "Show the log of this review, with every file operation.", in: [.result, .failure],
        .seeing, hint: 2, opens: .log),
      KeyBinding(
        [.character("L")], "log", "Show the log of this review.",
        in: [.review, .details, .warnings, .preview, .history, .run, .rollback, .recipes, .finding], .seeing,
        opens: .log),
    ]
  }
}

extension ReviewState {
  fileprivate var unfoldObstacle: String? {
    let group = log.groups.element(logView.chosen)
    return (group?.count ?? 0) > 1 ? nil : "There is nothing to unfold here."
  }

  fileprivate mutating func unfoldRun() -> [ReviewEffect] {
    guard let run = log.groups.element(logView.chosen)?.first?.run else { return [.bell] }
    logView.toggle(run)
    stack.revision += 1
    refreshPage()
    reveal(anchor: logView.chosen)
    return []
  }
}

extension PageWriter {
  /// What was done so far, the newest last: of a run how it ended, with its steps below where they are asked for.
  mutating func log(_ state: ReviewState) {
    let log = state.log
    guard !log.entries.isEmpty else {
      return words("Nothing has been done yet. Decisions, runs and what they do to files are listed here.", .muted)
    }
    let columns = LogColumns(offset: state.options.zoneOffset, columns: self.columns)
    if log.droppedCount > 0 { words("… \(log.droppedCount) older entries were dropped.", .muted) }
    var day: Substring?
    for group in log.groups {
      guard let entry = group.last else { continue }
      let text = entry.moment.map { MomentText.text($0) }
      let today = text?.prefix { $0 != " " }
      if let today, today != day {
        day = today
        heading(today + " " + columns.title)
      }
      anchor()
      let isUnfolded = state.logView.isUnfolded(group)
      let files = group.count { $0.kind == .file }
      self.entry(
        entry, mark: group.count < 2 ? " " : isUnfolded ? "-" : "+",
        more: files == 0 ? "" : counted(files, "file operation"), columns)
      if isUnfolded { for step in group.dropLast() { self.entry(step, mark: " ", more: "", columns, isStep: true) } }
    }
  }

  /// - Parameters:
  ///   - mark: Whether it can be unfolded, or is.
  ///   - more: What is folded in it.
  private mutating func entry(
    _ entry: ActivityLog.Entry, mark: String, more: String, _ columns: LogColumns, isStep: Bool = false
  ) {
    let times = columns.times(entry.moment)
    let margin = isStep ? "  " : ""
    add(
      [
        Span(mark + " ", .muted), Span(times, .muted),
        Span(margin + entry.kind.word.padded(LogColumns.kindWidth), entry.kind.role),
        Span(ink.sentence(entry.text), entry.kind == .failure ? .error : isStep ? .muted : .plain),
      ] + (more.isEmpty ? [] : [Span(ink.words(" · " + more), .muted)]),
      hanging: times.utf8.count + LogColumns.kindWidth + 4 + margin.utf8.count)
  }

  /// Where what a run did to files can be read.
  mutating func operationsHint(_ state: ReviewState) {
    guard !state.operations.isEmpty else { return }
    blank()
    add([
      Span(state.key("log", state.topScreen), .key),
      Span(" shows the \(counted(state.operations.count, "file operation"))."),
    ])
  }

  /// Which step of a run failed, and what was done before it.
  mutating func failedStep(_ state: ReviewState) {
    guard let failed = state.failedOperation, let index = state.operations.lastIndex(of: failed) else { return }
    heading("The step that failed")
    for event in state.operations[max(0, index - 2)..<index] {
      add([Span("  "), Span(ink.sentence(event.description), .muted)], indent: 2, hanging: 4)
    }
    add([Span(ink.sign(.error) + " ", .error), Span(ink.sentence(failed.description))], indent: 2, hanging: 4)
    operationsHint(state)
  }
}

/// The columns of the log, as far as they depend on the width: what is narrow has only one time.
private struct LogColumns {
  static let kindWidth = 8
  let offset: Int
  let isWide: Bool

  init(offset: Int, columns: Int) {
    self.offset = offset
    isWide = columns >= 90
  }

  /// What the times are, behind the day they are of.
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
    text.utf8.count > width
      ? String(text.prefix(width)) : text + String(repeating: " ", count: width - text.utf8.count)
  }
}

extension ActivityLog.Kind {
  /// The word in front of an entry.
  fileprivate var word: String {
    switch self {
    case .decision: "decision"
    case .run: "run"
    case .file: "file"
    case .failure: "failed"
    }
  }

  fileprivate var role: Role {
    switch self {
    case .decision: .edited
    case .run: .confirmed
    case .file: .muted
    case .failure: .error
    }
  }
}
