import Carryover
import CarryoverTerminal

extension ScreenContent<ReviewState> {
  /// The notice, at the start, of runs that had been interrupted.
  static var recovery: ScreenContent {
    text(
      .recovery,
      back: Back(label: "continue", keys: [.enter, .escape], help: "Open the review, as any key does.")
    ) { $0.recovery($1) }.with {
      $0.isLeftByAnyKey = true
      $0.hasHelp = false
    }
  }
}

extension PageWriter {
  /// What was found interrupted before the review began, and what became of it.
  mutating func recovery(_ state: ReviewState) {
    if let failure = state.recoveryFailure {
      words("An interrupted run could not be recovered. Writing is disabled until it is.", .flagged)
      blank()
      self.failure(failure)
      blank()
    }
    if !state.recovered.isEmpty {
      words(
        state.recovered.count == 1
          ? "An interrupted run was recovered before the review began."
          : "\(state.recovered.count) interrupted runs were recovered before the review began.")
      recovered(state.recovered)
    }
    guard state.options.lineColumns == nil else { return }
    blank()
    add([Span("Any key", .key), Span(" opens the review.")])
  }

  /// Each run that had been interrupted: which, what it was, what became of it, its files.
  mutating func recovered(_ runs: [RecoveredRun]) {
    for run in runs {
      blank()
      add([
        Span("Run "), Span(ink.name(run.id), .value), Span("  \(run.kind.word)  ", .muted),
        Span(run.ending.word, run.ending.role),
      ])
      words(run.ending.sentence, indent: 2)
      for file in run.files.prefix(100) { add([Span(ink.text(file), .value)], indent: 4) }
      if run.files.count > 100 { words("and \(run.files.count - 100) more", .muted, indent: 4) }
    }
  }
}

extension RecoveredRun.Ending {
  fileprivate var word: String {
    switch self {
    case .finished: "finished"
    case .takenBack: "rolled back"
    case .discarded: "discarded"
    case .kept: "kept"
    }
  }

  fileprivate var sentence: String {
    switch self {
    case .finished: "Carryover finished it: every file is as planned."
    case .takenBack: "Carryover rolled it back: every file is as it was before the run."
    case .discarded: "It had not changed any file. What it had prepared was removed."
    case .kept: "Every file was kept as it was, as you decided."
    }
  }

  fileprivate var role: Role {
    switch self {
    case .finished: .confirmed
    case .takenBack, .kept: .changed
    case .discarded: .skipped
    }
  }
}
