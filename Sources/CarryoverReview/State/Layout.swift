import Carryover
import CarryoverTerminal

/// Where the parts of the review screen are, from the size of the screen and what the user set: a title, a list of rows,
/// the warnings, in a very wide window the details beside both, a footer. Reducer, renderer and mouse share it, so that
/// what moves, what is drawn and what is clicked agree.
struct Layout: Hashable {
  /// How a field is shown in the list.
  enum Shape: Hashable {
    /// Legacy and proposal side by side, with the change in words.
    case wide
    /// Side by side, without the change in words.
    case medium
    /// One pane with the proposals; the legacy value of the selected field stands below.
    case narrow
  }

  let size: Size
  /// The row of the upper frame: above it are the title bar and the verdict.
  let top: Int
  let shape: Shape
  /// The column of the line at the right of list and warnings.
  let lastColumn: Int
  /// The rows of the screen that hold fields.
  let listRows: Range<Int>
  /// The row of the line between the list and the warnings.
  let dividerRow: Int
  /// The rows of the warnings.
  let warningRows: Range<Int>
  /// The columns of the legacy pane between its frames; empty in the narrow shape.
  let legacyColumns: Range<Int>
  /// The columns of the proposals between their frames.
  let proposedColumns: Range<Int>
  /// The columns of the text of the details beside the list; empty where there is no room.
  let detailsColumns: Range<Int>

  /// The columns of whichever pane stands first.
  var listColumns: Range<Int> { legacyColumns.isEmpty ? proposedColumns : legacyColumns }

  init(
    size: Size, top: Int = 1, rows: Int, form: LayoutChoice.Form = .auto, sizes: PaneSizes = PaneSizes(),
    hasDetails: Bool = false
  ) {
    self.size = size
    self.top = top
    let last = max(2, size.columns - 1)
    if hasDetails, form == .auto, size.columns >= Self.detailsFrom {
      let width = sizes.main?.of(size.columns) ?? max(100, size.columns * 60 / 100)
      lastColumn = Self.mainBounds(size).clamping(width) - 1
      detailsColumns = (lastColumn + 2)..<(last - 1)
    } else {
      lastColumn = last
      detailsColumns = 0..<0
    }
    let width = lastColumn + 1
    shape = Self.shape(form, width)
    // The title, three lines of frame and the footer stand around list and warnings.
    let room = Self.room(size, top: top)
    // Long lists leave the warnings this much; short ones leave them everything.
    let warnings = min(room, max(5, min(12, room * 2 / 5)))
    let list = sizes.list?.of(room).map(Self.listBounds(size, top: top).clamping) ?? max(1, min(rows, room - warnings))
    listRows = (top + 1)..<(top + 1 + list)
    dividerRow = top + 1 + list
    warningRows = (dividerRow + 1)..<max(dividerRow + 1, size.rows - 2)
    switch shape {
    case .wide, .medium:
      let wanted = sizes.legacy?.of(width) ?? width * Self.legacyShare(width) / 100
      let middle = Self.dividerBounds(width).clamping(wanted)
      legacyColumns = 1..<middle
      proposedColumns = (middle + 1)..<max(middle + 1, lastColumn)
    case .narrow:
      legacyColumns = 1..<1
      proposedColumns = 1..<lastColumn
    }
  }

  /// From how many columns on the details stand beside the list.
  static let detailsFrom = 150

  /// The rows that list and warnings have together.
  static func room(_ size: Size, top: Int = 1) -> Int { max(0, size.rows - top - 4) }

  /// How many rows the list can have so that it and the warnings keep some.
  static func listBounds(_ size: Size, top: Int = 1) -> ClosedRange<Int> { 3...max(3, room(size, top: top) - 3) }

  /// Where the line between legacy and proposed can stand, in a list of so many columns.
  static func dividerBounds(_ width: Int) -> ClosedRange<Int> { 17...max(17, width - 26) }

  /// How many columns the list can have where details stand beside it.
  static func mainBounds(_ size: Size) -> ClosedRange<Int> { 60...max(60, size.columns - 27) }

  private static func shape(_ form: LayoutChoice.Form, _ width: Int) -> Shape {
    // Narrower than any window the review is drawn in, two panes find no place at all.
    guard width >= 50 else { return .narrow }
    switch form {
    case .auto: return width >= 100 ? .wide : width >= 76 ? .medium : .narrow
    case .wide: return .wide
    case .medium: return .medium
    case .narrow: return .narrow
    }
  }

  /// Of a hundred columns. The proposals need more where the change in words stands beside them and room is scarce.
  private static func legacyShare(_ columns: Int) -> Int { columns < 100 ? 45 : columns < 110 ? 40 : 42 }
}

extension Layout {
  /// Whether the details stand beside the list.
  var hasDetails: Bool { !detailsColumns.isEmpty }

  /// The rows of the details beside the list.
  var detailsRows: Range<Int> { (top + 1)..<max(top + 1, size.rows - 2) }

  /// The columns of the text of the warnings.
  var warningColumns: Range<Int> { 2..<max(2, lastColumn - 1) }

  /// The frame of a pane; panes side by side share a line.
  func frame(of pane: Pane) -> Rect {
    switch pane {
    case .fields: Rect(column: 0, row: top, columns: lastColumn + 1, rows: dividerRow - top + 1)
    case .warnings:
      Rect(column: 0, row: dividerRow, columns: lastColumn + 1, rows: max(0, size.rows - 1 - dividerRow))
    case .details:
      hasDetails
        ? Rect(column: lastColumn, row: top, columns: size.columns - lastColumn, rows: size.rows - top - 1)
        : Rect(column: 0, row: 0, columns: 0, rows: 0)
    }
  }

  /// The pane a cell belongs to; of a line that two share, the one whose title stands in it. Nil for title bar and footer.
  func pane(at position: Position) -> Pane? {
    guard (top..<max(top, size.rows - 1)).contains(position.row), (0..<size.columns).contains(position.column) else {
      return nil
    }
    if position.column > lastColumn { return .details }
    return position.row < dividerRow ? .fields : .warnings
  }
}

extension ClosedRange where Bound == Int {
  /// The nearest number within.
  func clamping(_ number: Int) -> Int { Swift.max(lowerBound, Swift.min(number, upperBound)) }
}

/// A part of the review's screen that can receive the keys.
package enum Pane: Int, CaseIterable, Hashable, Sendable {
  /// The list of fields: legacy and proposed.
  case fields = 1
  /// What is to be said of the selected field and of the container.
  case warnings
  /// All about the selected field, where the window is wide enough for it beside the list.
  case details

  /// The title in the frame.
  package var title: String {
    switch self {
    case .fields: "Fields"
    case .warnings: "Findings"
    case .details: "Details"
    }
  }
}

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
