import Carryover
import CarryoverTerminal

extension ReviewState {
  /// Lays the panes around the list out where they are not up to date. Only as many lines as can be seen, unless a pane
  /// is scrolled or has the keys: a container may have any number of findings, and a value be of any length.
  package mutating func refreshPanes() {
    // A menu stands over the panes.
    guard topScreen == .review || menu != nil, !isTooSmall else { return }
    if panes.field != cursor {
      panes.field = cursor
      panes.warnings.top = 0
      panes.details.top = 0
    }
    let (layout, active) = (layout, activePane)
    refreshWarnings(layout, isWhole: active == .warnings || panes.warnings.top > 0)
    if layout.hasDetails { refreshDetails(layout, isWhole: active == .details || panes.details.top > 0) }
  }

  private mutating func refreshWarnings(_ layout: Layout, isWhole: Bool) {
    let (columns, visible) = (layout.warningColumns.count, layout.warningRows.count)
    // What concerns the container begins with a line across, which needs no blank one above it.
    let gap = plan.containerFindings.isEmpty ? 1 : 0
    // In brief there are never more than a line about the field and three findings.
    let least = min(isWhole ? 6 : gap + (layout.shape == .wide ? 3 : 4), (visible + 1) / 2)
    let ownKey = WarningsText.OwnKey(
      text: PaneText.Key(position: cursorPosition, columns: columns, revision: stack.revision), shape: layout.shape,
      room: isWhole ? nil : least - gap)
    if panes.warnings.ownKey != ownKey {
      panes.warnings.ownKey = ownKey
      panes.warnings.own = ownWarnings(layout.shape, columns: columns, room: ownKey.room)
    }
    let sharedKey = PaneText.Key(columns: columns, revision: planRevision, limit: isWhole ? nil : visible)
    if panes.warnings.sharedKey != sharedKey {
      panes.warnings.sharedKey = sharedKey
      panes.warnings.shared = sharedWarnings(columns: columns, limit: sharedKey.limit)
    }
    let place = max(visible - panes.warnings.shared.count, least)
    panes.warnings.start = max(panes.warnings.own.count + gap, place)
    panes.warnings.top = max(0, min(panes.warnings.top, panes.warnings.count - visible))
  }

  private mutating func refreshDetails(_ layout: Layout, isWhole: Bool) {
    let visible = layout.detailsRows.count
    let key = PaneText.Key(
      position: cursorPosition, columns: layout.detailsColumns.count, revision: stack.revision,
      limit: isWhole ? nil : visible + 1)
    if panes.details.key != key {
      panes.details.key = key
      var writer = PageWriter(columns: key.columns, ink: Ink(options), limit: key.limit)
      if let selected { writer.details(of: selected, self) }
      panes.details.lines = writer.lines
    }
    panes.details.top = max(0, min(panes.details.top, panes.details.lines.count - visible))
  }
}
