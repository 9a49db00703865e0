import Carryover
import CarryoverPages
import CarryoverTerminal

/// The layout of the review's screen: title, list, warnings, in a very wide window the details beside both, footer.
/// Reducer, renderer and mouse share it, so that what moves, what is drawn and what is clicked agree.
struct Layout: Hashable {
  enum Shape: Hashable {
    /// Legacy and proposal side by side, with the change in words.
    case wide
    /// Side by side, without the change in words.
    case medium
    /// Proposals only; the legacy value of the selected field is below.
    case narrow
  }

  let size: Size
  /// The row of the upper frame, below the title bar and the verdict.
  let top: Int
  let shape: Shape
  /// The column of the line at the right of list and warnings.
  let lastColumn: Int
  let listRows: Range<Int>
  let dividerRow: Int
  let warningRows: Range<Int>
  /// Between the frames; empty in the narrow shape.
  let legacyColumns: Range<Int>
  let proposedColumns: Range<Int>
  /// Empty if the details have no room beside the list.
  let detailsColumns: Range<Int>

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
    // The rest is the title, three lines of frame and the footer.
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

  static let detailsFrom = 150

  static func room(_ size: Size, top: Int = 1) -> Int { max(0, size.rows - top - 4) }

  /// The height of the list, so that it and the warnings keep some rows.
  static func listBounds(_ size: Size, top: Int = 1) -> ClosedRange<Int> { 3...max(3, room(size, top: top) - 3) }
  static func dividerBounds(_ width: Int) -> ClosedRange<Int> { 17...max(17, width - 26) }
  static func mainBounds(_ size: Size) -> ClosedRange<Int> { 60...max(60, size.columns - 27) }

  private static func shape(_ form: LayoutChoice.Form, _ width: Int) -> Shape {
    // Two panes have no room below this.
    guard width >= 50 else { return .narrow }
    switch form {
    case .auto: return width >= 100 ? .wide : width >= 76 ? .medium : .narrow
    case .wide: return .wide
    case .medium: return .medium
    case .narrow: return .narrow
    }
  }

  /// In percent. The proposals need more where the change in words is beside them and room is scarce.
  private static func legacyShare(_ columns: Int) -> Int { columns < 100 ? 45 : columns < 110 ? 40 : 42 }

  var hasDetails: Bool { !detailsColumns.isEmpty }
  var detailsRows: Range<Int> { (top + 1)..<max(top + 1, size.rows - 2) }
  var warningColumns: Range<Int> { 2..<max(2, lastColumn - 1) }

  /// Panes side by side share a line.
  func frame(of pane: Pane) -> Rect {
    switch pane {
    case .fields: Rect(column: 0, row: top, columns: lastColumn + 1, rows: dividerRow - top + 1)
    case .warnings: Rect(column: 0, row: dividerRow, columns: lastColumn + 1, rows: max(0, size.rows - 1 - dividerRow))
    case .details:
      hasDetails
        ? Rect(column: lastColumn, row: top, columns: size.columns - lastColumn, rows: size.rows - top - 1)
        : Rect(column: 0, row: 0, columns: 0, rows: 0)
    }
  }

  /// The pane at a position; of a shared line, the pane whose title is in it. Nil for title bar and footer.
  func pane(at position: Position) -> Pane? {
    guard (top..<max(top, size.rows - 1)).contains(position.row), (0..<size.columns).contains(position.column) else {
      return nil
    }
    if position.column > lastColumn { return .details }
    return position.row < dividerRow ? .fields : .warnings
  }
}

extension ClosedRange where Bound == Int {
  func clamping(_ number: Int) -> Int { Swift.max(lowerBound, Swift.min(number, upperBound)) }
}

package enum Pane: Int, CaseIterable, Hashable, Sendable {
  case fields = 1
  case warnings
  case details

  package var title: String {
    switch self {
    case .fields: "Fields"
    case .warnings: "Findings"
    case .details: "Details"
    }
  }
}

/// A share of a whole as a fraction, so that it is exact for that whole.
struct Proportion: Hashable, Sendable {
  var part: Int
  var whole: Int

  init(_ part: Int, of whole: Int) {
    self.part = part
    self.whole = whole
  }

  func of(_ other: Int) -> Int? {
    guard whole > 0, part > 0 else { return nil }
    let (product, overflows) = part.multipliedReportingOverflow(by: other)
    return overflows ? other : (product + whole / 2) / whole
  }
}

/// The user's sizes of the panes, as shares, so that they hold in a window of any size; nil where the layout decides.
struct PaneSizes: Hashable, Sendable {
  /// Of the rows of list and warnings.
  var list: Proportion?
  /// Of the columns of the list, up to the line between legacy and proposed.
  var legacy: Proportion?
  /// Of all columns, for the list where details are beside it.
  var main: Proportion?

  init() {}

  init(_ choice: LayoutChoice) {
    list = choice.listShare.map { Proportion($0, of: 100) }
    legacy = choice.legacyShare.map { Proportion($0, of: 100) }
  }
}

struct ReviewPanes: Sendable {
  var sizes: PaneSizes
  var warnings = WarningsText()
  var details = PaneText()
  /// The field they are laid out for: another one is shown from its beginning.
  var field: Field.ID?

  init(_ choice: LayoutChoice) { sizes = PaneSizes(choice) }
}

struct PaneText: Sendable {
  /// The text is laid out again when this changes, not for every frame.
  struct Key: Hashable, Sendable {
    var position: Int?
    var columns: Int
    var revision: Int
    var limit: Int?
    var shape: Layout.Shape?
  }

  var lines: [[Span]] = []
  var top = 0
  var key: Key?
}

struct WarningsText: Sendable {
  /// The lines that a field's own findings usually need.
  static let usualOwn = 7

  var own: [[Span]] = []
  var shared: [[Span]] = []
  var start = 0
  var top = 0
  /// The line of the shared text to be shown next.
  var wanted: Int?
  var ownKey: PaneText.Key?
  var sharedKey: PaneText.Key?

  var count: Int { shared.isEmpty ? own.count : start + shared.count }

  func lines(_ count: Int) -> [[Span]] {
    (top..<min(top + max(0, count), max(top, self.count))).map { line in
      (line < start ? own.element(line) : shared.element(line - start)) ?? []
    }
  }
}

extension ReviewState {
  var visiblePanes: [Pane] { layout.hasDetails ? Pane.allCases : [.fields, .warnings] }

  /// The pane that receives the keys. Details without room get them back with the room.
  var activePane: Pane { focus == .details && !layout.hasDetails ? .fields : focus }
}
