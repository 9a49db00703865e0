package import Carryover
import CarryoverPages
package import CarryoverSystem
import CarryoverTerminal

extension Screen {
  static let recovery = Screen("recovery", "Recovery")
  static let kept = Screen("kept", "Saved decisions")
  package static let quit = Screen("quit", "Quit")
}

extension ScreenContent<ReviewState> {
  static var kept: ScreenContent {
    text(.kept, back: Back(label: "later", help: "Decide later; saved decisions are offered again the next time.")) {
      $0.kept($1)
    }
  }

  static var quit: ScreenContent {
    text(.quit, back: Back(label: "stay", help: "Go back to the review.")) { $0.quit($1) }.with {
      $0.isRead = true
      $0.question = { state in
        let answers = "\(state.key("quit", .quit)) or \(state.key("stay", .quit))"
        return (state.pages.keepingObstacle == nil ? "Quit? Decisions are saved. " : "Quit and discard the decisions? ")
          + answers
      }
    }
  }

  static var recovery: ScreenContent {
    text(
      .recovery, back: Back(label: "continue", keys: [.enter, .escape], help: "Open the review, as any key does.")
    ) { $0.recovery($1) }.with {
      $0.isLeftByAnyKey = true
      $0.hasHelp = false
    }
  }
}

extension PageWriter {
  mutating func kept(_ state: ReviewState) {
    guard let kept = state.kept else { return }
    let key = { (name: String) in Span(state.key(name, .kept), .key) }
    let moment = MomentText.both(kept.moment, offset: state.options.zoneOffset)
    if let run = kept.run {
      add([Span(counted(kept.count, "decision") + " of run "), Span(ink.name(run), .value), Span(", rolled back.")])
    } else {
      words("\(counted(kept.count, "unapplied decision")) from \(moment).")
    }
    if let warning = kept.warning { words(warning, .flagged) }
    blank()
    if kept.decisions.isEmpty { words("None of them applies any more.", .flagged) }
    switch (kept.run, kept.decisions.isEmpty) {
    case (nil, true): add([key("forget"), Span(" discards them, "), key("later"), Span(" continues.")])
    case (nil, false):
      add([
        key("use-saved"), Span(" restores what still applies, "), key("forget"), Span(" discards everything, "),
        key("later"), Span(" asks again next time. Nothing is written."),
      ])
    case (_, true): break
    case (_, false): add([key("use-saved"), Span(" restores what still applies. Nothing is written.")])
    }
    fitting(kept, state)
    guard !kept.misfits.isEmpty else { return }
    heading("No longer apply \(kept.misfits.count)")
    let names = kept.misfits.prefix(Self.mostKept).map { ink.name($0, columns: 60) }.joined(separator: ", ")
    add([Span(names + more(kept.misfits.count), .label), Span(": changed since the decision.", .muted)], indent: 2)
  }

  private mutating func fitting(_ kept: KeptReview, _ state: ReviewState) {
    guard !kept.decisions.isEmpty else { return }
    heading("Still apply \(kept.decisions.count)")
    let positions = kept.decisions.keys.compactMap { state.positions[$0] }.sorted()
    let fields = positions.prefix(Self.mostKept).map { state.plan.fields[$0] }
    let names = fields.reduce(8) { max($0, DisplayWidth.columns(of: ink.name($1.id, columns: 40))) }
    for field in fields {
      let decision = kept.decisions[field.id]
      let standing = FieldState(field, decision)
      let name = ink.name(field.id, columns: 40)
      let value = FieldSummary.value(field, decision)
      add(
        [
          Span(ink.sign(standing.sign) + " ", standing.role), Span(name.padded(names), .label),
          Span(standing.word.padded(9), standing.role),
          Span(ink.value(value, columns: max(8, columns - names - 17)), value == nil ? .muted : .value),
        ], indent: 2)
    }
    if positions.count > fields.count { words(more(positions.count), .muted, indent: 4) }
  }

  private func more(_ count: Int) -> String {
    count > Self.mostKept ? " and \(count - Self.mostKept) more" : ""
  }

  /// A container may have any number.
  private static let mostKept = 200

  mutating func quit(_ state: ReviewState) {
    let key = { (name: String) in Span(state.key(name, .quit), .key) }
    let count = state.decided.unappliedCount
    let (are, them) = count == 1 ? ("is", "it") : ("are", "them")
    if let obstacle = state.pages.keepingObstacle {
      words("The decisions cannot be saved here. \(obstacle)", .flagged)
      blank()
      words("Quit and discard \(counted(count, "decision"))?")
    } else {
      words("\(counted(count, "unapplied decision")) \(are) saved for the next review of this container.")
    }
    let waiting = state.tally.waiting
    if waiting > 0 { words("\(counted(waiting, "field")) \(waiting == 1 ? "is" : "are") undecided.", .muted) }
    blank()
    if state.pages.keepingObstacle == nil {
      add([
        key("quit"), Span(" quits, "), key("quit-and-forget"), Span(" quits and discards \(them), "), key("stay"),
        Span(" stays."),
      ])
    } else {
      add([key("quit"), Span(" quits and discards \(them), "), key("stay"), Span(" stays.")])
    }
  }

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

  mutating func recovered(_ runs: [RecoveredRun]) {
    for run in runs {
      let ending = run.ending.shown
      blank()
      add([
        Span("Run "), Span(ink.name(run.id), .value), Span("  \(run.kind.word)  ", .muted),
        Span(ending.word, ending.role),
      ])
      words(ending.sentence, indent: 2)
      for file in run.files.prefix(100) { add([Span(ink.text(file), .value)], indent: 4) }
      if run.files.count > 100 { words("and \(run.files.count - 100) more", .muted, indent: 4) }
    }
  }
}

extension ReviewState {
  /// Below a notice that is already shown.
  mutating func offer(_ review: KeptReview) {
    guard review.count > 0 else { return }
    pages.kept = review
    pages.hasAnsweredKept = false
    guard !stack.screens.contains(.kept) else { return }
    let index = stack.screens.firstIndex(of: .recovery) ?? stack.screens.endIndex
    show(stack.screens[..<index] + [.kept] + stack.screens[index...])
  }

  /// Says once that decisions cannot be saved.
  mutating func note(keepingObstacle reason: String?) {
    guard reason != pages.keepingObstacle else { return }
    pages.keepingObstacle = reason
    if let reason { message = "The decisions cannot be saved here. \(reason)" }
  }

  mutating func answerKept(restores: Bool) {
    guard screen == .kept, let kept else { return emit(.bell) }
    if restores {
      use(kept)
    } else {
      let words = "\(counted(kept.count, "decision")) of \(kept.origin) discarded"
      log.add(.decision, words, at: now)
      message = words + "."
    }
    pages.kept = nil
    if kept.run == nil { pages.hasAnsweredKept = true }
    show([.review])
  }

  /// Offers the decisions of a run that was rolled back, unless those of an earlier review wait for an answer.
  mutating func offerRolledBack() {
    guard let run = pages.rolledBack else { return }
    pages.rolledBack = nil
    guard kept == nil || kept?.run != nil else { return }
    let (decisions, misfits) = run.decisions(for: plan)
    guard !decisions.isEmpty else { return }
    pages.kept = KeptReview(moment: run.moment, decisions: decisions, misfits: misfits)
    pages.kept?.run = run.id
  }

  mutating func use(_ kept: KeptReview) {
    let fitting = kept.decisions.compactMap { id, decision -> (Int, DecisionChange)? in
      guard let position = positions[id], decisions[id] != decision else { return nil }
      return (position, DecisionChange(field: id, before: decisions[id], after: decision))
    }
    .sorted { $0.0 < $1.0 }
    .map(\.1)
    guard !fitting.isEmpty else { return }
    let changes = completed(fitting).changes
    decided.record(changes, in: indexed)
    let words = "\(counted(changes.count, "decision")) of \(kept.origin) restored"
    log.add(.decision, words, at: now)
    goToFirstWaiting()
    message = words + "; \(key("undo", .review)) undoes that."
  }

  mutating func refitKept(from old: IndexedPlan) {
    guard let kept else { return }
    let fitting = kept.decisions.filter { old.isSame($0.key, in: indexed) }
    let gone = kept.decisions.keys.filter { fitting[$0] == nil }
    pages.kept?.decisions = fitting
    pages.kept?.misfits += gone
  }

  /// The user's own decisions of an earlier review, until the offer is answered. Foreign decisions become the user's
  /// own when they are accepted, and those of a run are in its record.
  package var unanswered: Decisions {
    guard let kept, kept.foreign == nil, kept.run == nil else { return [:] }
    return kept.decisions
  }

  /// The decisions to save: those that are not applied, and those of an unanswered offer.
  package var decisionsToKeep: Decisions {
    var decisions = unanswered
    for (id, decision) in self.decisions { decisions[id] = decided.settled[id] == decision ? nil : decision }
    return decisions
  }

  package var kept: KeptReview? { pages.kept }
  package var hasAnsweredKept: Bool { pages.hasAnsweredKept }

  /// Whether the result is a rollback's, and its run's decisions are offered.
  var offersRolledBack: Bool { pages.report?.rolledBack.map { $0 == kept?.run } ?? false }
}

enum KeptKeys {
  static let all: [ReviewKey] = [
    ReviewKey(
      [.character("d")], "decisions", "Show the decisions of the rolled-back run, to restore them.",
      in: [.result],
      .deciding, hint: 1, opens: .kept,
      unless: { $0.offersRolledBack ? nil : "There are no decisions of a rolled-back run." }),
    ReviewKey(
      [.character("y")], "restore", "Restore the saved decisions that still apply; u undoes all of them.",
      in: [.kept], .deciding, hint: 1, name: "use-saved", duty: .confirmation,
      unless: { $0.kept?.decisions.isEmpty == false ? nil : "None of them still applies." }
    ) { $0.answerKept(restores: true) },
    ReviewKey(
      [.character("d")], "discard", "Discard the saved decisions.", in: [.kept], .deciding, hint: 1, name: "forget",
      unless: { $0.kept?.run == nil ? nil : "They stay in the record of the run." }
    ) { $0.answerKept(restores: false) },
    ReviewKey(
      [.character("y")], "quit", "Quit; the decisions are saved for the next time if possible.",
      in: [.quit], .leaving, hint: 1, duty: .confirmation
    ) { $0.emit(.quit) },
    ReviewKey(
      [.character("d")], "quit and discard", "Quit and discard the decisions.", in: [.quit], .leaving, hint: 1,
      name: "quit-and-forget", duty: .confirmation,
      unless: { $0.pages.keepingObstacle == nil ? nil : "They cannot be saved anyway." }
    ) { $0.emit($0.screen == .quit ? .quitForgetting : .bell) },
  ]
}

extension RecoveredRun.Ending {
  fileprivate var shown: (word: String, role: Role, sentence: String) {
    switch self {
    case .finished: ("finished", .confirmed, "Carryover finished it: every file is as planned.")
    case .takenBack:
      ("rolled back", .changed, "Carryover rolled it back: every file is as it was before the run.")
    case .discarded: ("discarded", .skipped, "It had not changed any file. What it had prepared was removed.")
    case .kept: ("kept", .changed, "Every file was kept as it was, as you decided.")
    }
  }
}

/// The saved decisions of an earlier review, offered again.
package struct KeptReview: Hashable, Sendable {
  package var moment: Moment
  /// Those whose fields have not changed.
  package var decisions: Decisions
  package var misfits: [Field.ID]
  /// The reason that they are not the user's own; nil if they are.
  package var foreign: ForeignReason?
  /// The rolled-back run whose decisions they are; nil if they are an earlier review's.
  var run: RunSummary.ID?

  package init(moment: Moment, decisions: Decisions, misfits: [Field.ID] = [], foreign: ForeignReason? = nil) {
    self.moment = moment
    self.decisions = decisions
    self.misfits = misfits
    self.foreign = foreign
  }

  var count: Int { decisions.count + misfits.count }
  var origin: String { run.map { "run \($0)" } ?? "an earlier review" }

  var warning: String? {
    foreign.map { "These decisions may not be yours: the file came with the container, \($0.phrase)." }
  }
}
