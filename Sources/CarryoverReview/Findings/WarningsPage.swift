import Carryover
import CarryoverTerminal

extension PageWriter {
  /// Every finding, the gravest first, and what is left behind.
  mutating func warnings(_ list: FindingList, _ plan: Plan) {
    if list.findings.isEmpty { words("There is nothing to warn about.") }
    for finding in list.findings {
      blank()
      anchor()
      self.finding(finding)
    }
    let more = plan.containerFindings.count + plan.fields.reduce(0) { $0 + $1.findings.count } - list.findings.count
    if more > 0 {
      blank()
      words("… and \(more) more; each stands in its field's details.", .muted)
    }
    if !plan.dropped.isEmpty {
      heading("Left behind \(plan.dropped.count)")
      keysLeftBehind(plan.dropped)
    }
  }
}

extension Canvas<ReviewState> {
  /// Shows which finding is chosen, over the page: moving from one to the next then draws two lines again, and no page.
  mutating func drawChosenFinding() {
    let layout = PageLayout(size: size)
    let (anchors, index) = (state.page.anchors, state.findingList.index)
    guard anchors.indices.contains(index) else { return }
    let row = layout.rows.lowerBound + anchors[index] - state.pageTop
    guard layout.rows.contains(row), state.page.lines.indices.contains(anchors[index]) else { return }
    let line = state.page.lines[anchors[index]].map { Span($0.text, style: $0.style.selected()) }
    let start = layout.columns.lowerBound
    field(ink.pointer, row: row, columns: (start - 1)..<start, Style(.label, selected: true))
    put(line, row: row, columns: layout.columns)
  }
}
