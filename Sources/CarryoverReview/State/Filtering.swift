import Carryover
import CarryoverPages
import PropertyLists

/// The filter of the list. Only typing or keeping it and a new plan rebuild the list: after a decision, a field that no
/// longer matches stays listed, so that the next key does not hit another one.
struct FieldFilter: Hashable, Sendable {
  var text: String
  var before: Before

  struct Before: Hashable, Sendable {
    var text: String?
    var rows: [Int]
    var cursor: Field.ID?
    var top: Int
  }
}

extension ReviewState {
  mutating func beginFilter() {
    let text = filter?.text ?? ""
    filter = FieldFilter(text: text, before: filterBefore)
    list.endRange()
    stack.typing = LineEditor(.filter, text: text)
  }

  mutating func setFilter(_ text: String) {
    filter = FieldFilter(text: text, before: filterBefore)
    let cursor = cursor
    refilter()
    settleCursor(on: cursor)
  }

  private var filterBefore: FieldFilter.Before {
    FieldFilter.Before(text: filter?.text, rows: rows, cursor: cursor ?? filter?.before.cursor, top: list.top)
  }

  mutating func filter(by text: String) {
    guard text != filter?.text else { return }
    filter?.text = text
    refilter()
    settleCursor(on: filter?.before.cursor)
  }

  /// Keeps the typed filter; an empty one ends.
  mutating func keepFilter() -> [ReviewEffect] {
    guard let filter else { return [.bell] }
    let query = FilterQuery(filter.text)
    if let complaint = query.complaint { return refuse(complaint) }
    stack.typing = nil
    if query.isEmpty {
      endFilter()
      return []
    }
    let cursor = cursor ?? filter.before.cursor
    refilter()
    settleCursor(on: cursor)
    if rows.isEmpty { message = "No field matches; \(key("clear", .review)) shows all of them again." }
    return []
  }

  /// Discards the typed filter: the list is as before.
  mutating func cancelFilter() {
    stack.typing = nil
    guard let before = filter?.before else { return }
    list.replace(before.rows)
    if let text = before.text { filter?.text = text } else { filter = nil }
    list.put(list.row, top: before.top)
    settleCursor(on: before.cursor)
    refreshMatches()
  }

  mutating func endFilter() {
    guard let ended = filter else { return }
    filter = nil
    let cursor = cursor ?? ended.before.cursor
    list.replace(Array(plan.fields.indices))
    settleCursor(on: cursor)
    refreshMatches()
  }

  mutating func refilter() {
    list.replace(rows(of: FilterQuery(filter?.text ?? "")))
    refreshMatches()
  }

  /// For a new plan, in which every position may be another.
  mutating func renewFilter() {
    if let before = filter?.before {
      let rows = rows(of: FilterQuery(before.text ?? ""))
      filter?.before.rows = rows
    }
    refilter()
  }

  mutating func rows(of query: FilterQuery) -> [Int] {
    var rows = Array(plan.fields.indices)
    if !query.words.isEmpty { rows = rows.filter { query.matches(facts[$0], standings[$0]) } }
    for text in query.texts { rows = matches(text, in: rows) }
    return rows
  }

  /// Puts the cursor on a field, or on the nearest that is listed.
  mutating func settleCursor(on id: Field.ID?) {
    guard !rows.isEmpty else { return list.put(0, top: 0) }
    let position = id.flatMap { positions[$0] } ?? 0
    select(row: min(rows.lowerBound(position), rows.count - 1))
  }

  /// The text in the frame while a filter is on: `filter: is:undecided (3 of 12)`.
  var filterTitle: String? {
    guard let text = filter?.text, !text.isEmpty else { return nil }
    return "filter: \(text) (\(rows.count) of \(plan.fields.count))"
  }

  var isFiltered: Bool { filter.map { !FilterQuery($0.text).isEmpty } ?? false }

  var hiddenWaitingCount: Int {
    guard isFiltered else { return 0 }
    return tally.waiting - rows.count { standings[$0].waits }
  }
}
