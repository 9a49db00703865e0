import Carryover

/// What narrows the list of fields.
///
/// The list is made again only when the filter is typed, kept or given a new plan: a field that no longer matches after a
/// decision stays where it is, so that the next key does not hit another.
struct FieldFilter: Hashable, Sendable {
  /// The words, as they were typed.
  var text: String
  /// The line while it is typed.
  var line: TypedLine?
  /// What there was before it was typed, to go back to.
  var before: Before

  struct Before: Hashable, Sendable {
    var text: String?
    var rows: FieldRows
    var cursor: Field.ID?
    var top: Int
  }
}

extension ReviewState {
  /// Begins to type a filter, or to change the one that is on.
  mutating func beginFilter() {
    let text = filter?.text ?? ""
    filter = FieldFilter(text: text, line: TypedLine(text), before: filterBefore)
    anchor = nil
  }

  /// Narrows the list by words at once, as the menu of filters does.
  mutating func setFilter(_ text: String) {
    filter = FieldFilter(text: text, line: nil, before: filterBefore)
    anchor = nil
    refilter()
    settleCursor(on: cursor)
  }

  private var filterBefore: FieldFilter.Before {
    FieldFilter.Before(text: filter?.text, rows: rows, cursor: cursor ?? filter?.before.cursor, top: top)
  }

  /// Changes the line and narrows the list at once.
  mutating func typeFilter(_ change: (inout TypedLine) -> Void) {
    guard var line = filter?.line else { return }
    change(&line)
    filter?.line = line
    guard line.text != filter?.text else { return }
    filter?.text = line.text
    refilter()
    settleCursor(on: filter?.before.cursor)
  }

  /// Keeps the filter that is typed; an empty one ends.
  mutating func keepFilter() -> [ReviewEffect] {
    guard let filter else { return [.bell] }
    let query = FilterQuery(filter.text)
    if let complaint = query.complaint {
      message = complaint
      return [.bell]
    }
    if query.isEmpty {
      endFilter()
      return []
    }
    self.filter?.line = nil
    refilter()
    settleCursor(on: cursor ?? filter.before.cursor)
    if rows.count == 0 { message = "No field matches; \(options.key("leave", Screen.review)) shows all of them again." }
    return []
  }

  /// Gives up what is typed: the list is as it was before.
  mutating func cancelFilter() {
    guard let before = filter?.before else { return }
    rows = before.rows
    filter?.line = nil
    if let text = before.text { filter?.text = text } else { filter = nil }
    putCursor(at: before.cursor.flatMap { positions[$0] })
    top = before.top
    settleCursor(on: before.cursor)
    refreshMatches()
  }

  /// Lists every field again.
  mutating func endFilter() {
    guard let ended = filter else { return }
    filter = nil
    anchor = nil
    rows = FieldRows(all: plan.fields.count)
    settleCursor(on: cursor ?? ended.before.cursor)
    refreshMatches()
  }

  /// Lists the fields that the filter leaves as they stand now.
  mutating func refilter() {
    rows = rows(of: FilterQuery(filter?.text ?? ""))
    refreshMatches()
  }

  /// The same for a new plan, in which every position may be another.
  mutating func renewFilter() {
    if let before = filter?.before {
      let rows = rows(of: FilterQuery(before.text ?? ""))
      filter?.before.rows = rows
    }
    refilter()
  }

  /// The fields that meet a query as they stand now.
  mutating func rows(of query: FilterQuery) -> FieldRows {
    var rows = FieldRows(all: plan.fields.count)
    if !query.words.isEmpty {
      rows = FieldRows(facts.indices.filter { query.holds(facts[$0], standings[$0]) })
    }
    for text in query.texts { rows = FieldRows(matches(text, in: rows)) }
    return rows
  }

  /// Puts the cursor on a field, or on the nearest that is listed; on none where none is.
  mutating func settleCursor(on id: Field.ID?) {
    guard rows.count > 0 else {
      putCursor(at: nil)
      top = 0
      return
    }
    let position = id.flatMap { positions[$0] } ?? 0
    select(row: min(rows.insertionRow(of: position), rows.count - 1))
  }

  /// What stands in the frame while a filter is on: `filter: is:todo (3 of 12)`.
  var filterTitle: String? {
    guard let text = filter?.text, !text.isEmpty else { return nil }
    return "filter: \(text) (\(rows.count) of \(plan.fields.count))"
  }

  /// Whether only some fields are listed, by a filter.
  var isFiltered: Bool { filter.map { !FilterQuery($0.text).isEmpty } ?? false }

  /// How many fields the apply waits for that the filter hides.
  var hiddenWaitingCount: Int {
    guard isFiltered else { return 0 }
    var listed = 0
    for row in 0..<rows.count {
      if let position = rows[row], standings[position].waits { listed += 1 }
    }
    return tally.waiting - listed
  }

  /// The word at the end of the filter that is typed.
  var filterWord: String {
    guard let text = filter?.line?.text, let last = text.last, !last.isWhitespace else { return "" }
    return text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
  }

  /// Completes the word at the end, as far as there is only one way to.
  mutating func completeFilter() -> [ReviewEffect] {
    guard let line = filter?.line, line.cursor == line.characters.count else { return [.bell] }
    let word = filterWord
    let candidates = FilterWord.completions(of: word)
    guard let first = candidates.first else { return [.bell] }
    var common = first
    for other in candidates { common = String(zip(common, other).prefix { $0 == $1 }.map(\.0)) }
    let isWhole = candidates.count == 1
    guard isWhole || common.count > word.count else { return [] }
    let text = line.text.dropLast(word.count) + common + (isWhole ? " " : "")
    typeFilter { $0 = TypedLine(String(text)) }
    return []
  }
}
