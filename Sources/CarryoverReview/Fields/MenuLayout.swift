import CarryoverTerminal

/// Where a menu stands: at the bottom, over the list, with room for its items and two lines about the one with the cursor.
struct MenuLayout: Hashable {
  let frame: Rect
  let rows: Range<Int>
  let noteRows: Range<Int>
  let columns: Range<Int>

  init(size: Size, items: Int) {
    let room = max(1, size.rows - 2)
    let height = min(room, items + 4)
    let top = size.rows - 1 - height
    frame = Rect(column: 0, row: top, columns: size.columns, rows: height)
    let end = max(top + 1, size.rows - 2)
    let notes = min(2, max(0, height - 3))
    rows = (top + 1)..<max(top + 1, end - notes)
    noteRows = rows.upperBound..<max(rows.upperBound, end)
    columns = 1..<max(1, size.columns - 1)
  }
}
