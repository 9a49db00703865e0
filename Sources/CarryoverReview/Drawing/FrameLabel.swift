import CarryoverTerminal

/// Words in a line of a frame, with a blank on either side.
struct FrameLabel: Hashable {
  var row: Int
  var words: String
  var column: Int
  /// How many columns there are for the words: longer ones are cut.
  var room: Int
  var style: Style
}

extension Drawing {
  mutating func draw(_ label: FrameLabel) {
    let (words, columns) = DisplayWidth.truncate(label.words, columns: label.room, glyphs: ink.glyphs)
    guard columns > 0 else { return }
    grid.put(" \(words) ", at: Position(column: label.column, row: label.row), width: columns + 2, style: label.style)
  }
}
