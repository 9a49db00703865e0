import CarryoverTerminal

/// Words in a line of a frame, with a blank on either side.
struct FrameLabel: Hashable {
  var row: Int
  var words: String
  var column: Int
  /// How many columns there are for the words: longer ones are cut.
  var room: Int
  var style: Style

  /// Which part is in sight, at the right of a line.
  /// - Parameter column: The column that the line ends before.
  static func place(_ words: String, row: Int, before column: Int) -> FrameLabel {
    let room = DisplayWidth.columns(of: words)
    return FrameLabel(row: row, words: words, column: column - room - 3, room: room, style: Style(.muted))
  }
}

extension Drawing {
  mutating func draw(_ label: FrameLabel) {
    let (words, columns) = DisplayWidth.truncate(label.words, columns: label.room, glyphs: ink.glyphs)
    guard columns > 0 else { return }
    grid.put(" \(words) ", at: Position(column: label.column, row: label.row), width: columns + 2, style: label.style)
  }
}
