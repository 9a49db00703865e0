import Carryover

extension ReviewState {
  mutating func move(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .move(let move):
      if screen == .review { moveCursor(move) } else { scroll(move) }
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
    let page = max(1, layout.listRows.count - 1)
    let last = plan.fields.count - 1
    let target =
      switch move {
      case .up: row - 1
      case .down: row + 1
      case .pageUp: row - page
      case .pageDown: row + page
      case .first: 0
      case .last: last
      }
    select(row: max(0, min(last, target)))
  }

  /// The nearest field in a direction that the apply waits for, going round at the end.
  private mutating func goToWaiting(step: Int) -> [ReviewEffect] {
    let count = plan.fields.count
    guard tally.waiting > 0, let start = cursorRow else {
      message = "Every field is decided."
      return [.bell]
    }
    var row = start
    for _ in 0..<count {
      row = (row + step + count) % count
      let field = plan.fields[row]
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
    guard plan.fields.indices.contains(row) else { return }
    let id = plan.fields[row].id
    if id != cursor {
      cursor = id
      pageTop = 0
    }
    revealCursor()
  }

  /// Scrolls the list as little as is needed for the cursor to be in it.
  mutating func revealCursor() {
    let visible = max(1, layout.listRows.count)
    let row = cursorRow ?? 0
    top = min(max(top, row - visible + 1), row)
    top = max(0, min(top, plan.fields.count - visible))
  }

  private mutating func scroll(_ move: Move) {
    let visible = PageLayout(size: size).rows.count
    let target =
      switch move {
      case .up: pageTop - 1
      case .down: pageTop + 1
      case .pageUp: pageTop - max(1, visible - 1)
      case .pageDown: pageTop + max(1, visible - 1)
      case .first: 0
      case .last: page.lines.count
      }
    pageTop = clampedPageTop(target)
  }

  func clampedPageTop(_ line: Int) -> Int {
    max(0, min(line, page.lines.count - PageLayout(size: size).rows.count))
  }
}
