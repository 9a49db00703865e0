/// The arithmetic of a list that shows some of its rows.
enum ListWindow {
  /// The row a move leads to; rows are counted from 0.
  static func row(_ move: Move, from row: Int, of count: Int, visible: Int) -> Int {
    let page = max(1, visible - 1)
    let target =
      switch move {
      case .up: row - 1
      case .down: row + 1
      case .pageUp: row - page
      case .pageDown: row + page
      case .first: 0
      case .last: count - 1
      }
    return max(0, min(count - 1, target))
  }

  /// The row at the top of the list, moved as little as is needed for a row to be in sight.
  static func top(_ top: Int, showing row: Int, of count: Int, visible: Int) -> Int {
    let visible = max(1, visible)
    return max(0, min(min(max(top, row - visible + 1), row), count - visible))
  }

  /// The row at the top after scrolling by some rows, as far as there are rows.
  static func scrolled(_ top: Int, by lines: Int, of count: Int, visible: Int) -> Int {
    max(0, min(top + lines, count - max(1, visible)))
  }

  /// The row in sight that is nearest to a row.
  static func row(nearest row: Int, top: Int, visible: Int) -> Int {
    max(top, min(row, top + max(1, visible) - 1))
  }
}

/// How far the cursor moves.
package enum Move: Hashable, Sendable {
  case up, down, pageUp, pageDown, first, last
}
