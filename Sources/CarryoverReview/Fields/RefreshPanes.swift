import Carryover
import CarryoverTerminal

extension ReviewState {
  /// Lays the panes around the list out where they are not up to date. Only as many lines as can be seen, unless a pane
  /// is scrolled or has the keys: a container may have any number of findings, and a value be of any length.
  package mutating func refreshPanes() {
    refreshMembers()
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

  /// The field's own findings come first, whole, as far as the pane goes. What is left shows the container's: in full
  /// where that fits, otherwise a line each, and always at the same place, so that they do not move with the cursor.
  private mutating func refreshWarnings(_ layout: Layout, isWhole: Bool) {
    let (columns, visible) = (layout.warningColumns.count, layout.warningRows.count)
    let ownKey = WarningsText.OwnKey(
      text: PaneText.Key(position: cursorPosition, columns: columns, revision: stack.revision), shape: layout.shape)
    if panes.warnings.ownKey != ownKey {
      panes.warnings.ownKey = ownKey
      panes.warnings.own = ownWarnings(layout.shape, columns: columns)
    }
    let room = max(0, visible - WarningsText.usualOwn)
    let sharedKey = PaneText.Key(columns: columns, revision: planRevision, limit: isWhole ? nil : visible)
    if panes.warnings.sharedKey != sharedKey {
      panes.warnings.sharedKey = sharedKey
      panes.warnings.shared = sharedWarnings(columns: columns, isWhole: true, limit: isWhole ? nil : room + 1)
      if !isWhole, panes.warnings.shared.count > room {
        panes.warnings.shared = sharedWarnings(columns: columns, isWhole: false, limit: visible)
      }
    }
    // What blocks the plan is to be read whole, so it takes the room that a field's findings may need.
    let place = blockers.isEmpty ? visible / 2 : max(0, visible - panes.warnings.shared.count)
    panes.warnings.start = max(panes.warnings.own.count, min(WarningsText.usualOwn, place))
    if let line = panes.warnings.wanted {
      // With a line above it, so that it is read in its place.
      panes.warnings.top = panes.warnings.start + line - 1
      panes.warnings.wanted = nil
    }
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
