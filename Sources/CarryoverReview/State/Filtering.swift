import Carryover
import PropertyLists

extension ReviewState {
  mutating func beginFilter() {
    let text = list.filter?.text ?? ""
    list.filter = FieldFilter(text: text, before: filterBefore)
    list.anchor = nil
    stack.typing = LineEditor(.filter, text: text)
  }

  mutating func setFilter(_ text: String) {
    list.filter = FieldFilter(text: text, before: filterBefore)
    list.anchor = nil
    refilter()
    settleCursor(on: cursor)
  }

  private var filterBefore: FieldFilter.Before {
    FieldFilter.Before(text: list.filter?.text, rows: rows, cursor: cursor ?? list.filter?.before.cursor, top: list.top)
  }

  mutating func filter(by text: String) {
    guard text != list.filter?.text else { return }
    list.filter?.text = text
    refilter()
    settleCursor(on: list.filter?.before.cursor)
  }

  /// Keeps the typed filter; an empty one ends.
  mutating func keepFilter() -> [ReviewEffect] {
    guard let filter = list.filter else { return [.bell] }
    let query = FilterQuery(filter.text)
    if let complaint = query.complaint { return refuse(complaint) }
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

  /// Discards the typed filter: the list is as before.
  mutating func cancelFilter() {
    stack.typing = nil
    guard let before = list.filter?.before else { return }
    list.rows = before.rows
    if let text = before.text { list.filter?.text = text } else { list.filter = nil }
    list.putCursor(at: before.cursor.flatMap { positions[$0] }, in: plan)
    list.top = before.top
    settleCursor(on: before.cursor)
    refreshMatches()
  }

  mutating func endFilter() {
    guard let ended = list.filter else { return }
    list.filter = nil
    list.anchor = nil
    list.rows = FieldRows(all: plan.fields.count)
    settleCursor(on: cursor ?? ended.before.cursor)
    refreshMatches()
  }

  mutating func refilter() {
    list.rows = rows(of: FilterQuery(list.filter?.text ?? ""))
    refreshMatches()
  }

  /// For a new plan, in which every position may be another.
  mutating func renewFilter() {
    if let before = list.filter?.before {
      let rows = rows(of: FilterQuery(before.text ?? ""))
      list.filter?.before.rows = rows
    }
    refilter()
  }

  mutating func rows(of query: FilterQuery) -> FieldRows {
    var rows = FieldRows(all: plan.fields.count)
    if !query.words.isEmpty { rows = FieldRows(facts.indices.filter { query.holds(facts[$0], standings[$0]) }) }
    for text in query.texts { rows = FieldRows(matches(text, in: rows)) }
    return rows
  }

  /// Puts the cursor on a field, or on the nearest that is listed.
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

  var isFiltered: Bool { list.filter.map { !FilterQuery($0.text).isEmpty } ?? false }

  var hiddenWaitingCount: Int {
    guard isFiltered else { return 0 }
    return tally.waiting - rows.positions.count { standings[$0].waits }
  }
}
