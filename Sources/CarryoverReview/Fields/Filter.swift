import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  static let filter = Screen("filter", "Filter")
}

struct FilterWord: Hashable, Sendable {
  enum Test: Hashable, Sendable {
    case state(Set<FieldState>)
    /// For containers only: no field matches it.
    case applied
    case severity(Severity)
    case finding
    case group(FieldGroup)
  }

  /// `is:undecided`.
  let word: String
  /// `undecided`.
  let title: String
  let key: Character
  let test: Test

  func matches(_ field: FieldFacts, _ standing: FieldState) -> Bool {
    switch test {
    case .state(let states): states.contains(standing)
    case .applied: false
    case .severity(let severity): field.severities.contains(severity)
    case .finding: !field.severities.isEmpty
    case .group(let group): field.group == group
    }
  }

  static let all: [FilterWord] =
    [
      state("is:undecided", "d", "undecided, including conflicts", .toDecide, .conflict),
      state("is:conflict", "#", "in conflict", .conflict), state("is:ready", "r", "ready", .ready),
      state("is:decided", "D", "decided", .confirmed, .edited, .kept, .skipped),
      state("is:accepted", "p", "accepted", .confirmed), state("is:edited", "e", "edited", .edited),
      state("is:kept", "t", "kept", .kept), state("is:skipped", "s", "skipped", .skipped),
      state("is:unchanged", "u", "unchanged", .unchanged), state("is:not-migrated", "o", "not migrated", .dropped),
      state("is:absent", "0", "absent", .absent),
      FilterWord(word: "has:finding", title: "with a finding", key: "f", test: .finding),
      FilterWord(word: "has:error", title: "with an error", key: "E", test: .severity(.error)),
      FilterWord(word: "has:warning", title: "with a warning", key: "W", test: .severity(.warning)),
      FilterWord(word: "has:note", title: "with a note", key: "N", test: .severity(.note)),
    ]
    + zip("123456", FieldGroup.allCases).map { key, group in
      FilterWord(word: "group:" + group.rawValue, title: "in group " + group.rawValue, key: key, test: .group(group))
    }

  /// The filter words of a list of containers.
  static let ofContainers = all + [FilterWord(word: "is:applied", title: "applied", key: "a", test: .applied)]

  private static func state(_ word: String, _ key: Character, _ title: String, _ states: FieldState...) -> FilterWord {
    FilterWord(word: word, title: title, key: key, test: .state(Set(states)))
  }

  static let decided: Set<FieldState> = [.confirmed, .edited, .kept, .skipped]

  static func keys(_ isWanted: (Set<FieldState>) -> Bool) -> [Character] {
    all.filter { if case .state(let states) = $0.test { isWanted(states) } else { false } }.map(\.key)
  }

  static var findingKeys: [Character] { all.filter { $0.word.hasPrefix("has:") }.map(\.key) }
  static var groupKeys: [Character] { all.filter { $0.word.hasPrefix("group:") }.map(\.key) }

  static let kinds = ["is:", "has:", "group:"]

  static func last(of text: String) -> String {
    guard let last = text.last, !last.isWhitespace else { return "" }
    return text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
  }

  /// Completes the last word of a filter as far as it is unambiguous; nil without a completion.
  static func completed(_ text: String, among words: [FilterWord]) -> String? {
    let word = last(of: text)
    let candidates = completions(of: word, among: words)
    guard let first = candidates.first else { return nil }
    var common = first
    for other in candidates { common = String(zip(common, other).prefix { $0 == $1 }.map(\.0)) }
    let isWhole = candidates.count == 1
    guard isWhole || common.count > word.count else { return text }
    return text.dropLast(word.count) + common + (isWhole ? " " : "")
  }

  /// The completions of a beginning; one without a colon may also begin the part behind a colon.
  static func completions(of beginning: String, among words: [FilterWord]) -> [String] {
    let beginning = beginning.lowercased()
    guard !beginning.isEmpty else { return [] }
    let words = words.map(\.word)
    let found = words.filter { $0.hasPrefix(beginning) }
    guard found.isEmpty, !beginning.contains(":") else { return found }
    return words.filter { $0.drop { $0 != ":" }.dropFirst().hasPrefix(beginning) }
  }
}

/// A parsed filter: texts that a field contains, and filter words.
struct FilterQuery: Hashable, Sendable {
  private(set) var texts: [SearchText] = []
  private(set) var words: [FilterWord] = []
  private(set) var unfinished: [String] = []
  /// Words with the prefix of a filter word that are not one.
  private(set) var unknown: [String] = []
  private let known: [FilterWord]

  init(_ text: String, among known: [FilterWord] = FilterWord.all) {
    self.known = known
    for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
      let lowered = word.lowercased()
      if let found = known.first(where: { $0.word == lowered }) {
        words.append(found)
      } else if !FilterWord.kinds.contains(where: lowered.hasPrefix) {
        texts.append(SearchText(word))
      } else if known.contains(where: { $0.word.hasPrefix(lowered) }) {
        unfinished.append(word)
      } else {
        unknown.append(word)
      }
    }
  }

  var isEmpty: Bool { texts.isEmpty && words.isEmpty }

  /// Whether a field matches the filter words. It has one state and one group, so one of several such words is enough;
  /// of findings it must have each kind that is named.
  func matches(_ field: FieldFacts, _ standing: FieldState) -> Bool {
    var (state, group): (Bool?, Bool?) = (nil, nil)
    for word in words {
      switch word.test {
      case .state, .applied: state = state == true || word.matches(field, standing)
      case .group: group = group == true || word.matches(field, standing)
      case .severity, .finding: if !word.matches(field, standing) { return false }
      }
    }
    return state != false && group != false
  }

  var complaint: String? {
    guard let word = unknown.first ?? unfinished.first else { return nil }
    let kind = FilterWord.kinds.first { word.lowercased().hasPrefix($0) } ?? ""
    let known = known.map(\.word).filter { $0.hasPrefix(kind) }.map { $0.dropFirst(kind.count) }
    return "“\(word)” is not a filter word. After \(kind), use one of: \(known.joined(separator: ", "))."
  }
}

extension Program {
  func filterNote(
    _ filter: String, among words: [FilterWord] = FilterWord.all
  ) -> (text: String, isFlagged: Bool) {
    if let message { return (message, true) }
    let query = FilterQuery(filter, among: words)
    if !query.unknown.isEmpty, let complaint = query.complaint { return (complaint, true) }
    let word = FilterWord.last(of: filter)
    let candidates = FilterWord.completions(of: word, among: words).filter { $0 != word }
    if let kind = FilterWord.kinds.first(where: { kind in candidates.allSatisfy { $0.hasPrefix(kind) } }),
      !candidates.isEmpty
    {
      return (fitting(candidates.map { String($0.dropFirst(kind.count)) }, after: "tab: \(kind)"), false)
    }
    return ("words that all have to match · is:undecided is:edited … · has:warning … · group:identity …", false)
  }

  mutating func completeFilter(among words: [FilterWord] = FilterWord.all) {
    guard let line = stack.typing?.line, line.cursor == line.characters.count,
      let text = FilterWord.completed(line.text, among: words)
    else { return emit(.bell) }
    if text != line.text { edit { $0 = TypedLine(text) } }
  }

  private func fitting(_ words: [String], after start: String) -> String {
    var text = start
    for (index, word) in words.enumerated() {
      let rest = index + 1 < words.count ? 2 : 0
      guard text.utf8.count + 1 + word.utf8.count + rest <= size.columns - 6 else { return text + " …" }
      text += " " + word
    }
    return text
  }
}

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

  mutating func keepFilter() {
    guard let filter else { return emit(.bell) }
    let query = FilterQuery(filter.text)
    if let complaint = query.complaint { return refuse(complaint) }
    stack.typing = nil
    if query.isEmpty {
      endFilter()
      return
    }
    let cursor = cursor ?? filter.before.cursor
    refilter()
    settleCursor(on: cursor)
    if rows.isEmpty { message = "No field matches; \(key("clear", .review)) shows all of them again." }
  }

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

  /// For a new plan, in which every position may differ.
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
}

extension ScreenContent<ReviewState> {
  static var filter: ScreenContent {
    line(.filter, prompt: "filter: ").with {
      $0.words = { state in
        (state.isFiltered ? "\(state.rows.count) of \(state.plan.fields.count)" : "", state.rows.count == 0)
      }
      $0.note = { $0.filterNote($0.filter?.text ?? "") }
    }
  }
}

enum FilterKeys {
  static let all: [ReviewKey] = [
    ReviewKey(
      [.enter], "done", "Keep the filter and refresh the list; an empty filter lists every field.", in: [.filter],
      .searching, hint: 1, name: "keep"
    ) { $0.keepFilter() },
    ReviewKey(
      [.escape], "cancel", "Discard what you typed and list the fields as before.", in: [.filter], .searching, hint: 1,
      duty: .wayOut
    ) { $0.cancelFilter() },
    ReviewKey(
      [.tab], "complete", "Complete a filter word: is:…, has:…, group:….", in: [.filter], .searching, hint: 1
    ) { $0.completeFilter() },
  ]
}
