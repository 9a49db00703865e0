import Carryover
import PropertyLists

extension ReviewState {
  /// Begins to type a filter, or to change the one that is on.
  mutating func beginFilter() -> [ReviewEffect] {
    let text = list.filter?.text ?? ""
    list.filter = FieldFilter(text: text, before: filterBefore)
    list.anchor = nil
    stack.typing = LineEditor(.filter, text: text)
    return []
  }

  /// Narrows the list by words at once, as the menu of filters does.
  mutating func setFilter(_ text: String) {
    list.filter = FieldFilter(text: text, before: filterBefore)
    list.anchor = nil
    refilter()
    settleCursor(on: cursor)
  }

  private var filterBefore: FieldFilter.Before {
    FieldFilter.Before(
      text: list.filter?.text, rows: rows, cursor: cursor ?? list.filter?.before.cursor, top: list.top)
  }

  /// Narrows the list by what is typed, at once.
  mutating func filter(by text: String) {
    guard text != list.filter?.text else { return }
    list.filter?.text = text
    refilter()
    settleCursor(on: list.filter?.before.cursor)
  }

  /// Keeps the filter that is typed; an empty one ends.
  mutating func keepFilter() -> [ReviewEffect] {
    guard let filter = list.filter else { return [.bell] }
    let query = FilterQuery(filter.text)
    if let complaint = query.complaint {
      message = complaint
      return [.bell]
    }
    stack.typing = nil
    if query.isEmpty {
      endFilter()
      return []
    }
    refilter()
    settleCursor(on: cursor ?? filter.before.cursor)
    if rows.count == 0 { message = "No field matches; \(key("clear", .review)) shows all of them again." }
    return []
  }

  /// Gives up what is typed: the list is as it was before.
  mutating func cancelFilter() -> [ReviewEffect] {
    stack.typing = nil
    guard let before = list.filter?.before else { return [] }
    list.rows = before.rows
    if let text = before.text { list.filter?.text = text } else { list.filter = nil }
    list.putCursor(at: before.cursor.flatMap { positions[$0] }, in: plan)
    list.top = before.top
    settleCursor(on: before.cursor)
    refreshMatches()
    return []
  }

  /// Lists every field again.
  mutating func endFilter() {
    guard let ended = list.filter else { return }
    list.filter = nil
    list.anchor = nil
    list.rows = FieldRows(all: plan.fields.count)
    settleCursor(on: cursor ?? ended.before.cursor)
    refreshMatches()
  }

  /// Lists the fields that the filter leaves as they stand now.
  mutating func refilter() {
    list.rows = rows(of: FilterQuery(list.filter?.text ?? ""))
    refreshMatches()
  }

  /// The same for a new plan, in which every position may be another.
  mutating func renewFilter() {
    if let before = list.filter?.before {
      let rows = rows(of: FilterQuery(before.text ?? ""))
      list.filter?.before.rows = rows
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
      list.putCursor(at: nil, in: plan)
      list.top = 0
      return
    }
    let position = id.flatMap { positions[$0] } ?? 0
    select(row: min(rows.insertionRow(of: position), rows.count - 1))
  }

  /// The text in the frame while a filter is on: `filter: is:undecided (3 of 12)`.
  var filterTitle: String? {
    guard let text = list.filter?.text, !text.isEmpty else { return nil }
    return "filter: \(text) (\(rows.count) of \(plan.fields.count))"
  }

  /// Whether only some fields are listed, by a filter.
  var isFiltered: Bool { list.filter.map { !FilterQuery($0.text).isEmpty } ?? false }

  /// How many fields the apply waits for that the filter hides.
  var hiddenWaitingCount: Int {
    guard isFiltered else { return 0 }
    var listed = 0
    for row in 0..<rows.count {
      if let position = rows[row], standings[position].waits { listed += 1 }
    }
    return tally.waiting - listed
  }

  /// Completes the word at the end, as far as there is only one way to.
  mutating func completeFilter() -> [ReviewEffect] {
    guard let line = stack.typing, line.cursor == line.characters.count,
      let text = FilterWord.completed(line.text)
    else { return [.bell] }
    if text != line.text { edit { $0 = TypedLine(text) } }
    return []
  }
}
