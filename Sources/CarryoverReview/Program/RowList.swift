import CarryoverPages
import CarryoverTerminal

/// The rows of a list: one has the cursor, and some are visible.
struct RowList<Row: Sendable>: Sendable {
  private(set) var rows: [Row]
  /// The row with the cursor; 0 without rows.
  private(set) var row = 0
  private(set) var top = 0
  /// The other end of a range that ends at the cursor.
  private var anchor: Int?
  /// A range that stays while the cursor is on its row, wherever that is.
  private var held: ClosedRange<Int>?

  init(_ rows: [Row] = []) { self.rows = rows }

  var count: Int { rows.count }
  var selected: Row? { rows.element(row) }
  var range: ClosedRange<Int>? { held ?? anchor.map { min($0, row)...max($0, row) } }

  func visible(at lines: Range<Int>) -> [(line: Int, number: Int, row: Row)] {
    zip(lines, rows.indices.dropFirst(top)).map { ($0, $1, rows[$1]) }
  }

  mutating func select(_ row: Int) {
    let row = max(0, min(row, rows.count - 1))
    if row != self.row { held = nil }
    self.row = row
  }

  mutating func put(_ row: Int, top: Int) {
    select(row)
    self.top = max(0, top)
  }

  mutating func beginRange() { (anchor, held) = (selected == nil ? nil : row, nil) }
  mutating func endRange() { (anchor, held) = (nil, nil) }

  /// Keeps a range in which the cursor is put, until the cursor moves. Ends it if the cursor is outside.
  mutating func hold(_ range: ClosedRange<Int>) {
    if range.contains(row) { held = range } else { endRange() }
  }

  /// Ends a range.
  mutating func replace(_ rows: [Row]) {
    self.rows = rows
    endRange()
    select(row)
  }

  /// The cursor stays on the same row, or else at its number.
  /// - Returns: whether that row is still listed.
  @discardableResult
  mutating func replace(_ rows: [Row], where isSame: (Row, Row) -> Bool) -> Bool {
    let found = selected.flatMap { old in rows.firstIndex { isSame(old, $0) } }
    replace(rows)
    if let found { row = found }
    return found != nil
  }
}

/// A list, or lines without a cursor, as it is on the screen.
package struct Scroller<State: Sendable>: Sendable {
  var count: Int
  var rows: Range<Int>
  /// The columns in which a click selects a row.
  var columns: Range<Int> = 0..<0
  var top: Int
  /// The row with the cursor; nil for a text.
  var row: Int?
  /// Puts the cursor on a row, and another row at the top. A text has only a line at the top.
  var put: @Sendable (inout State, _ row: Int, _ top: Int) -> Void

  /// Puts the cursor on a row and shows it; for a text, puts a line at the top.
  func select(_ state: inout State, _ row: Int) {
    let isText = self.row == nil
    put(&state, row, isText ? row : ListWindow.top(top, showing: row, of: count, visible: rows.count))
  }
}

extension Scroller {
  init<Row>(
    _ list: RowList<Row>, _ rows: Range<Int>, _ columns: Range<Int>,
    put: @escaping @Sendable (inout State, _ row: Int, _ top: Int) -> Void
  ) { self.init(count: list.count, rows: rows, columns: columns, top: list.top, row: list.row, put: put) }
}

extension Canvas {
  /// Says in the last line of the frame which row has the cursor, if not every row is visible.
  mutating func drawPlace<Row>(of list: RowList<Row>, visible: Int) {
    if list.count > visible { drawPlace("\(list.row + 1) of \(list.count)", row: size.rows - 2) }
  }
}

enum ListWindow {
  static func row(_ move: Move, from row: Int, of count: Int, visible: Int) -> Int {
    let page = max(1, visible - 1)
    let target =
      switch move {
      case .up: row - 1
      case .down: row + 1
      case .pageUp: row - page
      case .pageDown: row + page
      case .first: 0
      case .last: count - 1
      }
    return max(0, min(count - 1, target))
  }

  /// The row at the top, moved as little as is needed to show a row.
  static func top(_ top: Int, showing row: Int, of count: Int, visible: Int) -> Int {
    let visible = max(1, visible)
    return max(0, min(min(max(top, row - visible + 1), row), count - visible))
  }

  /// The nearest row in a direction that meets a condition, round at the end; the row itself comes last.
  static func next(from row: Int, step: Int, of count: Int, where isMeant: (Int) -> Bool) -> Int? {
    (0..<count).lazy.map { ((row + step * ($0 + 1)) % count + count) % count }.first(where: isMeant)
  }

  static func scrolled(_ top: Int, by lines: Int, of count: Int, visible: Int) -> Int {
    max(0, min(top + lines, count - max(1, visible)))
  }

  static func row(nearest row: Int, top: Int, visible: Int) -> Int { max(top, min(row, top + max(1, visible) - 1)) }
}

package enum Move: Hashable, Sendable {
  case up, down, pageUp, pageDown, first, last
}

extension [Int] {
  /// The index of the first element that is not less than a number, in an ascending list.
  func lowerBound(_ number: Int) -> Int { indices.firstNot { self[$0] < number } }

  func row(of number: Int) -> Int? {
    let row = lowerBound(number)
    return element(row) == number ? row : nil
  }
}

extension Range<Int> {
  /// The first number that is not meant; all that are come before it.
  func firstNot(_ isMeant: (Int) -> Bool) -> Int {
    var range = self
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = isMeant(middle) ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
