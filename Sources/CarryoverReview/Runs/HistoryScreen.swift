import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let history = Screen("history", "History")
}

extension ScreenContent<ReviewState> {
  fileprivate static var noRuns: String {
    "Carryover has not written to this container yet. Its runs are listed here, and can be rolled back."
  }

  static var history: ScreenContent {
    drawn(.history, back: .leftward("Go back; nothing is written.")) { $0.drawHistory() }.with {
      $0.empty = { _ in noRuns }
      $0.line = { state, row, ink in
        guard let run = state.runs.rows.element(row) else { return "" }
        let moment = MomentText.both(run.moment, offset: state.zone(of: run))
        return ink.words("\(run.kind.word), \(moment): \(run.standing.words). Run ") + ink.name(run.id) + "."
      }
      $0.texts = { state, row, ink in
        guard let run = state.runs.rows.element(row) else { return [] }
        return run.files.map { ink.text($0) }
          + run.fields.flatMap { $0.values(in: run.kind) }.flatMap { value in
            [ink.name(value.name, isPath: value.isPath)]
              + [value.before, value.after].map { ink.value($0, of: value.key, columns: 200) }
          }
      }
      $0.pane = { writer, state in
        guard let run = state.runs.selected else { return }
        writer.run(run, zone: state.zone(of: run), isBrief: false)
        writer.fields(of: run, atMost: 100)
      }
      $0.scroller = { state, position in
        let layout = state.runsLayout
        if let position, position.row >= layout.dividerRow { return nil }
        return Scroller(state.runs, layout.listRows, 1..<layout.lastColumn) { $0.runs.put($1, top: $2) }
      }
    }
  }
}

extension Canvas<ReviewState> {
  mutating func drawHistory() {
    let layout = state.runsLayout
    let list = state.runs
    let pane = list.selected.map { "Run \($0.id): \($0.fieldWords)" } ?? "No runs"
    drawListFrame(layout, titles: [(0, "History")], pane: pane, row: list.row, of: list.count)
    let columns = RunColumns(layout)
    for (row, _, run) in list.visible(at: layout.listRows) { draw(run, row: row, columns) }
    guard let run = list.selected else {
      field(
        ink.words(ScreenContent.noRuns), row: layout.listRows.lowerBound, columns: 2..<(size.columns - 2),
        Style(.muted))
      return
    }
    var writer = paneWriter
    writer.run(run, zone: state.zone(of: run), isBrief: layout.warningRows.count < 12)
    writer.fields(of: run, atMost: layout.warningRows.count)
    drawPane(
      layout, writer.lines,
      rest: run.obstacle == nil ? "… \(state.key("open", .history)) shows the rest" : "… and more")
  }

  private mutating func draw(_ run: RunSummary, row: Int, _ columns: RunColumns) {
    let isSelected = run.id == state.runs.selected?.id
    let name = Style(.label, selected: isSelected)
    field(isSelected ? ink.pointer : " ", row: row, columns: columns.pointer, name)
    let moment = MomentText.seconds(run.moment, offset: state.zone(of: run))
    field(moment, row: row, columns: columns.moment, name)
    field("", row: row, columns: columns.moment.upperBound..<columns.kind.lowerBound, name)
    field(run.kind.word, row: row, columns: columns.kind, name)
    field(ink.name(run.id, columns: columns.id.count), row: row, columns: columns.id, Style(.value))
    field(ink.words(run.standing.words), row: row, columns: columns.standing, Style(run.standing.role))
    field(counted(run.writtenCount, "field"), row: row, columns: columns.fields, Style(.muted))
    field(counted(run.files.count, "file"), row: row, columns: columns.files, Style(.muted))
    field(run.backup == nil ? "pruned" : "", row: row, columns: columns.pruned, Style(.flagged))
  }
}

extension RunSummary {
  /// The fields in its record: "8 fields", "2 of 8 fields written".
  fileprivate var fieldWords: String {
    let all = counted(fields.count, "field")
    return writtenCount == fields.count ? all : "\(writtenCount) of \(all) written"
  }
}

/// The columns of a run's row; those without room are empty.
private struct RunColumns {
  let pointer = 1..<3
  let moment = 3..<22
  let kind = 24..<32
  let id: Range<Int>
  let standing: Range<Int>
  let pruned: Range<Int>
  let fields: Range<Int>
  let files: Range<Int>

  init(_ layout: Layout) {
    let end = layout.size.columns - 2
    var next = kind.upperBound + 2
    func take(_ width: Int, atLeast least: Int) -> Range<Int> {
      let start = min(next, end)
      let upper = min(start + width, end)
      guard upper - start >= least else { return end..<end }
      next = upper + 2
      return start..<upper
    }
    id = take(20, atLeast: 1)
    standing = take(18, atLeast: 18)
    pruned = take(6, atLeast: 6)
    fields = take(13, atLeast: 13)
    files = take(10, atLeast: 10)
  }
}

extension Canvas<ReviewState> {
  /// The frame of a list with a pane below it.
  /// - Parameters:
  ///   - titles: The title of each column, with the first column of its frame.
  ///   - row: The row with the cursor, and of how many.
  mutating func drawListFrame(_ layout: Layout, titles: [(start: Int, title: String)], pane: String, row: Int, of: Int)
  {
    let last = size.columns - 1
    grid.frame(Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2))
    for (index, column) in titles.enumerated() {
      let end = titles.indices.contains(index + 1) ? titles[index + 1].start : last
      grid.frame(
        Rect(column: column.start, row: 1, columns: end - column.start + 1, rows: layout.dividerRow),
        title: ink.words(column.title), titleStyle: Style(.title))
    }
    var room = size.columns - 4
    if of > layout.listRows.count {
      let place = "\(row + 1) of \(of)"
      room -= place.utf8.count + 3
      drawPlace(place, row: layout.dividerRow)
    }
    let title = " \(ink.words(pane)) "
    grid.put(
      title, at: Position(column: 1, row: layout.dividerRow), width: min(DisplayWidth.columns(of: title), max(0, room)),
      style: Style(.title))
  }

  /// As many lines of the pane below a list as fit.
  mutating func drawPane(_ layout: Layout, _ lines: [[Span]], rest: String) {
    let columns = 2..<max(2, size.columns - 2)
    for (row, line) in zip(layout.warningRows, lines) { put(line, row: row, columns: columns) }
    guard lines.count > layout.warningRows.count, let last = layout.warningRows.last else { return }
    field(ink.words(rest), row: last, columns: columns, Style(.muted))
  }

  var paneWriter: PageWriter { PageWriter(columns: max(1, size.columns - 4), ink: ink) }
}
