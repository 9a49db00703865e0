import CarryoverTerminal
import PropertyLists

/// A search through all stores, typed or kept.
struct Search: Sendable {
  /// What is searched for.
  var query = ""
  /// What was found, by number in the index, in the order of the outline.
  var matches: [Int] = []
  /// Where the search began.
  var origin: [Int]
  /// The number of the match with the cursor in the list of matches.
  var row = 0
  /// The number of the match at the top of that list.
  var top = 0
  /// What the list says of the matches in sight.
  var lines: [Int: MatchLine] = [:]
}

extension BrowserState {
  /// Begins to type a search, over the list of what it finds.
  mutating func beginSearch() -> [BrowserEffect] {
    if index == nil { index = SearchIndex(outline) }
    search = Search(origin: selectedRow.map { outline.place($0) } ?? [])
    open(.storesMatches)
    stack.typing = LineEditor(.storesSearch)
    stack.revision += 1
    return []
  }

  /// Finds what is typed; the cursor is on the first match from where the search began.
  mutating func search(for query: String) {
    guard let search else { return }
    find(query)
    selectMatch(lowerBound(of: search.origin))
  }

  /// Fills in the matches of a query, as far as they are listed.
  mutating func find(_ query: String) {
    if index == nil { index = SearchIndex(outline) }
    search?.query = query
    search?.lines = [:]
    var matches = query.isEmpty ? [] : index?.matches(query) ?? []
    if let filter = outline.filter, let index { matches = matches.filter { filter.lists(index.place($0)) } }
    search?.matches = matches
  }

  /// Keeps the search that is typed, and goes to the match with the cursor; an empty one ends.
  mutating func keepSearch() -> [BrowserEffect] {
    guard let search else { return [] }
    if search.query.isEmpty { return endSearch() }
    stack.typing = nil
    guard search.matches.isEmpty else { return goToMatch() }
    let rest = unread.map { " \($0)." } ?? ""
    return leaveMatches("Nothing contains \(options.quoted(search.query)).\(rest)")
  }

  /// Gives the search up; the outline is as it was.
  mutating func endSearch() -> [BrowserEffect] {
    search = nil
    stack.typing = nil
    stack.revision += 1
    return leaveMatches(nil)
  }

  private mutating func leaveMatches(_ message: String?) -> [BrowserEffect] {
    show([.stores])
    self.message = message
    return []
  }

  /// Goes from the list of matches to the one with the cursor.
  mutating func goToMatch() -> [BrowserEffect] {
    guard let search else { return [.bell] }
    show([.stores])
    go(to: place(ofMatch: search.row))
    return []
  }

  /// The next match, or the one before, going round at the end.
  mutating func goToMatch(step: Int) -> [BrowserEffect] {
    guard let search, !search.matches.isEmpty else { return [] }
    let count = search.matches.count
    var target: Int
    if topScreen == .storesMatches {
      target = search.row + step
    } else {
      guard let row = selectedRow else { return [] }
      let (next, isOn) = match(at: outline.place(row))
      target = step > 0 ? (isOn ? next + 1 : next) : next - 1
    }
    if target >= count || target < 0 { message = "The search went round." }
    target = (target % count + count) % count
    selectMatch(target)
    if topScreen != .storesMatches { go(to: place(ofMatch: target)) }
    return []
  }

  /// Puts the cursor of the list of matches on one.
  mutating func selectMatch(_ number: Int) {
    guard let count = search?.matches.count else { return }
    let row = number < count ? max(0, number) : 0
    search?.row = row
    let visible = PageLayout(size: size).rows.count
    let top = ListWindow.top(search?.top ?? 0, showing: row, of: count, visible: visible)
    search?.top = top
  }

  /// The number of the match with the cursor, counted from 1, and of how many: `3 of 12 matches`.
  var matchWords: String {
    guard let search, !search.query.isEmpty else { return "" }
    let count = search.matches.count
    let more = index?.isCut == true ? " in what could be searched" : ""
    guard count > 0 else { return "no match" + more }
    let words = (count == 1 ? "1 match" : "\(count) matches") + more
    if count == 1 { return words }
    if topScreen == .storesMatches { return "\(search.row + 1) of " + words }
    guard let row = selectedRow else { return words }
    let (next, isOn) = match(at: outline.place(row))
    return (isOn ? "\(next + 1) of " : "") + words
  }

  /// The number of the match at a place, or else of the next one.
  private func match(at place: [Int]) -> (number: Int, isOn: Bool) {
    let next = lowerBound(of: place)
    return (next, next < search?.matches.count ?? 0 && self.place(ofMatch: next) == place)
  }

  func place(ofMatch number: Int) -> [Int] { search?.matches.element(number).flatMap { index?.place($0) } ?? [] }

  /// The number of the first match that is not before a place.
  private func lowerBound(of place: [Int]) -> Int {
    var low = 0
    var high = search?.matches.count ?? 0
    while low < high {
      let middle = (low + high) / 2
      if self.place(ofMatch: middle).lexicographicallyPrecedes(place) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func go(to place: [Int]) {
    guard !place.isEmpty else { return }
    select(row: outline.reveal(place).position)
  }
}
