import CarryoverTerminal

extension Canvas {
  /// The lines around the panes. Those of the pane that receives the keys are its own.
  mutating func drawLines(_ form: ReviewForm) {
    let (layout, active) = (form.layout, form.active)
    for pane in state.visiblePanes where pane != active { grid.frame(layout.frame(of: pane)) }
    // Last, so that the lines it shares are its own.
    let style = Style(.frameFocused)
    grid.frame(layout.frame(of: active), style: style)
    guard layout.shape != .narrow else { return }
    grid.verticalLine(
      column: layout.proposedColumns.lowerBound - 1, from: 1, through: layout.dividerRow,
      style: active == .fields ? style : Style(.frame))
    // The ends of that line belong to the edges it meets.
    if active == .warnings { grid.frame(layout.frame(of: active), style: style) }
  }
}
