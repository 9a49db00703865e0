import Carryover

extension ReviewState {
  mutating func move(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .move(let move):
      let (visibleRuns, visibleKeys) = (runsLayout.listRows.count, keysLayout.listRows.count)
      switch screen {
      case .review: if activePane == .fields { moveCursor(move) } else { scrollPane(move) }
      case .history: runs.move(move, visible: visibleRuns)
      case .run: draft?.move(move, visible: visibleKeys)
      case .warnings: moveFinding(move)
      default: scroll(move)
      }
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

  /// The nearest field in a direction that the apply waits for, going round at the end.
  private mutating func goToWaiting(step: Int) -> [ReviewEffect] {
    let count = rows.count
    guard tally.waiting > 0, let start = cursorRow else {
      message = "Every field is decided."
      return [.bell]
    }
    var row = start
    for _ in 0..<count {
      row = (row + step + count) % count
      guard let position = rows[row] else { continue }
      let field = plan.fields[position]
      if FieldState(field, decisions[field.id]).waits {
        if row == start { message = "This is the only field to decide." }
        select(row: row)
        if screens.last == .preview { screens = [.review] }
        return []
      }
    }
    return [.bell]
  }

  /// Puts the cursor on a row and shows it.
  mutating func select(row: Int) {
    guard let position = rows[row] else { return }
    let id = plan.fields[position].id
    if id != cursor {
      cursor = id
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
