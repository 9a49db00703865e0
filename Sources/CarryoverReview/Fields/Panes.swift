import CarryoverPages
import CarryoverTerminal

extension ReviewState {
  mutating func focus(on pane: Pane) {
    if visiblePanes.contains(pane) { focus = pane } else { open(.details) }
  }

  mutating func focusNeighbour(_ step: Int) {
    let panes = visiblePanes
    let index = panes.firstIndex(of: activePane) ?? 0
    focus = panes[(index + step + panes.count) % panes.count]
  }

  /// Makes the focused pane, the list or the findings below it, taller or shorter.
  mutating func resizePane(by rows: Int) {
    let old = layout
    // What the findings win, the list loses.
    let step = activePane == .warnings ? -rows : rows
    guard let count = Self.moved(old.listRows.count, step, Layout.listBounds(size, top: old.top)) else {
      return atBound()
    }
    panes.sizes.list = Proportion(count, of: Layout.room(size, top: old.top))
    revealCursor()
  }

  /// Moves the line between legacy and proposed, or between the list and focused details.
  mutating func moveDivider(by columns: Int) {
    let old = layout
    let width = old.lastColumn + 1
    if activePane == .details {
      guard let main = Self.moved(width, columns, Layout.mainBounds(size)) else { return atBound() }
      panes.sizes.main = Proportion(main, of: size.columns)
    } else {
      guard old.shape != .narrow else { return refuse("There is only one pane here; a wider window has two.") }
      let bounds = Layout.dividerBounds(width)
      guard let middle = Self.moved(old.legacyColumns.upperBound, columns, bounds) else { return atBound() }
      panes.sizes.legacy = Proportion(middle, of: width)
    }
    revealCursor()
  }

  /// A number moved by a step within bounds; nil at the bound.
  private static func moved(_ number: Int, _ step: Int, _ bounds: ClosedRange<Int>) -> Int? {
    let moved = bounds.clamping(number + step)
    return (moved - number).signum() == step.signum() ? moved : nil
  }

  private mutating func atBound() {
    refuse("The panes cannot be resized further; \(key("restore-sizes", .review)) restores the sizes.")
  }

  func paneScroller(at position: Position?) -> Scroller<ReviewState>? {
    let layout = layout
    guard let position else { return scroller(of: activePane, layout) }
    return layout.pane(at: position).flatMap { scroller(of: $0, layout) }
  }

  private func scroller(of pane: Pane, _ layout: Layout) -> Scroller<ReviewState> {
    switch pane {
    case .fields:
      Scroller(list, layout.listRows, 1..<layout.lastColumn) {
        $0.select(row: $1)
        $0.list.put($0.list.row, top: $2)
      }
    case .warnings:
      Scroller(count: panes.warnings.count, rows: layout.warningRows, top: panes.warnings.top) {
        $0.panes.warnings.top = max(0, $2)
      }
    case .details:
      Scroller(count: panes.details.lines.count, rows: layout.detailsRows, top: panes.details.top) {
        $0.panes.details.top = max(0, $2)
      }
    }
  }

  /// Lays out the panes around the list where they are outdated: only the visible lines, unless a pane is scrolled or
  /// focused, because there may be any number of findings and a value may have any length.
  package mutating func refreshPanes() {
    refreshMembers()
    // A menu covers the panes.
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

  /// The field's own findings come first, whole, as far as the pane goes. Below, always at the same place, are the
  /// container's: whole if they fit, otherwise a line each.
  private mutating func refreshWarnings(_ layout: Layout, isWhole: Bool) {
    let (columns, visible) = (layout.warningColumns.count, layout.warningRows.count)
    let ownKey = PaneText.Key(
      position: cursorPosition, columns: columns, revision: contentRevision, shape: layout.shape)
    if panes.warnings.ownKey != ownKey {
      panes.warnings.ownKey = ownKey
      panes.warnings.own = ownWarnings(at: cursorPosition, layout.shape, columns: columns)
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
    // Blocking findings are shown whole, and take the room that a field's findings may need.
    let place = blockers.isEmpty ? visible / 2 : max(0, visible - panes.warnings.shared.count)
    panes.warnings.start = max(panes.warnings.own.count, min(WarningsText.usualOwn, place))
    if let line = panes.warnings.wanted {
      // With the line above it.
      panes.warnings.top = panes.warnings.start + line - 1
      panes.warnings.wanted = nil
    }
    panes.warnings.top = max(0, min(panes.warnings.top, panes.warnings.count - visible))
  }

  private mutating func refreshDetails(_ layout: Layout, isWhole: Bool) {
    let visible = layout.detailsRows.count
    let key = PaneText.Key(
      position: cursorPosition, columns: layout.detailsColumns.count, revision: contentRevision,
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

enum PaneKeys {
  static let all: [ReviewKey] = [
    pane([.tab], "next pane", "Focus the next pane: fields, findings, details.", hint: 5) { $0.focusNeighbour(1) },
    pane([.backTab], "previous pane", "Focus the previous pane.") { $0.focusNeighbour(-1) },
    pane([.character("1")], "fields", "Focus the list of fields.", name: "focus-fields") { $0.focus(on: .fields) },
    pane([.character("2")], "findings", "Focus the findings, to scroll them.", name: "focus-findings") {
      $0.focus(on: .warnings)
    },
    ReviewKey(
      [.character("3")], "details", "Focus the details; open them if the window is too narrow to show both.",
      in: [.review], .panes, name: "focus-details", opens: [.details], unless: FieldKeys.noCursor
    ) { $0.focus(on: .details) },
    pane([.character("+")], "taller", "Make the focused pane a row taller: the list, or the findings.") {
      $0.resizePane(by: 1)
    },
    pane([.character("-")], "shorter", "Make the focused pane a row shorter.") { $0.resizePane(by: -1) },
    pane(
      [.character("<")], "divider left",
      "Move the divider left: between legacy and proposed, or beside focused details."
    ) { $0.moveDivider(by: -2) },
    pane([.character(">")], "divider right", "Move the same divider right.") { $0.moveDivider(by: 2) },
    pane([.character("=")], "restore sizes", "Restore the size of every pane.") {
      $0.panes.sizes = PaneSizes($0.options.layout)
      $0.revealCursor()
    },
  ]

  private static func pane(
    _ keys: [Key], _ label: String, _ help: String, hint: Int? = nil, name: String? = nil,
    _ action: @escaping @Sendable (inout ReviewState) -> Void
  ) -> ReviewKey {
    ReviewKey(keys, label, help, in: [.review], .panes, hint: hint, name: name, action)
  }
}
