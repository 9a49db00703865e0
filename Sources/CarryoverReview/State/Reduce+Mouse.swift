import Carryover
import CarryoverTerminal

/// The mouse. What is hit is asked of the same layouts, hints and counts that are drawn.
extension ReviewState {
  mutating func use(_ mouse: Mouse) -> [ReviewEffect] {
    if screen == .stores { return browse(.mouse(mouse)) }
    guard !isBusy, !isTooSmall else { return [] }
    switch mouse.action {
    case .wheelUp: wheel(-Self.wheelLines, at: mouse.position)
    case .wheelDown: wheel(Self.wheelLines, at: mouse.position)
    case .select:
      let hint = mouse.position.row == size.rows - 1 ? footerHints.key(at: mouse.position.column) : nil
      message = nil
      _ = count.use()
      if let hint { return pressByClick(hint) }
      guard editor == nil, rowEntry == nil else { return [] }
      click(at: mouse.position)
    }
    return []
  }

  /// How many lines a notch of the wheel scrolls.
  static let wheelLines = 3

  /// Does what a key does, but nothing that could write to the container or lose decisions: for that there is no way
  /// back, and a click is too easily made.
  private mutating func pressByClick(_ key: Key) -> [ReviewEffect] {
    var next = self
    let effects = next.press(key)
    guard effects.allSatisfy({ $0.isForClicks && !($0 == .quit && hasUnappliedDecisions) }) else {
      message = "A click does not do this. Press \(key.name)."
      return [.bell]
    }
    self = next
    return effects
  }

  private mutating func click(at position: Position) {
    switch screens.last ?? .review {
    case .review: clickReview(at: position)
    case .history:
      let layout = runsLayout
      guard let offset = layout.listOffset(at: position), runs.runs.indices.contains(runs.top + offset) else { return }
      runs.select(row: runs.top + offset, visible: layout.listRows.count)
    case .run:
      let layout = keysLayout
      guard let draft, let offset = layout.listOffset(at: position),
        draft.plan.entries.indices.contains(draft.top + offset)
      else { return }
      self.draft?.select(row: draft.top + offset, visible: layout.listRows.count)
      if KeyColumns(layout).mark.contains(position.column) { click(for: .choose) }
    default: break
    }
  }

  private mutating func clickReview(at position: Position) {
    if position.row == 0 {
      guard let count = titleCounts.first(where: { $0.columns.contains(position.column) }) else { return }
      return goToNext(count.state)
    }
    let layout = layout
    guard let pane = layout.pane(at: position) else { return }
    focus = pane
    guard let offset = layout.listOffset(at: position), rows[top + offset] != nil else { return }
    select(row: top + offset)
    guard RowColumns(layout: layout, widths: widths).mark.contains(position.column), let field = selected else {
      return
    }
    if let reason = obstacle(to: .confirm) {
      message = reason
    } else {
      // This field's alone, whatever else a key would decide with it.
      record(decisions[field.id] == .migrate ? nil : .migrate, for: field)
    }
  }

  /// What a click on a mark stands for, if that can be done now.
  private mutating func click(for command: Command) {
    if let reason = obstacle(to: command) { message = reason } else { _ = perform(command) }
  }

  /// Why a command can do nothing now, as its key would say.
  private func obstacle(to command: Command) -> String? {
    Bindings.bindings(in: screen, options.keymap).first { $0.keys.first.map($0.command) == command }?.disabledReason(
      self)
  }

  /// The next field that stands so, going round at the end.
  private mutating func goToNext(_ state: FieldState?) {
    guard let state, rows.count > 0 else { return }
    let start = cursorRow ?? rows.count - 1
    for step in 1...rows.count {
      let row = (start + step) % rows.count
      guard let position = rows[row] else { continue }
      let field = plan.fields[position]
      if FieldState(field, decisions[field.id]) == state {
        focus = .fields
        return select(row: row)
      }
    }
  }

  /// Scrolls what is under the pointer; what has the keys keeps them.
  private mutating func wheel(_ lines: Int, at position: Position) {
    guard editor == nil, rowEntry == nil else { return }
    let (visibleRuns, visibleKeys) = (runsLayout.listRows.count, keysLayout.listRows.count)
    switch screens.last ?? .review {
    case .review: if let pane = layout.pane(at: position) { scroll(pane, by: lines) }
    case .history: if position.row < runsLayout.dividerRow { runs.scroll(by: lines, visible: visibleRuns) }
    case .run: if position.row < keysLayout.dividerRow { draft?.scroll(by: lines, visible: visibleKeys) }
    default: pageTop = clampedPageTop(pageTop + lines)
    }
  }
}

extension ReviewEffect {
  /// Whether a click may ask for it. One that is not named here is not for clicks.
  fileprivate var isForClicks: Bool {
    switch self {
    case .copy, .suspend, .bell, .loadHistory, .loadRollback, .quit: true
    default: false
    }
  }
}
