import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

extension Canvas where State == BrowserState {
  /// The outline of the stores, in a wide window with the details beside it.
  mutating func drawOutline() {
    let layout = state.layout
    drawFrames(layout)
    let rows = state.outline.rows
    for (position, row) in zip(state.topRow..., layout.rows) {
      guard position < rows.count else { break }
      draw(rows[position], isSelected: position == state.cursor, row: row, columns: layout.outline)
    }
    if layout.isWide { drawDetails(layout) }
    if let query = state.search?.query {
      markMatches(SearchText(query.lowercased()), rows: layout.rows, columns: layout.outline)
      markMatches(SearchText(query.lowercased()), rows: layout.rows, columns: layout.details, isWrapped: true)
    }
  }

  /// The lines around the outline and the details, with the row that has the cursor.
  private mutating func drawFrames(_ layout: BrowserLayout) {
    let (edge, rows) = (layout.outline.upperBound, state.outline.rows)
    grid.frame(Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2))
    grid.frame(
      Rect(column: 0, row: 1, columns: layout.isWide ? edge + 1 : size.columns, rows: size.rows - 2),
      title: state.outlineTitle(ink), titleStyle: Style(.title))
    if layout.isWide { grid.frame(Rect(column: edge, row: 1, columns: size.columns - edge, rows: size.rows - 2)) }
    if rows.isEmpty {
      field(
        ink.words(state.emptyWords), row: layout.rows.lowerBound,
        columns: (layout.outline.lowerBound + 1)..<edge, Style(.muted))
    } else if rows.count > layout.rows.count {
      drawPlace("\(state.cursor + 1) of \(rows.count)", row: size.rows - 2, before: edge)
    }
  }

  /// The details beside the outline, and which part of them is in sight.
  private mutating func drawDetails(_ layout: BrowserLayout) {
    let (lines, top, edge) = (state.page.lines, state.pageTop, layout.outline.upperBound)
    drawLabel(
      state.detailsTitle(ink, columns: layout.details.count - 2), row: 1, from: edge + 1, room: size.columns - edge - 4,
      Style(.title))
    for (line, row) in zip(lines.dropFirst(top), layout.rows) { put(line, row: row, columns: layout.details) }
    guard lines.count > layout.rows.count else { return }
    guard top == 0, let last = layout.rows.last else {
      return drawPlace(
        "\(top + 1)-\(min(lines.count, top + layout.rows.count)) of \(lines.count)", row: size.rows - 2)
    }
    let key = state.key("details", .stores)
    field(ink.words("… \(key) shows the rest"), row: last, columns: layout.details, Style(.muted))
  }
}

extension Ink {
  /// The place of a value in another: a name, or the number of an element.
  func label(_ label: InspectedChild.Label, columns: Int = Grid.maximum) -> String {
    switch label {
    case .name(let name): name.isEmpty ? "\"\"" : self.name(name, columns: columns)
    case .index(let index): "[\(index)]"
    }
  }

  /// A name on at most `columns`, without its middle where it is longer: names that are alike differ at the end.
  func middle(_ name: String, columns: Int) -> String {
    guard DisplayWidth.columns(of: name) > columns else { return name }
    let head = DisplayWidth.truncate(name, columns: max(1, columns / 3), glyphs: glyphs).text
    return head + String(tail(name, columns: max(0, columns - DisplayWidth.columns(of: head) + 1)).dropFirst())
  }

  /// A path on at most `columns`; of a long one its end, which tells it from others.
  func tail(_ path: String, columns: Int) -> String {
    let end = path.tail(columns: columns)
    let shown = DisplayText.visible(end, ascii: glyphs == .ascii)
    guard DisplayWidth.columns(of: shown) > columns || end.utf8.count < path.utf8.count else { return shown }
    var kept: [DisplayWidth.Cluster] = []
    var used = 1
    for cluster in DisplayWidth.clusters(of: shown).reversed() {
      guard used + cluster.columns <= columns else { break }
      used += cluster.columns
      kept.append(cluster)
    }
    // Whole names are easier to read than halves, where that leaves enough.
    if let slash = kept.lastIndex(where: { $0.text == "/" }), kept.count - slash < min(16, kept.count / 2) {
      kept.removeSubrange((slash + 1)...)
    }
    return glyphs.ellipsis + kept.reversed().map(\.text).joined()
  }
}
