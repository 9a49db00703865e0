import Carryover
import CarryoverTerminal

extension PageWriter {
  /// The exact change, what is left out and why, and where the way back is.
  mutating func preview(_ state: ReviewState) {
    let plan = state.plan
    obstacles(state)
    counts(state.tally)
    if let target = plan.target { previewFile(target, state) }
    leftOut(state)
    if !plan.dropped.isEmpty {
      heading("Left behind \(plan.dropped.count)")
      leftBehind(plan.dropped)
    }
    guard state.readOnly == nil, plan.target != nil, !state.pendingChanges.isEmpty else { return }
    heading("Backup")
    words("Before anything is written, the files' bytes go to:", indent: 2)
    add([Span(ink.text(state.backupLocation), .value)], indent: 2, exact: true)
    let all = state.options.key("roll-back", Screen.review)
    let single = state.options.key("history", Screen.review)
    words(
      "\(all) takes all of the run back, \(single) also single keys of it, as long as it has not been pruned.", .muted,
      indent: 2)
  }

  /// What stands in the way of the apply, or what the key to it is.
  private mutating func obstacles(_ state: ReviewState) {
    guard state.applyObstacle != nil else {
      add([
        Span("Nothing is written yet. ", .plain), Span(state.options.key("apply-this", Screen.preview), .key),
        Span(" applies this change; nothing else does.", .plain),
      ])
      return
    }
    if let readOnly = state.readOnly { return words(readOnly, .flagged) }
    if !state.blockers.isEmpty || state.tally.waiting > 0 || state.plan.target == nil {
      words("This cannot be applied yet.", .flagged)
      for blocker in state.blockers {
        blank()
        finding(blocker)
      }
      if state.plan.target == nil {
        words(
          "The target cannot be named: bundle id or write key are unknown. Give --bundle-id or --write-key.", indent: 2)
      }
      undecided(state)
    } else {
      let isLeftOut = state.plan.fields.contains { Self.reason($0, state.decisions[$0.id]) != nil }
      words(
        isLeftOut
          ? "There is nothing to write. Why, stands below field by field."
          : "There is nothing to write: the target already holds every value that is to be carried over.")
    }
  }

  private mutating func undecided(_ state: ReviewState) {
    let waiting = state.plan.undecided(state.decisions)
    guard !waiting.isEmpty else { return }
    blank()
    let names = waiting.prefix(100).map { ink.name($0.id, columns: 60) }.joined(separator: ", ")
    let more = waiting.count > 100 ? " and \(waiting.count - 100) more" : ""
    add(
      [
        Span("Undecided \(waiting.count): ", .flagged), Span(names + more, .label), Span(". ", .plain),
        Span(state.options.key("next", Screen.preview), .key), Span(" goes to the first.", .plain),
      ])
    let hidden = state.hiddenWaitingCount
    guard hidden > 0 else { return }
    words(
      hidden == waiting.count
        ? "The filter hides \(hidden == 1 ? "it" : "them"); n leaves the filter."
        : "The filter hides \(hidden) of them; n goes through those listed first.", .muted)
  }

  private mutating func leftOut(_ state: ReviewState) {
    var isFirst = true
    for field in state.plan.fields {
      guard let reason = Self.reason(field, state.decisions[field.id]) else { continue }
      if isFirst { heading("Not written") }
      isFirst = false
      let standing = FieldState(field, state.decisions[field.id])
      add(
        [
          Span(standing.mark(ink.glyphs) + " ", standing.role), Span(ink.name(field.id, columns: 40) + "  ", .label),
          Span(ink.sentence(reason), .plain),
        ], indent: 2, hanging: 4)
    }
  }

  private static func reason(_ field: Field, _ decision: Decision?) -> String? {
    switch (field.resolution(decision), decision) {
    case (.write, _), (.leave(.unchanged), nil), (.leave(.unchanged), .migrate), (.leave(.unchanged), .edit): nil
    case (.undecided(let conflict), _):
      conflict ? "undecided: the target holds another value" : "undecided"
    case (.leave, .skip): "skipped, by decision"
    case (.leave, .keep): "the target's own value is kept, by decision"
    case (.leave(.absent), _): field.absence
    case (.leave, _): ChangeSummary.proposal(field)
    }
  }
}
