import Carryover
import PropertyLists
import Terminal

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
    drawLine(editor, row: top + 1, columns: columns)
    let mismatch = state.editorMismatch
    let note =
      mismatch?.description
      ?? "This fits: the new SDK reads it as \(Self.article(item.form.kind.word)) \(item.form.kind.word)."
    var writer = PageWriter(columns: columns.count, ink: ink)
    writer.words(note, mismatch == nil ? .confirmed : .flagged)
    for (offset, line) in writer.lines.prefix(2).enumerated() { put(line, row: top + 2 + offset, columns: columns) }
  }

  private static func article(_ word: String) -> String {
    "aeiou".contains(word.prefix(1)) ? "an" : "a"
  }

  /// The part of the line around its cursor; what is cut on either side shows as an ellipsis.
  private mutating func drawLine(_ editor: LineEditor, row: Int, columns: Range<Int>) {
    // One column is the cursor's behind the last character, one the ellipsis'.
    let room = columns.count - 2
    var text = ""
    var before = 0
    var start = editor.cursor
    while start > 0 {
      let shown = visible(editor.characters[start - 1])
      let width = DisplayWidth.columns(of: shown)
      guard before + width <= room else { break }
      text = shown + text
      before += width
      start -= 1
    }
    if start > 0 {
      text = ink.glyphs.ellipsis + text
      before += 1
    }
    var after = before
    for character in editor.characters[editor.cursor...] {
      let shown = visible(character)
      text += shown
      after += DisplayWidth.columns(of: shown)
      // One beyond the edge makes the row end in an ellipsis.
      guard after <= columns.count else { break }
    }
    field(text, row: row, columns: columns, Style(.value))
    cursor = Position(column: min(columns.lowerBound + before, columns.upperBound - 1), row: row)
  }

  private func visible(_ character: Character) -> String {
    Escaping.visible(String(character), ascii: ink.glyphs == .ascii)
  }
}
