import Carryover
import CarryoverTerminal
import PropertyLists

extension PageWriter {
  /// What was decided for a field, in order: "accepted, then edited to 41".
  mutating func decided(_ field: Field, _ history: History) {
    let (decisions, isCut) = Self.decisions(for: field.id, history)
    guard !decisions.isEmpty else { return }
    var spans: [Span] = isCut ? [Span(ink.words("…, then "), .muted)] : []
    for (index, decision) in decisions.enumerated() {
      if index > 0 { spans.append(Span(", then ", .muted)) }
      switch decision {
      case nil: spans.append(Span("undone", .muted))
      case .edit(let value):
        spans.append(Span("edited: ", .edited))
        spans.append(Span(ink.value(value, columns: 40), .value))
      case let decision:
        let state = FieldState(field, decision)
        spans.append(Span(ink.words(state.word), state.role))
      }
    }
    row("Decided", width: Self.detailLabels, spans)
  }

  /// The newest decisions for a field, the oldest of them first. Looks at a bounded number of changes: one key may have
  /// decided any number of fields.
  private static func decisions(for id: Field.ID, _ history: History) -> (decisions: [Decision?], isCut: Bool) {
    var (found, budget): ([Decision?], Int) = ([], 10_000)
    for step in history.done.reversed() {
      budget -= step.changes.count
      guard budget > 0, found.count < 8 else { return (found.reversed(), !found.isEmpty) }
      for change in step.changes.reversed() where change.field.hasSameBytes(as: id) { found.append(change.after) }
    }
    return (found.reversed(), false)
  }
}
