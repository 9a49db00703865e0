import CarryoverTerminal

extension PickerState: Counting {
  func counts(_ digit: Key) -> Bool {
    (screen == .list || screen == .help) && PickerBindings.binding(for: digit, in: screen, options.keymap) == nil
  }
}

/// The mouse, and numbers in front of keys.
extension PickerState {
  mutating func use(_ mouse: Mouse) -> [PickerEffect] {
    guard screen != .tooSmall else { return [] }
    switch mouse.action {
    case .wheelUp: wheel(-ReviewState.wheelLines)
    case .wheelDown: wheel(ReviewState.wheelLines)
    case .select:
      let hint = mouse.position.row == size.rows - 1 ? footerHints.key(at: mouse.position.column) : nil
      message = nil
      _ = count.use()
      if let hint { return press(hint) }
      guard screen == .list, rows.contains(mouse.position.row),
        (1..<(size.columns - 1)).contains(mouse.position.column)
      else { return [] }
      let row = top + mouse.position.row - rows.lowerBound
      guard shown.indices.contains(row) else { return [] }
      if row == self.row { return perform(.choose) }
      go(toRow: row)
    }
    return []
  }

  private mutating func wheel(_ lines: Int) {
    switch screen {
    case .list:
      guard let row else { return }
      top = ListWindow.scrolled(top, by: lines, of: shown.count, visible: rows.count)
      go(toRow: ListWindow.row(nearest: row, top: top, visible: rows.count))
    case .help, .helpSearch, .failure: pageTop = max(0, pageTop + lines)
    case .filter, .tooSmall: break
    }
  }

  /// Puts the cursor on a row, or on the last where there are not so many.
  private mutating func go(toRow row: Int) {
    guard !shown.isEmpty else { return }
    cursor = shown[max(0, min(row, shown.count - 1))]
    revealCursor()
  }

  /// Does what a key with a number in front of it means: a move so often, or to that row.
  mutating func perform(_ command: PickerCommand, times: Int) -> [PickerEffect] {
    switch command {
    case .move(.first), .move(.last):
      if showsHelp { pageTop = times - 1 } else { go(toRow: times - 1) }
      return []
    case .move:
      for _ in 0..<min(times, max(1, showsHelp ? page.lines.count : shown.count)) { _ = perform(command) }
      return []
    default: return perform(command)
    }
  }

  /// What the last line offers to be clicked; nothing while it says something else.
  var footerHints: FooterHints {
    let hints = Footer.hints(PickerBindings.bindings(in: screen, options.keymap), self, columns: size.columns)
    if isTyping, filter != nil {
      return FooterHints(hints: hints, start: max(8, size.columns - hints.reduce(0) { $0 + $1.columns + 2 }))
    }
    return message == nil && count.value == nil ? FooterHints(hints: hints) : FooterHints(hints: [])
  }
}
