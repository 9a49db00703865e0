import CarryoverTerminal

/// Which pane receives the keys, how large each is, and how far it is scrolled.
extension ReviewState {
  mutating func usePanes(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .focus(let pane):
      if visiblePanes.contains(pane) { focus = pane } else { open(.details) }
    case .nextPane: focus = neighbour(1)
    case .previousPane: focus = neighbour(-1)
    case .resize(let change): return resize(change)
    default: break
    }
    return []
  }

  private func neighbour(_ step: Int) -> Pane {
    let panes = visiblePanes
    let index = panes.firstIndex(of: activePane) ?? 0
    return panes[(index + step + panes.count) % panes.count]
  }

  private mutating func resize(_ change: PaneChange) -> [ReviewEffect] {
    let old = layout
    let active = activePane
    switch change {
    case .restore: panes.sizes = PaneSizes(options.layout)
    case .taller, .shorter:
      // What the warnings win, the list loses.
      let step = (change == .taller) == (active != .warnings) ? 1 : -1
      let rows = Self.moved(old.listRows.count, step, Layout.listBounds(size))
      guard let rows else { return atBound() }
      panes.sizes.list = Proportion(rows, of: Layout.room(size))
    case .left, .right:
      let step = change == .right ? 2 : -2
      if active == .details {
        guard let width = Self.moved(old.lastColumn + 1, step, Layout.mainBounds(size)) else { return atBound() }
        panes.sizes.main = Proportion(width, of: size.columns)
      } else {
        guard old.shape != .narrow else {
          message = "There is one pane here: a wider window has two."
          return [.bell]
        }
        let width = old.lastColumn + 1
        let middle = old.legacyColumns.upperBound
        guard let middle = Self.moved(middle, step, Layout.dividerBounds(width)) else { return atBound() }
        panes.sizes.legacy = Proportion(middle, of: width)
      }
    }
    revealCursor()
    return []
  }

  /// A number moved by a step as far as bounds allow; nil where they allow none.
  private static func moved(_ number: Int, _ step: Int, _ bounds: ClosedRange<Int>) -> Int? {
    let moved = bounds.clamping(number + step)
    return step > 0 ? (moved > number ? moved : nil) : (moved < number ? moved : nil)
  }

  private mutating func atBound() -> [ReviewEffect] {
    message = "The panes cannot be moved further; = makes them as they were."
    return [.bell]
  }

  /// Scrolls the focused pane, where that is not the list.
  mutating func scrollPane(_ move: Move) {
    let layout = layout
    switch activePane {
    case .fields: break
    case .warnings:
      panes.warnings.top = ListWindow.row(
        move, from: panes.warnings.top, of: panes.warnings.count, visible: layout.warningRows.count)
    case .details:
      panes.details.top = ListWindow.row(
        move, from: panes.details.top, of: panes.details.lines.count, visible: layout.detailsRows.count)
    }
  }

  /// Scrolls a pane by lines, whichever has the keys. The list takes the cursor along where that would be out of sight.
  mutating func scroll(_ pane: Pane, by lines: Int) {
    switch pane {
    case .fields:
      let visible = layout.listRows.count
      top = ListWindow.scrolled(top, by: lines, of: rows.count, visible: visible)
      if let row = cursorRow { select(row: ListWindow.row(nearest: row, top: top, visible: visible)) }
    case .warnings: panes.warnings.top = max(0, panes.warnings.top + lines)
    case .details: panes.details.top = max(0, panes.details.top + lines)
    }
  }
}
