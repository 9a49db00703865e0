import CarryoverTerminal

/// Draws one state of a review after the other, and of each only the rows that look as none did before.
///
/// What it shows is what ``render(_:)`` shows, in a fraction of the time where little changes: a move of the cursor
/// changes two rows of the list and some lines about the field.
package final class ReviewRenderer {
  /// The review's own screen as it was drawn last.
  private var last: Drawn?
  private let browser = BrowserRenderer()

  /// A renderer of one review, that has drawn nothing yet.
  package init() {}

  /// Draws a state.
  package func frame(of state: ReviewState) -> Frame {
    if state.screen == .stores, let stores = state.browser { return browser.frame(of: stores) }
    // Other screens change as a whole, or are typed at.
    guard state.screen == .review, !state.isBusy else { return render(state) }
    let form = state.form
    if let last, last.form == form {
      last.show(state)
      return Frame(grid: last.grid)
    }
    let drawn = Drawn(state, form)
    last = drawn
    return Frame(grid: drawn.grid)
  }
}

/// A frame of the review's own screen, and what it was made from. An object, so that it changes where it is.
private final class Drawn {
  let form: ReviewForm
  private(set) var grid: Grid
  /// The lines of the frames, without anything in them.
  private let lines: Grid
  private var rows: ReviewRows
  /// For each row, what was drawn there before: the cursor leaves a row as it was when it came, and comes back.
  private var known: [Recent<ReviewRow, [Cell]>]
  private var hints = Recent<FooterBasis, FooterHints>(8)
  private var labels = Recent<LabelBasis, [FrameLabel]>(1)

  private struct Place {
    let row: Int
    let content: ReviewRow
  }

  init(_ state: ReviewState, _ form: ReviewForm) {
    self.form = form
    rows = state.reviewRows(form)
    var canvas = Canvas(state)
    canvas.drawLines(form)
    lines = canvas.grid
    canvas.draw(rows, form)
    grid = canvas.grid
    known = Array(repeating: Recent(16), count: canvas.grid.size.rows)
  }

  /// Makes what was drawn show another state of the same form.
  func show(_ state: ReviewState) {
    let next = state.reviewRows(form, hints: hints(of: state), labels: labels(of: state))
    var unknown: [Place] = []
    for row in next.rows(differingFrom: rows, form.layout) where known.indices.contains(row) {
      let content = next.row(row, form.layout)
      if let known = known[row][content] {
        grid.takeRow(row, known)
      } else {
        unknown.append(Place(row: row, content: content))
      }
    }
    rows = next
    guard !unknown.isEmpty else { return }
    var canvas = Canvas(state, over: lines)
    let columns = RowColumns(layout: form.layout, widths: form.widths)
    for place in unknown { canvas.draw(place.content, row: place.row, form, columns) }
    for place in unknown {
      let cells = canvas.grid.cells(place.row)
      grid.takeRow(place.row, cells)
      known[place.row].add(cells, for: place.content)
    }
  }

  private func hints(of state: ReviewState) -> FooterHints {
    guard let basis = state.footerBasis else { return state.footerHints }
    if let known = hints[basis] { return known }
    let made = state.footerHints
    hints.add(made, for: basis)
    return made
  }

  private func labels(of state: ReviewState) -> [FrameLabel] {
    let basis = state.labelBasis(form)
    if let known = labels[basis] { return known }
    let made = state.labels(form, Ink(state.options))
    labels.add(made, for: basis)
    return made
  }
}
