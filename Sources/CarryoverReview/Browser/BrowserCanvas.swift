import Carryover
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors

/// Draws the browser of stores. Pure, and reads only what is visible.
package func render(_ state: BrowserState) -> Frame {
  var canvas = BrowserCanvas(state)
  canvas.draw()
  return Frame(grid: canvas.grid, cursor: canvas.cursor)
}

/// A grid being drawn from a browser of stores.
struct BrowserCanvas: Drawing {
  let state: BrowserState
  let ink: Ink
  var grid: Grid
  var cursor: Position?
  /// How many rows of the outline were looked at.
  private(set) var rowsLookedAt = 0

  init(_ state: BrowserState) {
    self.state = state
    ink = Ink(state.options)
    grid = Grid(size: state.size, glyphs: state.options.glyphs)
  }

  mutating func draw() {
    guard !state.isTooSmall else { return drawTooSmall(leaving: state.options.key("leave", BrowserScreen.tooSmall)) }
    switch state.screens.last ?? .outline {
    case .details: drawPage(state.page, from: state.pageTop, title: detailsTitle(columns: size.columns - 8))
    case .help: drawPage(state.page, from: state.pageTop, title: BrowserScreen.help.title)
    default: return drawOutline()
    }
    drawTitle()
    drawFooter()
  }

  /// The name of the program, whose stores these are, and how many.
  private mutating func drawTitle() {
    let counts = ink.words(Self.counts(state.outline.roots))
    let width = DisplayWidth.columns(of: counts) + 1
    field("", row: 0, columns: 0..<size.columns, Style(.header))
    field(counts, row: 0, columns: max(0, size.columns - width)..<size.columns, Style(.header))
    let room = size.columns - width - 2
    var next = 1 + grid.put("Carryover  ", at: Position(column: 1, row: 0), style: Style(.header, bold: true))
    for (index, part) in containerNames(bundleID: state.bundleID, name: state.name).enumerated() {
      let text = (index > 0 ? ink.words(" · ") : "") + ink.name(part, columns: size.columns)
      let needed = DisplayWidth.columns(of: text)
      guard index == 0 || next + needed <= room else { break }
      grid.put(text, at: Position(column: next, row: 0), width: min(needed, max(0, room - next)), style: .plain)
      next += needed
    }
  }

  /// `5 stores · 1 cannot be read`.
  private static func counts(_ roots: [Outline.Root]) -> String {
    var (stores, unreadable) = (0, 0)
    for case .store(_, let value) in roots {
      stores += 1
      if value == nil { unreadable += 1 }
    }
    return counted(stores, "store") + (unreadable > 0 ? " · \(unreadable) unreadable" : "")
  }

  private mutating func drawOutline() {
    let layout = state.layout
    drawTitle()
    drawFrames(layout)
    let rows = state.outline.rows
    for (position, row) in zip(state.top..., layout.rows) {
      guard position < rows.count else { break }
      rowsLookedAt += 1
      draw(rows[position], isSelected: position == state.cursor, row: row, columns: layout.outline)
    }
    if layout.isWide { drawDetails(layout) }
    drawFooter()
  }

  /// The lines around the outline and the details, with the row that has the cursor.
  private mutating func drawFrames(_ layout: BrowserLayout) {
    let (edge, rows) = (layout.outline.upperBound, state.outline.rows)
    grid.frame(Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2))
    grid.frame(
      Rect(column: 0, row: 1, columns: layout.isWide ? edge + 1 : size.columns, rows: size.rows - 2),
      title: BrowserScreen.outline.title, titleStyle: Style(.title))
    if layout.isWide { grid.frame(Rect(column: edge, row: 1, columns: size.columns - edge, rows: size.rows - 2)) }
    if rows.isEmpty {
      field(
        ink.words("The container has no stores."), row: layout.rows.lowerBound,
        columns: (layout.outline.lowerBound + 1)..<edge, Style(.muted))
    } else if rows.count > layout.rows.count {
      drawPlace("\(state.cursor + 1) of \(rows.count)", row: size.rows - 2, before: edge)
    }
  }

  /// The details beside the outline, and which part of them is in sight.
  private mutating func drawDetails(_ layout: BrowserLayout) {
    let (lines, top, edge) = (state.page.lines, state.pageTop, layout.outline.upperBound)
    drawLabel(
      detailsTitle(columns: layout.details.count - 2), row: 1, from: edge + 1, room: size.columns - edge - 4,
      Style(.title))
    for (line, row) in zip(lines.dropFirst(top), layout.rows) { put(line, row: row, columns: layout.details) }
    guard lines.count > layout.rows.count else { return }
    guard top == 0, let last = layout.rows.last else {
      return drawPlace(
        "\(top + 1)-\(min(lines.count, top + layout.rows.count)) of \(lines.count)", row: size.rows - 2)
    }
    let key = state.options.key("details", BrowserScreen.outline)
    field(ink.words("… \(key) shows the rest"), row: last, columns: layout.details, Style(.muted))
  }

  /// The name of what is selected, for the title of its details.
  private func detailsTitle(columns: Int) -> String {
    guard let row = state.selectedRow, let item = state.outline.item(row) else { return BrowserScreen.details.title }
    switch item {
    case .value(let child): return ink.label(child.label, columns: columns)
    case .root(.store(let store, _)): return ink.tail(store.name, columns: columns)
    case .root(.events(let events)): return ink.tail(events.path, columns: columns)
    case .root(.sign(let sign)): return ink.tail(sign.path, columns: columns)
    case .root(.notice): return "Notice"
    }
  }

  private mutating func drawFooter() {
    field("", row: size.rows - 1, columns: 0..<size.columns, .plain)
    if let filter = state.helpFilter, state.screen == .helpSearch {
      let hints = Footer.hints(
        BrowserBindings.bindings(in: .helpSearch, state.options.keymap), state, columns: size.columns)
      cursor = drawHelpLine(filter, hints)
      return
    }
    if let line = state.search?.line, state.screen == .search { return drawSearch(line) }
    if let message = state.count.message ?? state.message { return drawMessage(message) }
    if state.search != nil, state.screen == .outline {
      let words = ink.words(state.matchWords)
      let start = size.columns - DisplayWidth.columns(of: words) - 1
      field(words, row: size.rows - 1, columns: start..<(size.columns - 1), Style(.prompt))
    }
    drawHints(state.footerHints.hints)
  }

  /// The line of a search that is typed, what it finds, and how it ends.
  private mutating func drawSearch(_ line: TypedLine) {
    let row = size.rows - 1
    let words = ink.words(state.matchWords)
    let footer = state.searchFooter
    grid.put("/", at: Position(column: 1, row: row), style: Style(.key))
    cursor = drawLine(line, row: row, columns: footer.line)
    let noMatch = state.search?.query.isEmpty == false && state.search?.matches.isEmpty == true
    grid.put(
      words, at: Position(column: footer.words, row: row), width: DisplayWidth.columns(of: words),
      style: Style(noMatch ? .flagged : .muted))
    drawHints(footer.keys.hints, from: footer.keys.start)
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
