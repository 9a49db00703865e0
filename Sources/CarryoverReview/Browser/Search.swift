import PropertyLists

/// A search through all stores, typed or kept.
struct Search: Sendable {
  /// What is searched for.
  var query = ""
  /// What was found, by number in the index, in the order of the outline.
  var matches: [Int] = []
  /// Where the search began, to go back to.
  var origin: [Int]
  /// What was opened to show the present match while the search is typed; it is closed again when the match is another.
  var opened: [Outline.Row] = []
}

extension BrowserState {
  /// Begins to type a search.
  mutating func beginSearch() -> [BrowserEffect] {
    if index == nil { index = SearchIndex(outline) }
    search = Search(origin: selectedRow.map { outline.place($0) } ?? [])
    stack.typing = LineEditor(.storesSearch)
    stack.revision += 1
    return []
  }

  private var isSearchTyped: Bool { stack.typing?.screen == .storesSearch }

  /// Finds what is typed, and goes to the first match from where the search began.
  mutating func search(for query: String) {
    guard let search else { return }
    find(query)
    let target = firstMatch(from: search.origin) ?? search.origin
    closeSearchOpened(but: target)
    go(to: target, isTyping: true)
  }

  /// Fills in the matches of a query.
  mutating func find(_ query: String) {
    if index == nil { index = SearchIndex(outline) }
    search?.query = query
    search?.matches = query.isEmpty ? [] : index?.matches(query) ?? []
  }

  /// Keeps the search that is typed; an empty one ends.
  mutating func keepSearch() -> [BrowserEffect] {
    guard let search else { return [] }
    if search.query.isEmpty { return endSearch() }
    stack.typing = nil
    self.search?.opened = []
    message = search.matches.isEmpty ? "Nothing holds \(options.quoted(search.query))." : nil
    return []
  }

  /// Gives the search up. One that is still typed leaves the outline as it was.
  mutating func endSearch() -> [BrowserEffect] {
    if let search, isSearchTyped {
      closeSearchOpened(but: [])
      go(to: search.origin, isTyping: false)
    }
    search = nil
    stack.typing = nil
    stack.revision += 1
    return []
  }

  /// The next match, or the one before, going round at the end.
  mutating func goToMatch(step: Int) -> [BrowserEffect] {
    guard let search, !search.matches.isEmpty, let row = selectedRow else { return [] }
    let place = outline.place(row)
    let count = search.matches.count
    let next = lowerBound(of: place)
    let isOn = next < count && self.place(ofMatch: next) == place
    let target = step > 0 ? (isOn ? next + 1 : next) : next - 1
    if target >= count || target < 0 { message = "The search went round." }
    go(to: self.place(ofMatch: (target + count) % count), isTyping: isSearchTyped)
    return []
  }

  /// The number of the match with the cursor, counted from 1, and of how many: `3 of 12 matches`.
  var matchWords: String {
    guard let search, !search.query.isEmpty else { return "" }
    let count = search.matches.count
    let more = index?.isCut == true ? " in what could be searched" : ""
    guard count > 0 else { return "no match" + more }
    let words = count == 1 ? "1 match" : "\(count) matches"
    guard let row = selectedRow else { return words + more }
    let place = outline.place(row)
    let next = lowerBound(of: place)
    let isOn = next < count && self.place(ofMatch: next) == place
    return (isOn && count > 1 ? "\(next + 1) of " : "") + words + more
  }

  private func firstMatch(from place: [Int]) -> [Int]? {
    guard let search, !search.matches.isEmpty else { return nil }
    let next = lowerBound(of: place)
    return self.place(ofMatch: next < search.matches.count ? next : 0)
  }

  private func place(ofMatch number: Int) -> [Int] {
    guard let search, search.matches.indices.contains(number) else { return [] }
    return index?.place(search.matches[number]) ?? []
  }

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

  private mutating func go(to place: [Int], isTyping: Bool) {
    guard !place.isEmpty else { return }
    let (position, opened) = outline.reveal(place)
    if isTyping { search?.opened += opened }
    cursor = position
    revealCursor()
  }

  /// Closes what was opened for a match that is no longer shown, innermost first, but for what leads to the next one.
  private mutating func closeSearchOpened(but target: [Int]) {
    var kept: [Outline.Row] = []
    for row in (search?.opened ?? []).reversed() {
      if target.starts(with: outline.place(row)) {
        kept.append(row)
      } else if let position = outline.position(row) {
        outline.close(at: position)
      }
    }
    search?.opened = kept.reversed()
    cursor = min(cursor, max(0, outline.rows.count - 1))
  }
}
