import Terminal

/// Draws one state of a review after the other, and of each only the rows that look as none did before.
///
/// What it shows is what ``render(_:)`` shows, in a fraction of the time where little changes: a move of the cursor
/// changes two rows of the list and some lines about the field.
public struct ReviewRenderer {
  /// The review's own screen as it was drawn last.
  private struct Drawn {
    var form: ReviewForm
    /// The lines of the frames, without anything in them.
    var lines: Grid
    var rows: [ReviewRow]
    var grid: Grid
    /// Grids in which rows were drawn before: the cursor leaves a row as it was when it came, and comes back.
    var known: [Place: Grid] = [:]
  }

  private struct Place: Hashable {
    var row: Int
    var content: ReviewRow
  }

  /// More rows than this are forgotten.
  private static let mostKnown = 256

  private var last: Drawn?

  /// A renderer of one review, that has drawn nothing yet.
  public init() {}

  /// Draws a state.
  public mutating func frame(of state: ReviewState) -> Frame {
    // Other screens change as a whole, or are typed at.
    guard state.screen == .review, !state.isBusy else { return render(state) }
    let form = state.form
    let rows = state.reviewRows(form)
    // Taken out while it changes, so that nothing of it is copied.
    if var drawn = last, drawn.form == form {
      last = nil
      Self.change(&drawn, to: rows, state)
      last = drawn
      return Frame(grid: drawn.grid)
    }
    var canvas = Canvas(state)
    canvas.drawLines(form)
    let lines = canvas.grid
    canvas.draw(rows, form)
    last = Drawn(form: form, lines: lines, rows: rows, grid: canvas.grid)
    return Frame(grid: canvas.grid)
  }

  /// Makes what was drawn show other rows.
  private static func change(_ drawn: inout Drawn, to rows: [ReviewRow], _ state: ReviewState) {
    var unknown: [Place] = []
    for row in rows.indices where rows[row] != drawn.rows[row] {
      let place = Place(row: row, content: rows[row])
      if let grid = drawn.known[place] { drawn.grid.takeRow(row, of: grid) } else { unknown.append(place) }
    }
    drawn.rows = rows
    guard !unknown.isEmpty else { return }
    var canvas = Canvas(state, over: drawn.lines)
    let columns = RowColumns(layout: drawn.form.layout, widths: drawn.form.widths)
    for place in unknown { canvas.draw(place.content, row: place.row, drawn.form, columns) }
    if drawn.known.count > mostKnown { drawn.known = [:] }
    for place in unknown {
      drawn.grid.takeRow(place.row, of: canvas.grid)
      drawn.known[place] = canvas.grid
    }
  }
}
