import CarryoverTerminal

extension BrowserState: Counting {
  func counts(_ digit: Key) -> Bool {
    (screen == .outline || screen == .details || screen == .help)
      && BrowserBindings.binding(for: digit, in: screen, options.keymap) == nil
  }
}

/// The mouse, and numbers in front of keys.
extension BrowserState {
  mutating func use(_ mouse: Mouse) -> [BrowserEffect] {
    guard !isTooSmall else { return [] }
    switch mouse.action {
    case .wheelUp: wheel(-ReviewState.wheelLines, at: mouse.position)
    case .wheelDown: wheel(ReviewState.wheelLines, at: mouse.position)
    case .select:
      let hint = mouse.position.row == size.rows - 1 ? footerHints.key(at: mouse.position.column) : nil
      message = nil
      _ = count.use()
      if let hint { return press(hint) }
      guard screen == .outline, layout.rows.contains(mouse.position.row),
        layout.outline.contains(mouse.position.column)
      else { return [] }
      return click(mouse.position.column, offset: mouse.position.row - layout.rows.lowerBound)
    }
    return []
  }

  /// Selects a row; on its mark, opens or closes it.
  private mutating func click(_ column: Int, offset: Int) -> [BrowserEffect] {
    guard outline.rows.indices.contains(top + offset) else { return [] }
    go(toRow: top + offset)
    guard let row = selectedRow, column == layout.markColumn(depth: outline.depth(row)) else { return [] }
    guard outline.isOpen(row) || openObstacle == nil else { return [] }
    return perform(.activate)
  }

  /// Scrolls what is under the pointer. The outline takes the cursor along where that would be out of sight.
  private mutating func wheel(_ lines: Int, at position: Position) {
    switch screen {
    case .outline where layout.isWide && position.column > layout.outline.upperBound:
      // Kept within the text once all of it is laid out.
      pageTop = max(0, pageTop + lines)
    case .outline:
      guard layout.outline.contains(position.column), !outline.rows.isEmpty else { return }
      let visible = layout.rows.count
      top = ListWindow.scrolled(top, by: lines, of: outline.rows.count, visible: visible)
      go(toRow: ListWindow.row(nearest: cursor, top: top, visible: visible))
    case .details, .help, .helpSearch: pageTop = clampedPageTop(pageTop + lines)
    case .search, .tooSmall: break
    }
  }

  /// Puts the cursor on a row, or on the last where there are not so many.
  private mutating func go(toRow row: Int) {
    guard !outline.rows.isEmpty else { return }
    let row = max(0, min(row, outline.rows.count - 1))
    if row != cursor { pageTop = 0 }
    cursor = row
    revealCursor()
  }

  /// Does what a key with a number in front of it means: a move so often, or to that row.
  mutating func perform(_ command: BrowserCommand, times: Int) -> [BrowserEffect] {
    switch command {
    case .move(.first), .move(.last):
      if screen == .outline { go(toRow: times - 1) } else { pageTop = clampedPageTop(times - 1) }
      return []
    case .move, .neighbour, .nextMatch, .previousMatch:
      let rows = screen == .outline ? outline.rows.count : max(page.lines.count, outline.rows.count)
      for _ in 0..<min(times, max(1, rows)) {
        let effects = perform(command)
        if !effects.isEmpty { return effects }
      }
      return []
    default: return perform(command)
    }
  }

  /// What the last line offers to be clicked; nothing while it says something else.
  var footerHints: FooterHints {
    if screen == .search { return searchFooter.keys }
    guard message == nil, count.value == nil else { return FooterHints(hints: []) }
    var end = size.columns
    if search != nil, screen == .outline { end -= DisplayWidth.columns(of: Ink(options).words(matchWords)) + 2 }
    // Without a search there are no matches to go through.
    let bindings = BrowserBindings.bindings(in: screen, options.keymap).filter { binding in
      search != nil || binding.keys.first.map(binding.command) != .nextMatch
    }
    return FooterHints(hints: Footer.hints(bindings, self, columns: end))
  }

  /// Where the parts of the last line stand while a search is typed: the line, what it finds, and the keys there is
  /// room for.
  var searchFooter: (line: Range<Int>, words: Int, keys: FooterHints) {
    let found = DisplayWidth.columns(of: Ink(options).words(matchWords))
    // The line gets what is left, and never less than a quarter.
    let hints = Footer.hints(
      BrowserBindings.bindings(in: .search, options.keymap), self,
      columns: size.columns - size.columns / 4 - found - 4)
    let end = size.columns - found - 2 - hints.reduce(0) { $0 + $1.columns + 2 }
    return (2..<max(8, end - 1), end, FooterHints(hints: hints, start: end + found + 2))
  }
}
