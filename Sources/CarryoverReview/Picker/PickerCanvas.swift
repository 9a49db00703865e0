import Carryover
import CarryoverTerminal

extension Canvas where State == PickerState {
  /// The containers, a row each.
  mutating func drawList() {
    let title = ["Which container?", state.order.words].compactMap(\.self).joined(separator: TitleCount.separator)
    grid.frame(
      Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2), title: ink.words(title),
      titleStyle: Style(.title))
    let columns = CandidateColumns(size, state.widths, hasStates: state.isPlanning)
    let head = state.rows.lowerBound - 1
    for (title, range) in [
      ("App", columns.app), ("Name", columns.name), ("State", columns.state), ("Form", columns.form),
      ("Files", columns.files), ("Path", columns.path),
    ] where !range.isEmpty {
      field(title, row: head, columns: range, Style(.muted))
    }
    for (offset, line) in state.rows.enumerated() {
      let row = state.topRow + offset
      guard state.shown.indices.contains(row) else { break }
      draw(state.shown[row], row: line, columns)
    }
    if state.shown.isEmpty {
      field(
        ink.words(state.emptyWords), row: state.rows.lowerBound, columns: 2..<(size.columns - 2), Style(.muted))
    } else if state.shown.count > state.rows.count, let row = state.row {
      drawPlace("\(row + 1) of \(state.shown.count)", row: size.rows - 2)
    }
  }

  private mutating func draw(_ number: Int, row: Int, _ columns: CandidateColumns) {
    let candidate = state.candidates[number]
    let isSelected = number == state.cursor
    let style = Style(.label, selected: isSelected)
    field(isSelected ? ink.pointer : " ", row: row, columns: 1..<2, style)
    field(
      candidate.bundleID.map { ink.name($0, columns: columns.app.count) } ?? "unknown", row: row,
      columns: columns.app, style)
    let name = candidate.ownName.map { ink.name($0, columns: columns.name.count) }
    // Without a column of its own, the path stands where there is no name.
    let place = columns.path.isEmpty ? candidate.place : ""
    field(name ?? ink.tail(place, columns: columns.name.count), row: row, columns: columns.name, Style(.value))
    if let sign = columns.state.first {
      let state = state.states[number]
      field(ink.sign(state.sign), row: row, columns: (sign - 2)..<(sign - 1), Style(state.role))
      field(ink.words(state.words(columns: columns.state.count)), row: row, columns: columns.state, Style(state.role))
    }
    field(candidate.kind.rawValue, row: row, columns: columns.form, Style(.muted))
    field(
      candidate.filesText, row: row, columns: columns.files, Style(candidate.missing > 0 ? .flagged : .muted))
    field(ink.tail(candidate.path, columns: columns.path.count), row: row, columns: columns.path, Style(.muted))
  }
}
