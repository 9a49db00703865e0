/// A part of a whole, kept so that it can be had of another whole: exact for the one it was taken from.
struct Proportion: Hashable, Sendable {
  var part: Int
  var whole: Int

  init(_ part: Int, of whole: Int) {
    self.part = part
    self.whole = whole
  }

  /// The same share of another whole; nil of no share at all.
  func of(_ other: Int) -> Int? {
    guard whole > 0, part > 0 else { return nil }
    let (product, overflows) = part.multipliedReportingOverflow(by: other)
    return overflows ? other : (product + whole / 2) / whole
  }
}

/// How large somebody made the panes; nil where the layout decides. As shares, so that they hold in a window of any size.
struct PaneSizes: Hashable, Sendable {
  /// The rows of the list, of those that list and warnings have together.
  var list: Proportion?
  /// The columns up to the line between legacy and proposed, of those of the list.
  var legacy: Proportion?
  /// The columns of the list with its frames, where details stand beside it, of all.
  var main: Proportion?

  init() {}

  /// What a choice says of sizes.
  init(_ choice: LayoutChoice) {
    list = choice.listShare.map { Proportion($0, of: 100) }
    legacy = choice.legacyShare.map { Proportion($0, of: 100) }
  }
}

/// How a key changes the size of a pane.
package enum PaneChange: Hashable, Sendable {
  /// The focused pane gets a row more: the list, or the warnings below it.
  case taller
  /// It gets a row less.
  case shorter
  /// The upright line goes to the left: between legacy and proposed, or between list and focused details.
  case left
  /// It goes to the right.
  case right
  /// Every pane is as large as it was at the start.
  case restore
}
