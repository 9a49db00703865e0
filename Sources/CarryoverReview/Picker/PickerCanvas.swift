import Carryover
import CarryoverTerminal

/// Draws the choice among containers. Pure, and reads only what is visible.
package func render(_ state: PickerState) -> Frame {
  var canvas = PickerCanvas(state)
  canvas.draw()
  return Frame(grid: canvas.grid, cursor: canvas.cursor)
}

/// A grid being drawn from a choice among containers.
struct PickerCanvas: Drawing {
  let state: PickerState
  let ink: Ink
  var grid: Grid
  var cursor: Position?

  init(_ state: PickerState) {
    self.state = state
    ink = Ink(state.options)
    grid = Grid(size: state.size, glyphs: state.options.glyphs)
  }

  mutating func draw() {
    guard state.screen != .tooSmall else {
      return drawTooSmall(leaving: state.options.key("quit", PickerScreen.tooSmall))
    }
    drawTitle()
    if [.help, .helpSearch, .failure].contains(state.screen) {
      drawPage(state.page, from: state.pageTop, title: state.screen.title)
    } else {
      drawList()
    }
    drawFooter()
  }

  private mutating func drawTitle() {
    field("", row: 0, columns: 0..<size.columns, Style(.header))
    let all = counted(state.candidates.count, "container")
    let counts = state.filter == nil ? all : "\(state.shown.count) of \(all)"
    let start = size.columns - counts.utf8.count - 1
    field(counts, row: 0, columns: start..<size.columns, Style(.header))
    let next = 1 + grid.put("Carryover  ", at: Position(column: 1, row: 0), style: Style(.header, bold: true))
    let room = max(0, start - next - 2)
    let place = ink.tail(state.place, columns: room)
    let width = min(room, DisplayWidth.columns(of: place))
    grid.put(place, at: Position(column: next, row: 0), width: width, style: .plain)
  }

  private mutating func drawList() {
    grid.frame(
      Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2), title: "Which container?",
      titleStyle: Style(.title))
    let columns = CandidateColumns(size, state.widths)
    let head = state.rows.lowerBound - 1
    for (title, range) in [
      ("App", columns.app), ("Name", columns.name), ("Form", columns.form), ("Files", columns.files),
      ("Path", columns.path),
    ] where !range.isEmpty {
      field(title, row: head, columns: range, Style(.muted))
    }
    for (offset, line) in state.rows.enumerated() {
      let row = state.top + offset
      guard state.shown.indices.contains(row) else { break }
      draw(state.shown[row], row: line, columns)
    }
    if state.shown.isEmpty {
      field(
        ink.words(state.candidates.isEmpty ? "There is no container here." : "No container holds every word typed."),
        row: state.rows.lowerBound, columns: 2..<(size.columns - 2), Style(.muted))
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
      candidate.bundleID.map { ink.name($0, columns: columns.app.count) } ?? ink.nothing, row: row,
      columns: columns.app, style)
    let name = candidate.ownName.map { ink.name($0, columns: columns.name.count) }
    // Without a column of its own, the path stands where there is no name.
    let place = columns.path.isEmpty ? candidate.place : ""
    field(name ?? ink.tail(place, columns: columns.name.count), row: row, columns: columns.name, Style(.value))
    field(candidate.kind.rawValue, row: row, columns: columns.form, Style(.muted))
    field(
      candidate.filesText, row: row, columns: columns.files, Style(candidate.missing > 0 ? .flagged : .muted))
    field(ink.tail(candidate.path, columns: columns.path.count), row: row, columns: columns.path, Style(.muted))
  }

  private mutating func drawFooter() {
    let row = size.rows - 1
    field("", row: row, columns: 0..<size.columns, .plain)
    let footer = state.footerHints
    if let filter = state.helpFilter, state.screen == .helpSearch {
      cursor = drawHelpLine(filter, footer.hints)
      return
    }
    if state.isTyping, let line = state.filter {
      grid.put("/", at: Position(column: 1, row: row), style: Style(.key))
      cursor = drawLine(line, row: row, columns: 2..<max(8, footer.start - 1))
    } else if let message = state.count.message ?? state.message {
      return drawMessage(message)
    }
    drawHints(footer.hints, from: footer.start)
  }
}
