import CarryoverPages
import CarryoverTerminal

extension Program {
  /// Shows a screen, or goes back to it if it is open already.
  mutating func open(_ screen: Screen) {
    stack.typing = nil
    guard !Self.table[screen].isTyped else {
      stack.typing = LineEditor(screen)
      return
    }
    if topScreen != screen {
      show(Array(stack.screens.prefix { $0 != screen }) + [screen])
      stack.pageTop = 0
    }
    Self.table[screen].opened?(&self)
  }

  mutating func back() { if stack.screens.count > 1 { show(stack.screens.dropLast()) } }

  /// Changes which screens are open, and calls `closed` of those that no longer are.
  mutating func show(_ screens: [Screen]) {
    let closed = stack.screens.filter { !screens.contains($0) }
    stack.screens = screens
    if let find, closed.contains(find.screen) { stack.find = nil }
    for screen in closed { Self.table[screen].closed?(&self) }
  }

  mutating func refreshPage() {
    guard !isTooSmall else { return }
    let key = ScreenStack.PageKey(
      screen: topScreen, size: size, revision: revision, subject: Self.table[topScreen].subject?(self),
      words: stack.actions.words)
    if key != stack.pageKey {
      stack.pageKey = key
      stack.page = Self.table[topScreen].page?(self) ?? Page()
    }
    stack.pageTop = clampedPageTop(pageTop)
    refreshFind()
  }

  func clampedPageTop(_ line: Int) -> Int { max(0, min(line, page.lines.count - PageLayout(size: size).rows.count)) }

  /// What the keys scroll, or, with a position, what the mouse wheel scrolls there.
  func scroller(at position: Position? = nil) -> Scroller<Self>? {
    let content = Self.table[topScreen]
    if let scroller = content.scroller { return scroller(self, position) }
    guard case .text = content.kind else { return nil }
    return Scroller(
      count: page.lines.count, rows: PageLayout(size: size).rows, top: pageTop
    ) { state, _, top in state.stack.pageTop = state.clampedPageTop(top) }
  }

  mutating func move(_ move: Move) {
    if let chosen = Self.table[topScreen].chosen {
      self.move(move, among: chosen)
    } else if let scroller = scroller() {
      let from = scroller.row ?? scroller.top
      guard scroller.count > 0 else { return }
      scroller.select(&self, ListWindow.row(move, from: from, of: scroller.count, visible: scroller.rows.count))
    }
  }

  mutating func reveal(_ screen: Screen) {
    guard let scroller = Self.table[screen].scroller?(self, nil), let row = scroller.row else { return }
    scroller.select(&self, row)
  }

  mutating func go(toRow row: Int) {
    guard let scroller = scroller(), scroller.count > 0 else { return }
    scroller.select(&self, max(0, min(row, scroller.count - 1)))
  }

  /// Scrolls the pane under the pointer without moving the focus. In a list the cursor stays in sight.
  mutating func wheel(_ lines: Int, at position: Position) {
    guard !isTypedAlone, let scroller = scroller(at: position) else { return }
    guard let row = scroller.row else { return scroller.select(&self, max(0, scroller.top + lines)) }
    let visible = scroller.rows.count
    let top = ListWindow.scrolled(scroller.top, by: lines, of: scroller.count, visible: visible)
    scroller.put(&self, ListWindow.row(nearest: row, top: top, visible: visible), top)
  }

  mutating func use(_ mouse: Mouse) {
    guard busy == nil, !isTooSmall else { return }
    switch mouse.action {
    case .wheelUp: wheel(-Self.wheelLines, at: mouse.position)
    case .wheelDown: wheel(Self.wheelLines, at: mouse.position)
    case .select:
      let hint = mouse.position.row == size.rows - 1 ? footer.key(at: mouse.position.column) : nil
      message = nil
      stack.count = nil
      if let hint { return press(byClick: hint) }
      guard !isTypedAlone else { return }
      if let own = Self.table[topScreen].click { return own(&self, mouse.position) }
      _ = selectRow(at: mouse.position)
    }
  }

  /// Whether a value is typed. Then nothing under it moves; under a search or a filter it does.
  private var isTypedAlone: Bool { stack.typing?.part != nil }

  mutating func selectRow(at position: Position) -> Bool {
    guard let scroller = scroller(at: position), scroller.row != nil, scroller.rows.contains(position.row),
      scroller.columns.contains(position.column)
    else { return false }
    let row = scroller.top + position.row - scroller.rows.lowerBound
    guard row < scroller.count else { return false }
    scroller.select(&self, row)
    return true
  }

  private static var wheelLines: Int { 3 }

  /// Presses a key, unless that could write to the container or lose decisions: an accidental click is too easy.
  private mutating func press(byClick key: Key) {
    var next = self
    let binding = Self.table.binding(for: key, in: screen, options.keymap)
    next.press(key)
    guard binding?.duty != .confirmation, next.effects.allSatisfy(\.isForClicks) else {
      return refuse("A click does not do this. Press \(key.name).")
    }
    self = next
  }

  mutating func act(byClick name: String) {
    guard let binding = Self.table.bindings(in: topScreen, options.keymap).first(where: { $0.name == name }),
      let key = binding.keys.first
    else { return }
    press(byClick: key)
    if effects == [.bell] { effects = [] }
  }

  private mutating func scroll(_ move: Move) {
    let visible = PageLayout(size: size).rows.count
    stack.pageTop = clampedPageTop(ListWindow.row(move, from: pageTop, of: page.lines.count, visible: visible))
  }

  /// Goes from item to item, and scrolls the page where an item is longer than it.
  mutating func move(_ move: Move, among chosen: Chosen<Self>) {
    let anchors = page.anchors
    let index = chosen.number(self)
    guard anchors.indices.contains(index) else { return scroll(move) }
    switch move {
    case .first:
      chosen.select(&self, 0)
      stack.pageTop = 0
    case .last:
      chosen.select(&self, anchors.count - 1)
      stack.pageTop = clampedPageTop(.max)
    case .up where anchors[index] < pageTop: scroll(move)
    case .up:
      chosen.select(&self, index - 1)
      reveal(anchor: chosen.number(self))
      if chosen.number(self) == 0 { stack.pageTop = 0 }
    case .down where index + 1 < anchors.count:
      chosen.select(&self, index + 1)
      reveal(anchor: chosen.number(self))
    case .down: scroll(move)
    case .pageUp, .pageDown:
      scroll(move)
      let shown = pageTop..<(pageTop + PageLayout(size: size).rows.count)
      guard !shown.contains(anchors[index]) else { return }
      let near =
        move == .pageDown ? anchors.firstIndex(where: shown.contains) : anchors.lastIndex(where: shown.contains)
      if let near { chosen.select(&self, near) }
    }
  }

  /// Scrolls as little as is needed to show an item: all of it, or else its beginning.
  mutating func reveal(anchor index: Int) {
    let anchors = page.anchors
    guard anchors.indices.contains(index) else { return }
    let visible = PageLayout(size: size).rows.count
    let start = anchors[index]
    let end = index + 1 < anchors.count ? anchors[index + 1] - 1 : min(start + 4, page.lines.count)
    stack.pageTop = clampedPageTop(min(start, max(pageTop, end - visible)))
  }
}

/// The choice among the items of a text, such as findings. They begin at the page's anchors.
struct Chosen<State: Program>: Sendable {
  let number: @Sendable (State) -> Int
  let select: @Sendable (inout State, Int) -> Void
}

extension Canvas {
  /// Draws the chosen item over the page, so that a move from item to item need not lay out the page again.
  mutating func drawChosen(_ index: Int) {
    let layout = PageLayout(size: size)
    let anchors = state.page.anchors
    guard anchors.indices.contains(index) else { return }
    let row = layout.rows.lowerBound + anchors[index] - state.pageTop
    guard layout.rows.contains(row), state.page.lines.indices.contains(anchors[index]) else { return }
    let line = state.page.lines[anchors[index]].map { Span($0.text, style: $0.style.selected()) }
    let start = layout.columns.lowerBound
    field(ink.pointer, row: row, columns: (start - 1)..<start, Style(.label, selected: true))
    put(line, row: row, columns: layout.columns)
  }
}

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
