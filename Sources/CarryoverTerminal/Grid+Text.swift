/// Where text stands in a field that is wider than it.
package enum Alignment: Hashable, Sendable {
  /// At the left.
  case leading
  /// In the middle.
  case center
  /// At the right.
  case trailing
}

extension Grid {
  /// Writes text and returns how many columns it took.
  ///
  /// Hidden scalars are shown as escapes even where the caller did not escape them, so nothing drawn can steer the
  /// terminal. Text that does not fit ends in an ellipsis.
  ///
  /// - Parameters:
  ///   - text: What to write, on one row.
  ///   - position: Where it begins. It may lie outside; what falls outside is not drawn.
  ///   - width: The columns of the field. The field is filled: the rest of it becomes blanks of `style`, and `width` is
  ///     returned. Without it, the text takes what it needs, up to the right edge.
  ///   - style: How it is shown.
  ///   - alignment: Where in the field it stands.
  /// - Returns: The columns to go on by; at most ``maximum``.
  @discardableResult
  package mutating func put(
    _ text: String, at position: Position, width: Int? = nil, style: Style = .plain,
    alignment: Alignment = .leading
  ) -> Int {
    let start = max(-Grid.maximum, min(position.column, Grid.maximum))
    let room = width.map { max(0, min($0, Grid.maximum)) } ?? max(0, size.columns - start)
    if alignment == .leading, DisplayWidth.isPlain(text) {
      return put(plain: text, row: position.row, column: start, room: room, fills: width != nil, style: style)
    }
    let (clusters, columns) = DisplayWidth.fit(text, columns: room, glyphs: glyphs)
    let spare = width == nil ? 0 : room - columns
    let before =
      switch alignment {
      case .leading: 0
      case .center: spare / 2
      case .trailing: spare
      }
    var column = start
    blank(before, row: position.row, column: &column, style: style)
    for cluster in clusters {
      if column == -1, cluster.columns == 2 {
        place(.blank(style), row: position.row, column: 0)
      } else {
        place(Cell(cluster, style: style), row: position.row, column: column)
      }
      column += cluster.columns
    }
    blank(spare - before, row: position.row, column: &column, style: style)
    return column - start
  }

  /// What ``put(_:at:width:style:alignment:)`` does, for printable ASCII: most text is, and needs no clusters.
  private mutating func put(plain text: String, row: Int, column: Int, room: Int, fills: Bool, style: Style) -> Int {
    let count = text.utf8.count
    guard count > room else {
      place(plain: text[...].utf8, row: row, column: column, style: style)
      var end = column + count
      if fills { blank(room - count, row: row, column: &end, style: style) }
      return end - column
    }
    guard room > 0 else { return 0 }
    place(plain: text[...].utf8.prefix(room - 1), row: row, column: column, style: style)
    let ellipsis = DisplayWidth.Cluster(text: glyphs.ellipsis, columns: 1)
    place(Cell(ellipsis, style: style), row: row, column: column + room - 1)
    return room
  }

  private mutating func blank(_ count: Int, row: Int, column: inout Int, style: Style) {
    guard count > 0 else { return }
    place(blanks: column..<(column + count), row: row, style: style)
    column += count
  }
}
