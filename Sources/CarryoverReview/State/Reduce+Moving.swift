import Carryover

extension ReviewState {
  mutating func move(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .move(let move):
      switch screen {
      case .review: if activePane == .fields { moveCursor(move) } else { scrollPane(move) }
      case .history:
        let visible = runsLayout.listRows.count
        runs.move(move, visible: visible)
      case .run:
        let visible = keysLayout.listRows.count
        draft?.move(move, visible: visible)
      case .warnings: moveFinding(move)
      case .decideMany, .filterMenu:
        let visible = menuLayout.rows.count
        menu?.move(move, visible: visible)
      default: scroll(move)
      }
    case .next: return search == nil ? goToWaiting(step: 1) : goToMatch(step: 1)
    case .previous: return search == nil ? goToWaiting(step: -1) : goToMatch(step: -1)
    case .nextToDecide: return goToWaiting(step: 1)
    case .previousToDecide: return goToWaiting(step: -1)
    case .nextField: moveCursor(.down)
    case .previousField: moveCursor(.up)
    default: break
    }
    return []
  }

  private mutating func moveCursor(_ move: Move) {
    guard let row = cursorRow else { return }
    select(row: ListWindow.row(move, from: row, of: rows.count, visible: layout.listRows.count))
  }

  /// The nearest field in a direction that the apply waits for, going round at the end. From the preview, which is about
  /// all fields, the filter is left where it hides the last of them.
  private mutating func goToWaiting(step: Int) -> [ReviewEffect] {
    guard tally.waiting > 0 else {
      message = "Every field is decided."
      return [.bell]
    }
    let isPreview = screens.last == .preview
    if isPreview, hiddenWaitingCount == tally.waiting { endFilter() }
    guard let start = cursorRow, let row = waitingRow(from: start, step: step) else {
      let leave = options.key("leave", Screen.review)
      message = "\(Self.waitingWords(tally.waiting)) not listed; \(leave) leaves the filter."
      return [.bell]
    }
    if row == start, !isPreview {
      let hidden = hiddenWaitingCount
      message =
        hidden == 0
        ? "This is the only field to decide."
        : "This is the only one listed; \(Self.waitingWords(hidden)) not."
    }
    select(row: row)
    if isPreview { screens = [.review] }
    return []
  }

  private func waitingRow(from start: Int, step: Int) -> Int? {
    var row = start
    for _ in 0..<rows.count {
      row = (row + step + rows.count) % rows.count
      if let position = rows[row], standings[position].waits { return row }
    }
    return nil
  }

  private static func waitingWords(_ count: Int) -> String {
    count == 1 ? "1 field to decide is" : "\(count) fields to decide are"
  }

  /// Puts the cursor where the work begins: on the first listed field that the apply waits for; where there is none, on
  /// the first that is listed.
  mutating func goToFirstWaiting() {
    let waiting = tally.waiting > 0 ? rows.positions.firstIndex { standings[$0].waits } : nil
    select(row: waiting ?? 0)
  }

  /// Puts the cursor on a row and shows it.
  mutating func select(row: Int) {
    guard let position = rows[row] else { return }
    if position != cursorPosition {
      putCursor(at: position)
      pageTop = 0
    }
    revealCursor()
  }

  /// Scrolls the list as little as is needed for the cursor to be in it.
  mutating func revealCursor() {
    top = ListWindow.top(top, showing: cursorRow ?? 0, of: rows.count, visible: layout.listRows.count)
  }

  mutating func scroll(_ move: Move) {
    let visible = PageLayout(size: size).rows.count
    pageTop = clampedPageTop(ListWindow.row(move, from: pageTop, of: page.lines.count, visible: visible))
  }

  func clampedPageTop(_ line: Int) -> Int {
    max(0, min(line, page.lines.count - PageLayout(size: size).rows.count))
  }
}
