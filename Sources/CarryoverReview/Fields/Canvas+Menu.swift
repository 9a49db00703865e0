import CarryoverTerminal

extension Canvas<ReviewState> {
  /// A menu over the list, with two lines about the item with the cursor.
  mutating func drawMenu() {
    guard let menu = state.menu else { return }
    let layout = state.menuLayout
    grid.fill(layout.frame)
    grid.frame(
      layout.frame, title: ink.words(menu.title), style: Style(.frameFocused), titleStyle: Style(.title))
    if menu.items.count > layout.rows.count {
      drawPlace("\(menu.row + 1) of \(menu.items.count)", row: size.rows - 2)
    }
    let digits = max(1, menu.items.map { String($0.count ?? 0).utf8.count }.max() ?? 1)
    let left = layout.columns.lowerBound
    for (offset, row) in layout.rows.enumerated() {
      let index = menu.top + offset
      guard menu.items.indices.contains(index) else { break }
      let item = menu.items[index]
      let isSelected = index == menu.row
      let isOpen = item.isOpen
      let plain = Style(isOpen ? .plain : .muted, selected: isSelected)
      field("", row: row, columns: layout.columns, plain)
      field(isSelected ? ink.pointer : " ", row: row, columns: left..<(left + 1), plain)
      field(
        String(item.key), row: row, columns: (left + 1)..<(left + 2),
        Style(isOpen ? .key : .muted, selected: isSelected))
      let count = item.count.map { String($0) } ?? ""
      let end = menu.items.contains { $0.count != nil } ? left + 4 + digits : left + 2
      field(count, row: row, columns: (end - count.utf8.count)..<end, plain)
      field(ink.words(item.words), row: row, columns: (end + 2)..<max(end + 2, layout.columns.upperBound), plain)
    }
    let columns = 2..<max(2, size.columns - 2)
    var writer = PageWriter(columns: columns.count, ink: ink)
    if let note = menu.selected?.note { writer.words(note, .muted) }
    for (line, row) in zip(writer.lines, layout.noteRows) { put(line, row: row, columns: columns) }
  }
}
