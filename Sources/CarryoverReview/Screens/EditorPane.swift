import Carryover
import CarryoverTerminal
import PropertyLists

extension Canvas {
  /// The line being typed, over the lowest rows, with the reason why it does not fit yet.
  mutating func drawEditor() {
    guard let editor = state.editor, let row = state.positions[editor.field] else { return }
    let item = state.plan.fields[row]
    let height = 5
    let top = size.rows - 1 - height
    let pane = Rect(column: 0, row: top, columns: size.columns, rows: height)
    grid.fill(pane)
    grid.frame(
      pane, title: "Edit \(ink.name(editor.field, columns: 40)) (\(item.form.kind.word))", style: Style(.frameFocused),
      titleStyle: Style(.title))
    let columns = 2..<(size.columns - 2)
    cursor = drawLine(editor.line, row: top + 1, columns: columns)
    let mismatch = state.editorMismatch
    let note =
      mismatch?.description
      ?? (item.model == nil
        ? "This fits: \(item.reader) reads it as \(item.form.article)."
        : "This fits: \(item.form.article), as the app stores it. Its members are not checked.")
    var writer = PageWriter(columns: columns.count, ink: ink)
    writer.words(note, mismatch == nil ? .confirmed : .flagged)
    if let origin = editor.origin { drawPlace(ink.name(origin, columns: max(8, size.columns - 8)), row: top + 4) }
    for (offset, line) in writer.lines.prefix(2).enumerated() { put(line, row: top + 2 + offset, columns: columns) }
  }
}
