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

/// The text of the findings: what concerns the selected field, and below it what concerns the container.
struct WarningsText: Sendable {
  /// The lines that a field's own findings usually need.
  static let usualOwn = 7

  struct OwnKey: Hashable, Sendable {
    var text: PaneText.Key
    var shape: Layout.Shape
  }

  var own: [[Span]] = []
  var shared: [[Span]] = []
  /// The line at which the shared text begins.
  var start = 0
  /// The line at the top.
  var top = 0
  /// The line of the shared text to be shown next.
  var wanted: Int?
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
}
