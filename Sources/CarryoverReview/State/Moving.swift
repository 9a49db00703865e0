import Carryover

/// The way among the fields.
extension ReviewState {
  /// The nearest field in a direction that the apply waits for, going round at the end. From the preview, which lists
  /// them all, the first or the last one; the filter is left where it hides all of them.
  mutating func goToWaiting(step: Int) -> [ReviewEffect] {
    guard tally.waiting > 0 else {
      message = "Every field is decided."
      return [.bell]
    }
    let isPreview = topScreen == .preview
    if isPreview, hiddenWaitingCount == tally.waiting { endFilter() }
    let beforeFirst = step > 0 ? rows.count - 1 : 0
    guard let start = isPreview ? beforeFirst : cursorRow, let row = row(from: start, step: step, where: \.waits) else {
      let leave = key("clear", .review)
      message = "\(Self.waitingWords(tally.waiting)) not listed; \(leave) leaves the filter."
      return [.bell]
    }
    if row == start, !isPreview {
      let hidden = hiddenWaitingCount
      message =
        hidden == 0
        ? "This is the only undecided field."
        : "This is the only one listed; \(Self.waitingWords(hidden)) not."
    }
    select(row: row)
    if isPreview { show([.review]) }
    return []
  }

  /// The nearest row in a direction whose field stands in some way, going round at the end.
  func row(from start: Int, step: Int, where isMeant: (FieldState) -> Bool) -> Int? {
    var row = start
    for _ in 0..<rows.count {
      row = (row + step + rows.count) % rows.count
      if let position = rows[row], isMeant(standings[position]) { return row }
    }
    return nil
  }

  private static func waitingWords(_ count: Int) -> String {
    count == 1 ? "1 undecided field is" : "\(count) undecided fields are"
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
      list.putCursor(at: position, in: plan)
      stack.pageTop = 0
    }
    revealCursor()
  }

  /// Scrolls the list as little as is needed for the cursor to be in it.
  mutating func revealCursor() {
    list.top = ListWindow.top(list.top, showing: cursorRow ?? 0, of: rows.count, visible: layout.listRows.count)
  }

  /// Withdraws what was made from the container as it was: the run that was being taken back, its question, the preview.
  mutating func withdrawQuestions() {
    draft = nil
    let gone: Set<Screen> = [.preview, .rollback, .run]
    show(Array(stack.screens.prefix { !gone.contains($0) }))
  }
}
