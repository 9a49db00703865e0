import Terminal

/// Draws one state of a review after the other, and of each only the rows that differ from the one before.
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
  }

  private var last: Drawn?

  /// A renderer of one review, that has drawn nothing yet.
  public init() {}

  /// Draws a state.
  public mutating func frame(of state: ReviewState) -> Frame {
    // Other screens change as a whole, or are typed at.
    guard state.screen == .review, !state.isBusy else { return render(state) }
    let form = ReviewForm(state)
    let rows = state.reviewRows(form)
    let drawn = last.flatMap { $0.form == form ? $0 : nil }
    var canvas = Canvas(state, over: drawn?.grid)
    if let last = drawn {
      let columns = RowColumns(layout: form.layout, widths: form.widths)
      for (row, content) in rows.enumerated() where content != last.rows[row] {
        canvas.grid.takeRow(row, of: last.lines)
        canvas.draw(content, row: row, form, columns)
      }
    } else {
      canvas.drawLines(form)
      last = Drawn(form: form, lines: canvas.grid, rows: rows, grid: canvas.grid)
      canvas.draw(rows, form)
    }
    last?.rows = rows
    last?.grid = canvas.grid
    return Frame(grid: canvas.grid, cursor: canvas.cursor)
  }
}
