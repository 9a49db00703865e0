import CarryoverPages
import CarryoverTerminal

/// A search on the screen on top, typed or kept: among the lines of a text, or the rows of a list.
struct Find: Sendable {
  let screen: Screen
  /// The line at the top, or the row with the cursor, where the search began.
  let origin: Int
  let originTop: Int
  let originChosen: Int?
  var wanted = SearchText("")
  /// The matching lines or rows, ascending.
  var matches: [Int] = []
  var current: Int?
  /// Searches the screen's text, which is built once for each page key.
  fileprivate var source: (key: Key, matches: @Sendable (SearchText) -> [Int])?
  fileprivate var searched: SearchText?

  fileprivate struct Key: Hashable {
    var page: ScreenStack.PageKey?
    var isExact: Bool
  }

  var words: String {
    guard !wanted.isEmpty else { return "" }
    return matches.isEmpty ? "no match" : current.map { "\($0 + 1) of \(matches.count)" } ?? "\(matches.count) found"
  }
}

extension Program {
  var find: Find? { stack.find.flatMap { $0.screen == topScreen ? $0 : nil } }

  /// The status of the search at the right of the last line, or else of the program.
  var statusWords: String? {
    guard let find, !find.wanted.isEmpty else { return lastLineWords }
    let ink = Ink(options)
    let text = ink.name(find.wanted.text, columns: size.columns / 3)
    return (options.repeatsTyped ? "/" + text + "  " : "") + ink.words(find.words)
  }

  mutating func beginFind() {
    let scroller = scroller()
    stack.find = Find(
      screen: topScreen, origin: scroller.map { $0.row ?? $0.top } ?? 0, originTop: scroller?.top ?? 0,
      originChosen: Self.table[topScreen].chosen?.number(self))
    stack.typing = LineEditor(Self.table.find)
  }

  mutating func find(_ text: String) {
    guard stack.find != nil else { return }
    stack.find?.wanted = SearchText(text)
    refreshFind()
    guard let find = stack.find else { return }
    let first = find.matches.lowerBound(find.origin)
    if find.matches.isEmpty {
      stack.find?.current = nil
      returnToOrigin(of: find)
    } else {
      goToFound(first < find.matches.count ? first : 0)
    }
  }

  mutating func keepFind() {
    stack.typing = nil
    guard let find else { return }
    if find.wanted.isEmpty { return stack.find = nil }
    if find.matches.isEmpty { message = "Nothing here contains \(options.quoted(find.wanted.text))." }
  }

  /// Ends the search. While it is still typed, goes back to its origin.
  mutating func endFind() {
    if stack.typing?.screen == Self.table.find, let find { returnToOrigin(of: find) }
    stack.typing = nil
    stack.find = nil
  }

  private mutating func returnToOrigin(of find: Find) {
    guard let scroller = scroller() else { return }
    scroller.put(&self, find.origin, find.originTop)
    if let number = find.originChosen { Self.table[topScreen].chosen?.select(&self, number) }
  }

  func findStep(_ binding: KeyBinding<Self>) -> Int? {
    guard let find, !find.wanted.isEmpty, stack.typing == nil else { return nil }
    return binding.name == "next" ? 1 : binding.name == "previous" ? -1 : nil
  }

  mutating func goToFound(step: Int) {
    refreshFind()
    guard let find, !find.matches.isEmpty, let scroller = scroller() else { return refuse("There is no match.") }
    let count = find.matches.count
    // If the user has moved on, the search continues from there.
    let seen = scroller.row.map { $0..<($0 + 1) } ?? scroller.top..<(scroller.top + scroller.rows.count)
    let current = find.current.flatMap { find.matches.element($0).map(seen.contains) == true ? $0 : nil }
    let place = (number: current ?? find.matches.lowerBound(seen.lowerBound), isOn: current != nil)
    goToFound(match(from: place, step: step, of: count, isOnly: count == 1))
  }

  /// The match that a step leads to. The search wraps around at the end, and the message says so.
  mutating func match(from place: (number: Int, isOn: Bool), step: Int, of count: Int, isOnly: Bool = false) -> Int {
    let target = place.isOn ? place.number + step : step > 0 ? place.number : place.number - 1
    if target < 0 || target >= count { message = isOnly ? "This is the only match." : "The search wrapped around." }
    return (target % count + count) % count
  }

  private mutating func goToFound(_ number: Int) {
    guard let matches = stack.find?.matches, matches.indices.contains(number) else { return }
    stack.find?.current = number
    select(place: matches[number])
  }

  /// Puts the cursor on a row, or shows a line of a text, with the one above it if it was not visible.
  private mutating func select(place: Int) {
    guard let scroller = scroller() else { return }
    guard scroller.row == nil else { return scroller.select(&self, place) }
    if let chosen = Self.table[topScreen].chosen, let index = page.anchors.lastIndex(where: { $0 <= place }) {
      chosen.select(&self, index)
    }
    let isInSight = place < scroller.top + scroller.rows.count && place > scroller.top - (scroller.top == 0 ? 1 : 0)
    if !isInSight { scroller.select(&self, max(0, place - 1)) }
  }

  mutating func refreshFind() {
    guard var find, !isTooSmall else { return }
    let key = Find.Key(page: stack.pageKey, isExact: find.wanted.isExact)
    if find.source?.key != key { (find.source, find.searched) = ((key, findSource(isExact: key.isExact)), nil) }
    guard find.searched != find.wanted else { return }
    find.searched = find.wanted
    let matches = find.source?.matches(find.wanted) ?? []
    if matches != find.matches {
      let place = find.current.flatMap { find.matches.element($0) }
      find.current = place.flatMap { matches.firstIndex(of: $0) }
      find.matches = matches
    }
    stack.find = find
  }

  private func findSource(isExact: Bool) -> @Sendable (SearchText) -> [Int] {
    let content = Self.table[topScreen]
    if case .text = content.kind {
      let text = PageText(page.lines.map { $0.map(\.text).joined() }, columns: stack.textColumns, isExact: isExact)
      return { text.lines(containing: $0) }
    }
    guard let scroller = scroller() else { return { _ in [] } }
    let ink = Ink(options)
    var column = TextColumn(isExact: isExact, count: scroller.count)
    for row in 0..<scroller.count {
      if let text = content.line?(self, row, ink) { column.append(text) }
      for text in content.texts?(self, row, ink) ?? [] { column.append(text) }
      column.close()
    }
    return { [column] in column.rows(containing: $0) }
  }

  /// The current match with the lines around it, for the accessible mode.
  var foundOnPage: [String] {
    guard let find, case .text = Self.table[topScreen].kind,
      let line = find.current.flatMap({ find.matches.element($0) })
    else { return [] }
    return (line - 1...line + 1).compactMap { page.lines.element($0)?.map(\.text).joined() }
  }
}

extension Canvas {
  mutating func markFound() {
    guard let find = state.find, !find.wanted.isEmpty, let scroller = state.scroller() else { return }
    let layout = PageLayout(size: size)
    let current = find.current.flatMap { find.matches.element($0) }.map { $0 - scroller.top + layout.rows.lowerBound }
    guard scroller.row == nil else {
      return markMatches(find.wanted, rows: layout.rows, columns: 1..<max(1, size.columns - 1))
    }
    markMatches(find.wanted, rows: layout.rows, columns: layout.columns, isWrapped: true, current: current)
  }
}

extension KeyBinding {
  /// - Parameters:
  ///   - screens: Where the search can begin.
  ///   - next: Where no other key is called `n`.
  ///   - previous: Where no other key is called `N`.
  ///   - line: The line it is typed into.
  static func finding(in screens: Set<Screen>, next: Set<Screen>, previous: Set<Screen>, _ line: Screen) -> [KeyBinding]
  {
    let noFind: @Sendable (State) -> String? = {
      $0.find == nil ? "There is no search; \($0.key("search", $0.topScreen)) starts one." : nil
    }
    let noMatch: @Sendable (State) -> String? = { $0.find?.matches.isEmpty == false ? nil : "There is no match." }
    return [
      KeyBinding(
        [.character("/")], "search", "Find text on this screen as you type. Capitals count once you type one.",
        in: screens, .searching, hint: 4, opens: [line]
      ) { $0.beginFind() },
      KeyBinding(
        [.character("n")], "next", "Go to the next match.", in: next, .searching, hint: 1, unless: noFind
      ) { $0.goToFound(step: 1) },
      KeyBinding(
        [.character("N")], "previous", "Go to the previous match.", in: previous, .searching, unless: noFind
      ) { $0.goToFound(step: -1) },
      KeyBinding(
        [.enter], "done", "Keep the search; n and N go through its matches.", in: [line], .searching, hint: 1,
        name: "keep"
      ) { $0.keepFind() },
      KeyBinding(
        [.escape], "cancel", "Cancel the search and go back to where it began.", in: [line], .searching, hint: 1,
        duty: .wayOut
      ) { $0.endFind() },
      KeyBinding(
        [.down, .control("n")], "next", "Go to the next match.", in: [line], .searching, hint: 1, unless: noMatch
      ) { $0.goToFound(step: 1) },
      KeyBinding(
        [.up, .control("p")], "previous", "Go to the previous match.", in: [line], .searching, unless: noMatch
      ) { $0.goToFound(step: -1) },
    ]
  }
}

extension ScreenContent {
  static func find(_ screen: Screen) -> ScreenContent {
    line(screen, prompt: "/").with {
      $0.words = { ($0.find?.words ?? "", $0.find.map { !$0.wanted.isEmpty && $0.matches.isEmpty } ?? false) }
    }
  }
}

extension Canvas {
  /// Marks the matches in drawn rows.
  /// - Parameters:
  ///   - isWrapped: Whether the rows are a text that was wrapped to the columns.
  ///   - current: The row with the current match.
  mutating func markMatches(
    _ wanted: SearchText, rows: Range<Int>, columns: Range<Int>, isWrapped: Bool = false, current: Int? = nil
  ) {
    guard !wanted.isEmpty, !columns.isEmpty else { return }
    let lines = rows.map { grid.text(row: $0, columns: columns) }
    let text = PageText(lines, columns: isWrapped ? columns.count : nil, isExact: wanted.isExact)
    for hit in text.hits(wanted) {
      for line in hit.start.line...hit.end.line {
        let from = line == hit.start.line ? hit.start.byte : 0
        let to = line == hit.end.line ? hit.end.byte : Int.max
        let found = PageText.columns(of: from..<max(from, to), in: lines[line], isExact: wanted.isExact)
        let row = rows.lowerBound + line
        grid.restyle(
          Rect(column: columns.lowerBound + found.lowerBound, row: row, columns: found.count, rows: 1)
        ) { _ in Style(.match, selected: row == current) }
      }
    }
  }
}

extension Grid {
  fileprivate func text(row: Int, columns: Range<Int>) -> String {
    let cells = cells(row)
    var text = ""
    for column in columns.clamped(to: 0..<cells.count) {
      cells[column].forEachScalar { text.unicodeScalars.append($0) }
    }
    return text
  }
}
