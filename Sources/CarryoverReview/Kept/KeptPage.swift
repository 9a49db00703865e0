import Carryover
import CarryoverTerminal
import PropertyLists

extension ScreenContent<ReviewState> {
  /// The offer of an earlier review's decisions.
  static var kept: ScreenContent {
    text(.kept, back: Back(label: "later", help: "Decide later; the decisions are offered again the next time.")) {
      $0.kept($1)
    }
  }

  /// The question before leaving decisions that are not applied.
  static var quit: ScreenContent {
    text(
      .quit, back: Back(label: "stay", help: "Go back to the review.")
    ) { $0.quit($1) }.with {
      $0.isRead = true
      $0.question = { state in
        let answers = "\(state.key("quit", .quit)) or \(state.key("stay", .quit))"
        return (state.keepingObstacle == nil ? "Quit? Decisions are saved. " : "Quit and lose the decisions? ")
          + answers
      }
    }
  }
}

extension PageWriter {
  /// The offer to take up the decisions of an earlier review.
  mutating func kept(_ state: ReviewState) {
    guard let kept = state.kept else { return }
    let key = { (name: String) in Span(state.key(name, .kept), .key) }
    let moment = MomentText.both(kept.moment, offset: state.options.zoneOffset)
    words("\(counted(kept.count, "unapplied decision")) from \(moment).")
    if let warning = kept.warning { words(warning, .flagged) }
    blank()
    if kept.decisions.isEmpty {
      words("None of them applies any more.", .flagged)
      add([key("forget"), Span(" discards them, "), key("later"), Span(" continues.")])
    } else {
      add([
        key("use-saved"), Span(" restores what still applies, "), key("forget"), Span(" discards everything, "),
        key("later"), Span(" asks again next time. Nothing is written."),
      ])
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

  /// How many are named; a container may have had any number.
  private static let mostKept = 200

  /// The question before leaving, where decisions are not applied.
  mutating func quit(_ state: ReviewState) {
    let key = { (name: String) in Span(state.key(name, .quit), .key) }
    let count = state.unappliedCount
    let (are, them) = count == 1 ? ("is", "it") : ("are", "them")
    if let obstacle = state.keepingObstacle {
      words("The decisions cannot be saved here. \(obstacle)", .flagged)
      blank()
      words("Quit and lose \(counted(count, "decision"))?")
    } else {
      words(
        "\(counted(count, "unapplied decision")) \(are) saved for the next review of this container.")
    }
    let waiting = state.tally.waiting
    if waiting > 0 { words("\(counted(waiting, "field")) \(waiting == 1 ? "is" : "are") undecided.", .muted) }
    blank()
    if state.keepingObstacle == nil {
      add([
        key("quit"), Span(" quits, "), key("quit-and-forget"), Span(" quits and discards \(them), "), key("stay"),
        Span(" stays."),
      ])
    } else {
      add([key("quit"), Span(" quits and discards \(them), "), key("stay"), Span(" stays.")])
    }
  }
}
