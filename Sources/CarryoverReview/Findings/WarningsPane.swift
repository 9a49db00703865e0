import Carryover
import CarryoverTerminal

extension ReviewState {
  /// What concerns the selected field, and what the list has no room for.
  /// - Parameter room: How many lines there are for it in brief; nil where the whole text is wanted.
  func ownWarnings(_ shape: Layout.Shape, columns: Int, room: Int?) -> [[Span]] {
    guard let selected else { return [] }
    var writer = PageWriter(columns: columns, ink: Ink(options))
    if shape != .wide { writer.heading(of: selected, decisions[selected.id], shape, isBrief: room != nil) }
    if let room, !selected.findings.isEmpty {
      writer.brief(selected.findings, room: room - writer.lines.count)
      return writer.lines
    }
    for (index, finding) in selected.findings.enumerated() {
      if index > 0 { writer.blank() }
      writer.finding(finding)
    }
    if selected.findings.isEmpty {
      writer.words("Nothing to warn about.", .muted)
    }
    return writer.lines
  }

  /// What concerns the container, and what is left behind.
  /// - Parameter limit: How many lines can be seen; nil where all of them are wanted, up to a bound.
  func sharedWarnings(columns: Int, limit: Int?) -> [[Span]] {
    var writer = PageWriter(columns: columns, ink: Ink(options))
    let most = limit ?? Self.mostWarnings
    let findings = plan.containerFindings
    for (index, finding) in findings.enumerated() where index <= most {
      if let limit, writer.lines.count > limit { return writer.lines }
      if index == 0 { writer.rule("Of the container") } else { writer.blank() }
      writer.finding(finding)
    }
    if !plan.dropped.isEmpty {
      if let limit, writer.lines.count > limit { return writer.lines }
      writer.heading("Left behind \(plan.dropped.count)")
      writer.keysLeftBehind(Array(plan.dropped.prefix(most)))
    }
    if limit == nil, max(findings.count, plan.dropped.count) > most {
      writer.blank()
      writer.words("… and more: \(key("warnings", .review)) shows what else there is.", .muted)
    }
    return writer.lines
  }

  private static let mostWarnings = 1000
}

extension PageWriter {
  /// What the list has no room for: the legacy value in the narrow shape, the change in words in both.
  fileprivate mutating func heading(of field: Field, _ decision: Decision?, _ shape: Layout.Shape, isBrief: Bool) {
    guard shape == .narrow else {
      let summary = ink.sentence(ChangeSummary.text(field, decision))
      guard isBrief else { return add([Span(ink.name(field.id) + "  ", .label), Span(summary)]) }
      return add([Span(DisplayWidth.truncate(summary, columns: columns, glyphs: ink.glyphs).text)])
    }
    let name = ink.name(field.sourceLabel, columns: columns * 6 / 10)
    let room = max(1, columns - DisplayWidth.columns(of: name) - 2)
    add([Span(name + "  ", .label), Span(ink.value(field.legacy, columns: room), .value)])
  }
}

extension PageWriter {
  /// The findings of the field with the cursor, in full.
  mutating func findings(around state: ReviewState) {
    for finding in state.selected?.findings ?? [] { self.finding(finding) }
  }
}
