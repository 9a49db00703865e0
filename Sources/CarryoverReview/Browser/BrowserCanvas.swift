import Carryover
import CarryoverSystem
import CarryoverTerminal

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

  /// - Parameter grid: What is drawn over; nothing if it is nil.
  init(_ state: BrowserState, over grid: Grid? = nil) {
    self.state = state
    ink = Ink(state.options)
    self.grid = grid ?? Grid(size: state.size, glyphs: state.options.glyphs)
  }

  mutating func draw() {
    guard !state.isTooSmall else { return drawTooSmall(leaving: state.options.key("leave", BrowserScreen.tooSmall)) }
    switch state.screens.last ?? .outline {
    case .details: drawPage(state.page, from: state.pageTop, title: state.detailsTitle(columns: size.columns - 8))
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
    drawLines()
    let (layout, rows) = (state.layout, state.browserRows())
    for row in 0..<size.rows {
      if let item = rows.items.element(row - layout.rows.lowerBound) { draw(item, row: row, layout) }
      drawRest(of: rows, row: row, layout)
    }
  }

  /// The title bar, and the lines around the outline and the details.
  mutating func drawLines() {
    let layout = state.layout
    drawTitle()
    grid.frame(Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2))
    let edge = layout.outline.upperBound
    grid.frame(
      Rect(column: 0, row: 1, columns: layout.isWide ? edge + 1 : size.columns, rows: size.rows - 2),
      title: BrowserScreen.outline.title, titleStyle: Style(.title))
    if layout.isWide { grid.frame(Rect(column: edge, row: 1, columns: size.columns - edge, rows: size.rows - 2)) }
    if state.outline.rows.isEmpty {
      field(
        ink.words("The container has no stores."), row: layout.rows.lowerBound,
        columns: (layout.outline.lowerBound + 1)..<edge, Style(.muted))
    }
  }

  /// A row of the outline.
  mutating func draw(_ item: BrowserRows.Item, row: Int, _ layout: BrowserLayout) {
    rowsLookedAt += 1
    draw(item.row, isSelected: item.isSelected, row: row, columns: layout.outline)
  }

  /// What a row of the screen shows beside the outline.
  mutating func drawRest(of rows: BrowserRows, row: Int, _ layout: BrowserLayout) {
    switch rows.pane.element(row - layout.rows.lowerBound) {
    case .text(let line): put(line, row: row, columns: layout.details)
    case .rest:
      field(
        ink.words("… \(state.options.key("details", BrowserScreen.outline)) shows the rest"), row: row,
        columns: layout.details, Style(.muted))
    case nil: break
    }
    for label in rows.labels where label.row == row { draw(label) }
    if row == size.rows - 1 { drawFooter() }
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
