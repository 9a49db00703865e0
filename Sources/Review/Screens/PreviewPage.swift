import Carryover
import PropertyLists
import Terminal

extension PageWriter {
  /// The exact change, what is left out and why, and where the way back is.
  mutating func preview(_ state: ReviewState) {
    let plan = state.plan
    obstacles(state)
    if let target = plan.target {
      let verb = state.pendingChanges.isEmpty ? "unchanged" : target.exists ? "changed" : "created"
      heading("Files")
      add(
        [Span(verb + "  ", state.pendingChanges.isEmpty ? .muted : .changed), Span(ink.text(target.path), .value)],
        indent: 2)
      changes(state.pendingChanges)
      let unchanged = plan.fields.count { field in
        field.resolution(state.decisions[field.id]) == .leave(.unchanged)
      }
      if unchanged > 0 {
        words("\(unchanged) \(unchanged == 1 ? "key" : "keys") already as it should be", .muted, indent: 4)
      }
      if target.exists { words("Every other key of the file stays as it is.", .muted, indent: 4) }
    }
    leftOut(state)
    if !plan.dropped.isEmpty {
      heading("Left behind \(plan.dropped.count)")
      leftBehind(plan.dropped)
    }
    guard state.readOnly == nil else { return }
    heading("Backup")
    words("Before anything is written, the files' bytes go to:", indent: 2)
    add([Span(ink.text(state.backupLocation), .value)], indent: 2, exact: true)
    words("\(state.options.key("roll-back", Screen.review)) takes the run back.", .muted, indent: 2)
  }

  /// What stands in the way of the apply, or what the key to it is.
  private mutating func obstacles(_ state: ReviewState) {
    guard state.applyObstacle != nil else {
      add([
        Span("Nothing is written yet. ", .plain), Span(state.options.key("apply-this", Screen.preview), .key),
        Span(" applies this change.", .plain),
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
      words("There is nothing to write: the target already holds every value that is to be carried over.")
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

  private mutating func changes(_ changes: [KeyChange]) {
    let names = min(
      columns / 3,
      changes.reduce(8) { width, change in
        width >= 40 ? width : max(width, min(40, DisplayWidth.columns(of: ink.name(change.key, columns: 40))))
      })
    for change in changes {
      if let before = change.before { side("-", change.key, before, names: names, .removed) }
      if let after = change.after { side("+", change.key, after, names: names, .added) }
    }
  }

  private mutating func side(_ sign: String, _ key: String, _ value: PropertyListValue, names: Int, _ role: Role) {
    let name = ink.name(key, columns: names)
    let gap = String(repeating: " ", count: max(0, names - DisplayWidth.columns(of: name)) + 2)
    let kind = value.kind.word
    let kindGap = String(repeating: " ", count: max(0, 7 - kind.utf8.count) + 2)
    let shown = ink.whole(value)
    let hanging = min(columns / 2, 4 + 2 + names + 2 + max(7, kind.utf8.count) + 2)
    add(
      [Span(sign + " " + name + gap, role), Span(kind + kindGap, .muted), Span(shown, role)], indent: 4,
      hanging: hanging, exact: true)
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
    case (.leave(.absent), _): "absent from the legacy store"
    case (.leave, _): ChangeSummary.proposal(field)
    }
  }
}
