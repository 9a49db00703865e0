import Carryover
import CarryoverTerminal
import PropertyLists

extension ScreenContent<ReviewState> {
  /// The offer of an earlier review's decisions.
  static var kept: ScreenContent {
    text(.kept, back: Back(label: "later", help: "Goes on without an answer; they are offered again the next time.")) {
      $0.kept($1)
    }
  }

  /// The question before leaving decisions that are not applied.
  static var quit: ScreenContent {
    text(
      .quit, back: Back(label: "stay", keys: [.character("n"), .escape], help: "Goes back to the review.")
    ) { $0.quit($1) }.with {
      $0.isRead = true
      $0.question = { state in
        let answers = "\(state.key("quit", .quit)) or \(state.key("stay", .quit))"
        return (state.keepingObstacle == nil ? "Quit? Decisions are kept. " : "Quit and lose the decisions? ") + answers
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
    words("\(counted(kept.count, "decision")) of an earlier review, kept at \(moment), not applied.")
    if let warning = kept.warning { words(warning, .flagged) }
    blank()
    if kept.decisions.isEmpty {
      words("None of them fits any more.", .flagged)
      add([key("leave-out"), Span(" leaves them out, "), key("later"), Span(" goes on.")])
    } else {
      add([
        key("take-up"), Span(" takes \(kept.decisions.count == 1 ? "it" : "them") up again, "), key("leave-out"),
        Span(" leaves \(kept.decisions.count == 1 ? "it" : "them") out, "), key("later"),
        Span(" leaves the answer for later. Nothing is applied by it."),
      ])
    }
    fitting(kept, state)
    guard !kept.misfits.isEmpty else { return }
    heading("No longer fit \(kept.misfits.count)")
    words("The container, or what is made of it, changed since: these are to be decided anew.", .muted, indent: 2)
    let names = kept.misfits.prefix(Self.mostKept).map { ink.name($0, columns: 60) }.joined(separator: ", ")
    add([Span(names + more(kept.misfits.count), .label)], indent: 2)
  }

  private mutating func fitting(_ kept: KeptReview, _ state: ReviewState) {
    guard !kept.decisions.isEmpty else { return }
    heading("Still fit \(kept.decisions.count)")
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
          Span(standing.mark(ink.glyphs) + " ", standing.role), Span(name.padded(names), .label),
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
      words("The decisions cannot be kept here. \(obstacle)", .flagged)
      blank()
      words("Quit and lose \(counted(count, "decision"))?")
    } else {
      words(
        "\(counted(count, "decision")) \(are) not applied, and \(are) kept for the next time this container is "
          + "reviewed.")
    }
    let waiting = state.tally.waiting
    if waiting > 0 { words("\(counted(waiting, "field")) \(waiting == 1 ? "is" : "are") still to decide.", .muted) }
    blank()
    if state.keepingObstacle == nil {
      add([
        key("quit"), Span(" quits, "), key("quit-and-forget"), Span(" quits and forgets \(them), "), key("stay"),
        Span(" stays."),
      ])
    } else {
      add([key("quit"), Span(" quits and loses \(them), "), key("stay"), Span(" stays.")])
    }
  }
}
