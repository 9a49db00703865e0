import Carryover
import CarryoverTerminal

/// What the panes around the list show, how far they are scrolled, and how large they are made.
struct ReviewPanes: Sendable {
  var sizes: PaneSizes
  var warnings = WarningsText()
  var details = PaneText()
  /// The field they are laid out for: another one is shown from its beginning.
  var field: Field.ID?

  init(_ choice: LayoutChoice) { sizes = PaneSizes(choice) }
}

/// The text of a pane, laid out for its width.
struct PaneText: Sendable {
  /// What the text depends on; it is laid out again when this changes, not for every frame.
  struct Key: Hashable, Sendable {
    /// The field's position in the plan.
    var position: Int?
    var columns: Int
    var revision: Int
    /// How many lines are wanted; nil for all.
    var limit: Int?
  }

  var lines: [[Span]] = []
  /// The line at the top.
  var top = 0
  var key: Key?
}

/// The text of the warnings: what concerns the selected field, and below it what all fields share, which is laid out
/// once and keeps its place while the cursor moves. That is quieter, and sends less to the terminal.
struct WarningsText: Sendable {
  struct OwnKey: Hashable, Sendable {
    var text: PaneText.Key
    var shape: Layout.Shape
    /// How many lines there are in brief; nil for the whole text.
    var room: Int?
  }

  var own: [[Span]] = []
  var shared: [[Span]] = []
  /// The line at which the shared text begins.
  var start = 0
  /// The line at the top.
  var top = 0
  var ownKey: OwnKey?
  var sharedKey: PaneText.Key?

  /// How many lines there are, those between the two parts included.
  var count: Int { shared.isEmpty ? own.count : start + shared.count }

  /// So many lines from the one at the top on, as far as there are any.
  func lines(_ count: Int) -> [[Span]] {
    (top..<min(top + max(0, count), max(top, self.count))).map { line in
      (line < start ? own.element(line) : shared.element(line - start)) ?? []
    }
  }
}

extension ReviewState {
  /// The panes that are on the screen.
  var visiblePanes: [Pane] { layout.hasDetails ? Pane.allCases : [.fields, .warnings] }

  /// The pane that receives the keys. Details that a narrower window has no room for get them back with the room.
  var activePane: Pane { focus == .details && !layout.hasDetails ? .fields : focus }

  /// Lays the panes around the list out where they are not up to date. Only as many lines as can be seen, unless a pane
  /// is scrolled or has the keys: a container may have any number of findings, and a value be of any length.
  mutating func refreshPanes() {
    guard (screens.last ?? .review) == .review, !isTooSmall else { return }
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
      text: PaneText.Key(position: cursorPosition, columns: columns, revision: revision), shape: layout.shape,
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
      position: cursorPosition, columns: layout.detailsColumns.count, revision: revision,
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
