import Carryover
import Terminal

extension PageWriter {
  /// A finding: where and which, what happened, what to do.
  mutating func finding(_ finding: Finding) {
    let severity = finding.severity
    var head = [Span(severity.mark(ink.glyphs) + " ", style: Style(severity.role))]
    if let field = finding.field { head.append(Span(ink.name(field) + "  ", .label)) }
    head.append(Span(ink.words(finding.code.rawValue), .muted))
    add(head, hanging: 2)
    words(finding.message, indent: 2)
    add([Span(ink.words("→ "), .muted), Span(ink.words(finding.remedy))], indent: 2, hanging: 4)
  }

  /// The keys that stay in the legacy store, each with the reason.
  mutating func leftBehind(_ keys: [DroppedKey]) {
    let width = min(columns / 2, (keys.map { DisplayWidth.columns(of: ink.name($0.key, columns: 40)) }.max() ?? 0) + 2)
    for key in keys {
      let name = ink.name(key.key, columns: 40)
      let gap = String(repeating: " ", count: max(1, width - DisplayWidth.columns(of: name)))
      var spans = [Span(name + gap, .label)]
      if key.secret {
        spans.append(Span("(secret)  ", .muted))
      } else if let value = key.value {
        spans.append(Span(ink.value(value, columns: 24) + "  ", .value))
      }
      spans.append(Span(ink.words(key.reason), .plain))
      add(spans, indent: 2, hanging: 2 + width)
    }
  }
}

extension Canvas {
  /// What was observed about the selected field, then about the container, and what is left behind.
  mutating func drawWarnings(_ layout: Layout) {
    let columns = 2..<max(2, size.columns - 2)
    let rows = layout.warningRows
    let own = ownLines(layout.shape, columns: columns.count)
    let shared = sharedLines(columns: columns.count, rows: rows.count)
    // What all fields share keeps its place while the cursor moves: that is quieter, and sends less to the terminal.
    let place = max(rows.count - shared.count, min(6, (rows.count + 1) / 2))
    let start = shared.isEmpty ? rows.count : max(own.count + 1, place)
    for (row, line) in zip(rows, own) { put(line, row: row, columns: columns) }
    for (row, line) in zip(rows.dropFirst(start), shared) { put(line, row: row, columns: columns) }
    let isCut = own.count > rows.count || (!shared.isEmpty && start + shared.count > rows.count)
    guard isCut, let last = rows.last else { return }
    field(ink.words("… w shows the rest"), row: last, columns: columns, Style(.muted))
  }

  private func ownLines(_ shape: Layout.Shape, columns: Int) -> [[Span]] {
    guard let selected = state.selected else { return [] }
    var writer = PageWriter(columns: columns, ink: ink)
    if shape != .wide { writer.heading(of: selected, state.decisions[selected.id], shape) }
    for (index, finding) in selected.findings.enumerated() {
      if index > 0 { writer.blank() }
      writer.finding(finding)
    }
    if selected.findings.isEmpty {
      writer.add([Span("Nothing to warn about in ", .muted), Span(ink.name(selected.id) + ".", .muted)])
    }
    return writer.lines
  }

  /// Only as many lines as could be seen: a container may have any number of findings.
  private func sharedLines(columns: Int, rows: Int) -> [[Span]] {
    var writer = PageWriter(columns: columns, ink: ink)
    for finding in state.plan.containerFindings where writer.lines.count <= rows {
      writer.blank()
      writer.finding(finding)
    }
    if !state.plan.dropped.isEmpty, writer.lines.count <= rows {
      writer.heading("Left behind \(state.plan.dropped.count)")
      writer.leftBehind(Array(state.plan.dropped.prefix(rows)))
    }
    return writer.lines
  }
}

extension PageWriter {
  /// What the list has no room for: the legacy value in the narrow shape, the change in words in both.
  fileprivate mutating func heading(of field: Field, _ decision: Decision?, _ shape: Layout.Shape) {
    let summary = ChangeSummary.text(field, decision)
    guard shape == .narrow else {
      add([Span(ink.name(field.id) + "  ", .label), Span(ink.sentence(summary))])
      return
    }
    let name = ink.name(field.sourceLabel, columns: columns * 6 / 10)
    let room = max(1, columns - DisplayWidth.columns(of: name) - 2)
    add([Span(name + "  ", .label), Span(ink.value(field.legacy, columns: room), .value)])
  }
}
