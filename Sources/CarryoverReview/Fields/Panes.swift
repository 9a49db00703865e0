import CarryoverTerminal

/// Which pane receives the keys, how large each is, and how far it is scrolled.
extension ReviewState {
  /// Lets a pane receive the keys; shows the details as a screen where they are no pane.
  mutating func focus(on pane: Pane) -> [ReviewEffect] {
    if visiblePanes.contains(pane) { focus = pane } else { open(.details) }
    return []
  }

  /// Lets the next pane receive the keys, or the one before.
  mutating func focusNeighbour(_ step: Int) -> [ReviewEffect] {
    let panes = visiblePanes
    let index = panes.firstIndex(of: activePane) ?? 0
    focus = panes[(index + step + panes.count) % panes.count]
    return []
  }

  /// Changes the size of a pane.
  mutating func resizePane(_ change: PaneChange) -> [ReviewEffect] {
    let old = layout
    let active = activePane
    switch change {
    case .restore: panes.sizes = PaneSizes(options.layout)
    case .taller, .shorter:
      // What the warnings win, the list loses.
      let step = (change == .taller) == (active != .warnings) ? 1 : -1
      let rows = Self.moved(old.listRows.count, step, Layout.listBounds(size, top: old.top))
      guard let rows else { return atBound() }
      panes.sizes.list = Proportion(rows, of: Layout.room(size, top: old.top))
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
    message = "The panes cannot be moved further; \(key("restore-sizes", .review)) makes them as they were."
    return [.bell]
  }

  /// What is scrolled: the pane with the keys, or the one under the pointer.
  func paneScroller(at position: Position?) -> Scroller<ReviewState>? {
    let layout = layout
    guard let position else { return scroller(of: activePane, layout) }
    return layout.pane(at: position).flatMap { scroller(of: $0, layout) }
  }

  private func scroller(of pane: Pane, _ layout: Layout) -> Scroller<ReviewState> {
    switch pane {
    case .fields:
      Scroller(
        count: rows.count, rows: layout.listRows, columns: 1..<layout.lastColumn, top: list.top, row: cursorRow ?? 0,
        select: { $0.select(row: $1) }, scroll: { $0.list.top = $1 })
    case .warnings:
      Scroller(count: panes.warnings.count, rows: layout.warningRows, top: panes.warnings.top) {
        $0.panes.warnings.top = max(0, $1)
      }
    case .details:
      Scroller(count: panes.details.lines.count, rows: layout.detailsRows, top: panes.details.top) {
        $0.panes.details.top = max(0, $1)
      }
    }
  }
}
