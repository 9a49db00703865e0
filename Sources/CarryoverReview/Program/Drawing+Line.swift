import CarryoverSystem
import CarryoverTerminal

extension Drawing {
  /// The part of the line around its cursor; what is cut on either side shows as an ellipsis.
  /// - Returns: the cursor's place.
  mutating func drawLine(_ editor: TypedLine, row: Int, columns: Range<Int>) -> Position {
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
    return Position(column: min(columns.lowerBound + before, columns.upperBound - 1), row: row)
  }

  private func visible(_ character: Character) -> String {
    DisplayText.visible(String(character), ascii: ink.glyphs == .ascii)
  }
}
