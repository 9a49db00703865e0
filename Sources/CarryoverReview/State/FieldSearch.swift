import Carryover

/// A search through the fields that are listed, typed or kept.
struct FieldSearch: Hashable, Sendable {
  /// The line while it is typed; nil once the search is kept.
  var line: TypedLine?
  var wanted = SearchText("")
  /// The fields that were found, by their positions in the plan, ascending.
  var matches: [Int] = []
  /// The state of the review in which they were found: a decision may change what a field says.
  var revision = -1
  /// Where the search began, to go back to.
  var origin: Field.ID?
  var originTop: Int
  /// Which earlier search stands in the line, counted from the last, and what had been typed before it.
  var recalled: Int?
  var draft = ""
}

extension ReviewState {
  /// The longest memory of earlier searches.
  private static let memory = 100

  /// Begins to type a search.
  mutating func beginSearch() {
    // Made now and not at the first letter, so that typing is even.
    prepareTexts(isExact: false)
    search = FieldSearch(line: TypedLine(), origin: cursor, originTop: top)
  }

  /// Finds what is typed, and goes to the first match from where the search began.
  mutating func typeSearch(_ change: (inout TypedLine) -> Void) {
    guard var search, var line = search.line else { return }
    let old = line.text
    change(&line)
    search.line = line
    guard line.text != old else { return self.search = search }
    // A longer text is found only where the shorter was.
    let wanted = SearchText(line.text)
    let isLonger =
      !search.wanted.isEmpty && wanted.isExact == search.wanted.isExact
      && wanted.bytes.starts(with: search.wanted.bytes) && search.revision == revision
    let rows = isLonger ? FieldRows(search.matches) : self.rows
    search.wanted = wanted
    search.matches = matches(wanted, in: rows)
    search.revision = revision
    self.search = search
    goToFirstMatch()
  }

  private mutating func goToFirstMatch() {
    guard let search else { return }
    let origin = search.origin.flatMap { positions[$0] } ?? 0
    guard !search.matches.isEmpty else { return returnToOrigin() }
    let next = search.matches.lowerBound(origin)
    select(position: search.matches[next < search.matches.count ? next : 0])
  }

  private mutating func returnToOrigin() {
    guard let search else { return }
    top = search.originTop
    settleCursor(on: search.origin)
  }

  /// Shows an earlier search in the line, or a later one.
  mutating func recall(older: Bool) -> [ReviewEffect] {
    guard let search, let line = search.line else { return [.bell] }
    let next = older ? (search.recalled ?? -1) + 1 : (search.recalled ?? -1) - 1
    guard next < searches.count, next >= -1 else { return [.bell] }
    if search.recalled == nil { self.search?.draft = line.text }
    let text = next < 0 ? self.search?.draft ?? "" : searches[searches.count - 1 - next]
    self.search?.recalled = next < 0 ? nil : next
    typeSearch { $0 = TypedLine(text) }
    return []
  }

  /// Keeps the search that is typed; an empty line repeats the last one.
  mutating func keepSearch() {
    guard let search else { return }
    if search.wanted.isEmpty {
      guard let last = searches.last else {
        self.search = nil
        message = "Nothing has been searched for yet."
        return
      }
      typeSearch { $0 = TypedLine(last) }
    }
    guard let kept = self.search else { return }
    self.search?.line = nil
    let text = kept.wanted.text
    searches.removeAll { $0 == text }
    searches.append(text)
    if searches.count > Self.memory { searches.removeFirst() }
    if kept.matches.isEmpty { message = "Nothing\(isFiltered ? " that is listed" : "") holds “\(text)”." }
  }

  /// Gives the search up. One that is still typed goes back to where it began.
  mutating func endSearch() {
    if search?.line != nil { returnToOrigin() }
    search = nil
  }

  /// The next match, or the one before, going round at the end.
  mutating func goToMatch(step: Int) -> [ReviewEffect] {
    if search?.revision != revision { refreshMatches() }
    guard let matches = search?.matches, !matches.isEmpty, let position = cursorPosition else {
      message = "There is no match."
      return [.bell]
    }
    let next = matches.lowerBound(position)
    let isOn = next < matches.count && matches[next] == position
    let target = step > 0 ? (isOn ? next + 1 : next) : next - 1
    if isOn, matches.count == 1 {
      message = "This is the only match."
    } else if target < 0 || target >= matches.count {
      message = "The search went round."
    }
    select(position: matches[(target + matches.count) % matches.count])
    return []
  }

  /// Finds again, in the rows and under the decisions that there are now.
  mutating func refreshMatches() {
    guard let wanted = search?.wanted else { return }
    let (found, revision) = (matches(wanted, in: rows), revision)
    search?.matches = found
    search?.revision = revision
  }

  /// The number of the match with the cursor, counted from 1, and of how many: `3 of 12 matches`.
  var matchWords: String {
    guard let search, !search.wanted.isEmpty else { return "" }
    let place = isFiltered ? " listed" : ""
    let cut = (search.wanted.isExact ? exactTexts : foldedTexts)?.isCut == true ? ", long values in part" : ""
    let count = search.matches.count
    guard count > 0 else { return "no match" + place + cut }
    guard let position = cursorPosition else { return "\(count)" + cut }
    let next = search.matches.lowerBound(position)
    let isOn = next < count && search.matches[next] == position
    return (isOn ? "\(next + 1) of \(count)" : count == 1 ? "1 match" : "\(count) matches") + cut
  }

  /// What is looked for, to be marked where it is seen.
  var searchText: SearchText? { search.flatMap { $0.wanted.isEmpty ? nil : $0.wanted } }

  /// The fields of some rows that hold a text, by their positions in the plan.
  mutating func matches(_ wanted: SearchText, in rows: FieldRows) -> [Int] {
    guard !wanted.isEmpty else { return [] }
    prepareTexts(isExact: wanted.isExact)
    guard let texts = wanted.isExact ? exactTexts : foldedTexts else { return [] }
    let ink = Ink(options)
    return texts.matches(wanted, in: rows, standings: standings) { position in
      let field = plan.fields[position]
      guard case .edit(let value)? = decisions[field.id] else { return [] }
      return [FieldTexts.text(value, ink), ink.masked(ChangeSummary.text(field, .edit(value)))]
    }
  }

  private mutating func prepareTexts(isExact: Bool) {
    if isExact {
      if exactTexts == nil { exactTexts = FieldTexts(plan, Ink(options), isExact: true) }
    } else if foldedTexts == nil {
      foldedTexts = FieldTexts(plan, Ink(options), isExact: false)
    }
  }

  private mutating func select(position: Int) {
    if let row = rows.row(of: position) { select(row: row) }
  }
}
