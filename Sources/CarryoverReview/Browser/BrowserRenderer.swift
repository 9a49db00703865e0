import CarryoverTerminal

/// Draws one state of a browser after the other, and of each only the rows that changed. What it shows is what
/// ``render(_:)`` shows.
package final class BrowserRenderer {
  private var last: DrawnBrowser?

  /// A renderer of one browser, that has drawn nothing yet.
  package init() {}

  /// Draws a state.
  package func frame(of state: BrowserState) -> Frame {
    // Other screens change as a whole, or are typed at.
    guard state.screen == .outline else { return render(state) }
    let form = state.form
    if let last, last.form == form {
      last.show(state)
      return Frame(grid: last.grid)
    }
    let drawn = DrawnBrowser(state, form)
    last = drawn
    return Frame(grid: drawn.grid)
  }
}

/// A frame of the outline's screen, and what it was made from. An object, so that it changes where it is.
private final class DrawnBrowser {
  let form: BrowserForm
  private(set) var grid: Grid
  /// The title bar and the lines of the frames.
  private let lines: Grid
  private let layout: BrowserLayout
  private var rows: BrowserRows
  /// For each row, what rows of the outline looked like there before: what they show of a value takes longer than all
  /// else.
  private var known: [Recent<BrowserRows.Item, [Cell]>]

  init(_ state: BrowserState, _ form: BrowserForm) {
    self.form = form
    layout = state.layout
    rows = state.browserRows()
    var canvas = BrowserCanvas(state)
    canvas.drawLines()
    lines = canvas.grid
    known = Array(repeating: Recent(4), count: lines.size.rows)
    grid = lines
    draw(Array(known.indices), &canvas)
  }

  /// Makes what was drawn show another state of the same form.
  func show(_ state: BrowserState) {
    let next = state.browserRows(after: rows)
    let changed = next.rows(differingFrom: rows, layout, of: known.count)
    rows = next
    guard !changed.isEmpty else { return }
    var canvas = BrowserCanvas(state, over: lines)
    draw(changed, &canvas)
  }

  private func draw(_ changed: [Int], _ canvas: inout BrowserCanvas) {
    for row in changed {
      if let item = rows.items.element(row - layout.rows.lowerBound) {
        if let cells = known[row][item] {
          canvas.grid.takeRow(row, cells, columns: layout.outline)
        } else {
          canvas.draw(item, row: row, layout)
          known[row].add(canvas.grid.cells(row), for: item)
        }
      }
      canvas.drawRest(of: rows, row: row, layout)
      grid.takeRow(row, canvas.grid.cells(row))
    }
  }
}
