import Carryover
import CarryoverTerminal

extension ScreenContent<ReviewState> {
  /// How a run ended.
  static var result: ScreenContent {
    text(.result, back: .out) {
      $0.result($1)
      $0.operationsHint($1)
    }
  }

  /// What went wrong.
  static var failure: ScreenContent {
    text(.failure, back: .out) {
      $0.failure($1.failure)
      $0.failedStep($1)
    }
  }
}

extension PageWriter {
  /// How the last run ended.
  mutating func result(_ state: ReviewState) {
    guard let report = state.report else { return }
    switch (report.kind, report.runID) {
    case (.apply, .some(let id)):
      add([Span("Applied", .confirmed), Span("  run ", .muted), Span(ink.name(id), .value)])
    case (.apply, nil):
      words("Nothing had to be written: the target already held every value.")
    case (.cleanup, let id):
      add(
        [Span("Cleaned up", .confirmed)] + (id.map { [Span("  run ", .muted), Span(ink.name($0), .value)] } ?? []))
    case (.rollback, let id):
      add(
        [Span("Rolled back", .confirmed)]
          + (report.rolledBack.map { [Span("  run ", .muted), Span(ink.name($0), .value)] } ?? [])
          + (id.map { [Span("  as run ", .muted), Span(ink.name($0), .value)] } ?? []))
    }
    if !report.recovered.isEmpty {
      heading("Interrupted before, brought to an end first")
      recovered(report.recovered)
    }
    fieldOutcomes(report.outcomes)
    if !report.files.isEmpty {
      heading("Files \(report.files.count)")
      for file in report.files { add([Span(ink.text(file), .value)], indent: 2) }
      words(
        report.files.count == 1
          ? "It was read back: it holds what was meant, and nothing else in it has changed."
          : "Each was read back: it holds what was meant, and nothing else in it has changed.", .muted, indent: 2)
    }
    if report.synchronizations > 0 {
      blank()
      words(
        "Backup, record and files were flushed to the disk (fsync), \(report.synchronizations) times in all.", .muted)
    }
    guard let id = report.runID else { return }
    heading("The way back")
    let history = Span(state.key("history", .result), .key)
    switch report.kind {
    case .apply, .cleanup:
      words("The files as they were:", indent: 2)
      add([Span(ink.text("\(state.backupLocation)/\(id)/before"), .value)], indent: 2, exact: true)
      if report.kind == .apply, state.lastRun?.id == id {
        add(
          [
            Span(state.key("roll-back", .result), .key),
            Span(" takes all of this run back, after a question."),
          ], indent: 2)
      }
      add(
        [history, Span(" shows the runs: \(state.key("open", .history)) opens one, to take single keys of it back.")],
        indent: 2)
    case .rollback:
      add([history, Span(" shows the runs. This one is among them, and can be taken back too.")], indent: 2)
    }
  }

  private mutating func fieldOutcomes(_ outcomes: [FieldOutcome]) {
    guard !outcomes.isEmpty else { return }
    heading("Fields \(outcomes.count)")
    let names = min(
      columns / 2,
      outcomes.reduce(8) { width, outcome in
        width >= 40 ? width : max(width, DisplayWidth.columns(of: ink.name(outcome.field, columns: 40)))
      })
    for outcome in outcomes {
      let name = ink.name(outcome.field, columns: names)
      let word = outcome.outcome.rawValue
      add(
        [
          Span(outcome.outcome.mark(ink.glyphs) + " ", outcome.outcome.role), Span(name.padded(names), .label),
          Span(word.padded(9), outcome.outcome.role), Span(ink.sentence(outcome.reason ?? ""), .muted),
        ], indent: 2, hanging: 4 + names + 2)
    }
  }
}

extension Outcome {
  /// The mark in front of an outcome.
  func mark(_ glyphs: Glyphs) -> String {
    switch self {
    case .migrated, .restored: FieldState.confirmed.mark(glyphs)
    case .unchanged: FieldState.unchanged.mark(glyphs)
    case .absent: FieldState.absent.mark(glyphs)
    case .skipped: FieldState.skipped.mark(glyphs)
    case .dropped: FieldState.dropped.mark(glyphs)
    case .conflict: FieldState.conflict.mark(glyphs)
    case .failed: "!"
    }
  }

  /// What the mark and the word are.
  var role: Role {
    switch self {
    case .migrated, .restored: .confirmed
    case .unchanged, .absent, .skipped, .dropped: .skipped
    case .conflict: .conflict
    case .failed: .error
    }
  }
}
