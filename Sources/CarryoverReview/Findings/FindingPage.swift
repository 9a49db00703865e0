import Carryover
import CarryoverTerminal
import PropertyLists

extension PageWriter {
  private static let labels = 12

  /// Everything about a finding: what it says here, where it was met, and all that is known about findings of its kind.
  mutating func finding(_ state: ReviewState) {
    guard let finding = state.findingList.selected else { return words("There is nothing to explain here.") }
    self.finding(finding, state.remedy(of: finding))
    blank()
    words(finding.code.standing, finding.severity.role, indent: 2)
    place(of: finding, state)
    heading("In general")
    for part in finding.code.explanation.parts {
      blank()
      add([Span(ink.words(part.title), .label)], indent: 2)
      words(part.text, indent: 4)
    }
  }

  /// Where it was met: the field, the key and the store it comes from.
  private mutating func place(of finding: Finding, _ state: ReviewState) {
    heading("In this container")
    guard let id = finding.field, let position = state.positions[id] else {
      return words("It is about the container, not about one field.", indent: 2)
    }
    let field = state.plan.fields[position]
    let decision = state.decisions[id]
    let standing = FieldState(field, decision)
    row(
      "Field", width: Self.labels,
      [
        Span(ink.name(id) + "  ", .value), Span(ink.sign(standing.sign) + " ", standing.role),
        Span(ink.words(standing.word), standing.role),
      ], indent: 2)
    if let source = finding.source ?? field.origin?.source {
      row("Legacy key", width: Self.labels, [Span(ink.name(source.label), .value)], indent: 2)
    }
    if let store = field.origin?.store {
      row("Store", width: Self.labels, [Span(ink.text(store), .value)], indent: 2)
    }
    row("Legacy", width: Self.labels, [Span(ink.value(field.legacy, columns: columns), .value)], indent: 2)
    row("Proposed", width: Self.labels, [Span(ink.value(field.proposed, columns: columns), .value)], indent: 2)
    if field.current != nil {
      row("Target now", width: Self.labels, [Span(ink.value(field.current, columns: columns), .value)], indent: 2)
    }
  }
}
