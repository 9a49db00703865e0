import Carryover
import CarryoverPages
import CarryoverTerminal

extension ScreenContent<ReviewState> {
  static var result: ScreenContent { text(.result, back: .out) { $0.result($1) } }
  static var failure: ScreenContent { text(.failure, back: .out) { $0.failure($1.pages.failure) } }
}

extension PageWriter {
  mutating func result(_ state: ReviewState) {
    guard let report = state.pages.report else { return }
    switch (report.kind, report.runID) {
    case (.apply, .some(let id)):
      add([Span("Applied", .confirmed), Span("  run ", .muted), Span(ink.name(id), .value)])
    case (.apply, nil): words("Nothing was written: the target had every value.")
    case (.cleanup, let id):
      add([Span("Cleaned up", .confirmed)] + (id.map { [Span("  run ", .muted), Span(ink.name($0), .value)] } ?? []))
    case (.rollback, let id):
      add(
        [Span("Rolled back", .confirmed)]
          + (report.rolledBack.map { [Span("  run ", .muted), Span(ink.name($0), .value)] } ?? [])
          + (id.map { [Span("  as run ", .muted), Span(ink.name($0), .value)] } ?? []))
    }
    if !report.recovered.isEmpty {
      heading("Interrupted runs, recovered first")
      recovered(report.recovered)
    }
    fieldOutcomes(report.outcomes)
    if !report.files.isEmpty {
      heading("Files \(report.files.count)")
      for file in report.files { add([Span(ink.text(file), .value)], indent: 2) }
      // A rollback removes a file that its run had created.
      let planned = report.kind == .rollback ? "is as planned" : "contains the planned values"
      let which = report.files.count == 1 ? "the file" : "each file"
      words("Verified: \(which) \(planned); nothing else in it changed.", .muted, indent: 2)
    }
    if report.synchronizations > 0 {
      blank()
      let calls = counted(report.synchronizations, "fsync call")
      words("Carryover flushed the backup, the record and the files to disk: \(calls).", .muted)
    }
    guard let id = report.runID else { return }
    heading("Rolling back")
    let history = Span(state.key("history", .result), .key)
    switch report.kind {
    case .apply, .cleanup:
      words("Backup and record:", indent: 2)
      add([Span(ink.text("\(state.backupLocation)/\(id)"), .value)], indent: 2, exact: true)
      if report.kind == .apply, state.pages.lastRun?.id == id {
        add([Span(state.key("roll-back", .result), .key), Span(" previews the rollback of this run.")], indent: 2)
      }
      add(
        [
          history,
          Span(" shows the runs; \(state.key("open", .history)) there opens one, where you can roll back single keys."),
        ], indent: 2)
    case .rollback: add([history, Span(" shows the runs.")], indent: 2)
    }
  }

  private mutating func fieldOutcomes(_ outcomes: [FieldOutcome]) {
    guard !outcomes.isEmpty else { return }
    heading("Fields \(outcomes.count)")
    let names = nameColumns(outcomes.lazy.map(\.field), part: 2)
    for outcome in outcomes {
      let name = ink.name(outcome.field, columns: names)
      let ending = outcome.told
      add(
        [
          Span(ink.sign(ending.sign) + " ", ending.role), Span(name.padded(names), .label),
          Span(ending.word.padded(12), ending.role), Span(ink.sentence(outcome.reason ?? ""), .muted),
        ], indent: 2, hanging: 4 + names + 2)
    }
  }
}
