import Carryover
import CarryoverPages
import CarryoverSystem
import CarryoverTerminal

struct FieldSearch: Hashable, Sendable {
  var wanted = SearchText("")
  /// Positions in the plan, ascending.
  var matches: [Int] = []
  /// Matching lines that are about the container.
  var notes: [Note] = []
  /// The number of the current line; nil if the current match is a field.
  var note: Int?
  /// The content's revision at the search: a decision may change what a field says.
  var revision = -1
  var origin: Field.ID?
  var originTop: Int
  var originFocus: Pane
  var originWarnings: Int
  var originDetails: Int

  enum Note: Hashable, Sendable {
    /// A line of the verdict above the list.
    case verdict(Int)
    /// A line below the findings of the field.
    case finding(Int)
  }

  var count: Int { matches.count + notes.count }

  func place(of position: Int?) -> (number: Int, isOn: Bool) {
    if let note { return (matches.count + note, true) }
    guard let position else { return (0, false) }
    let next = matches.lowerBound(position)
    return (next, next < matches.count && matches[next] == position)
  }
}

extension ReviewState {
  private static let memory = 100

  mutating func beginSearch() {
    // Built now, so that the first letter is not slower than the next.
    prepareTexts(isExact: false)
    search = FieldSearch(
      origin: cursor, originTop: list.top, originFocus: focus, originWarnings: panes.warnings.top,
      originDetails: panes.details.top)
    stack.typing = LineEditor(
      .search, choices: searches.reversed().map { LineEditor.Choice(text: $0, origin: "searched before") })
  }

  mutating func search(for text: String) {
    guard var search else { return }
    // A longer text is found only where the shorter was.
    let wanted = SearchText(text)
    let isLonger =
      !search.wanted.isEmpty && wanted.isExact == search.wanted.isExact
      && wanted.bytes.starts(with: search.wanted.bytes) && search.revision == contentRevision
    let rows = isLonger ? search.matches : self.rows
    search.wanted = wanted
    search.matches = found(wanted, in: rows, from: search.origin)
    search.notes = notes(wanted)
    search.note = nil
    search.revision = contentRevision
    self.search = search
    goToFirstMatch()
  }

  private func notes(_ wanted: SearchText) -> [FieldSearch.Note] {
    guard !wanted.isEmpty else { return [] }
    let columns = layout.warningColumns.count
    return Self.places(of: wanted, in: verdictLines, columns: size.columns - 2).map { .verdict($0) }
      + Self.places(of: wanted, in: sharedWarnings(columns: columns, isWhole: true, limit: nil), columns: columns)
      .map { .finding($0) }
  }

  private static func places(of wanted: SearchText, in lines: [[Span]], columns: Int) -> [Int] {
    PageText(lines.map { $0.map(\.text).joined() }, columns: columns, isExact: wanted.isExact)
      .lines(containing: wanted)
  }

  /// The matching fields of some rows. Where the search began, everything that the screen shows of the field counts.
  private mutating func found(_ wanted: SearchText, in rows: [Int], from origin: Field.ID?) -> [Int] {
    var found = matches(wanted, in: rows, hasSentences: true)
    guard let position = origin.flatMap({ positions[$0] }), rows.row(of: position) != nil else { return found }
    let place = found.lowerBound(position)
    if found.element(place) != position, shows(wanted, at: position) { found.insert(position, at: place) }
    return found
  }

  private func shows(_ wanted: SearchText, at position: Int) -> Bool {
    guard !wanted.isEmpty else { return false }
    let (layout, field) = (layout, plan.fields[position])
    let own = ownWarnings(at: position, layout.shape, columns: layout.warningColumns.count)
    if !Self.places(of: wanted, in: own, columns: layout.warningColumns.count).isEmpty { return true }
    guard layout.hasDetails else { return false }
    var writer = PageWriter(columns: layout.detailsColumns.count, ink: Ink(options))
    writer.details(of: field, self)
    return !Self.places(of: wanted, in: writer.lines, columns: layout.detailsColumns.count).isEmpty
  }

  private mutating func goToFirstMatch() {
    guard let search else { return }
    let origin = search.origin.flatMap { positions[$0] } ?? 0
    guard !search.matches.isEmpty else {
      returnToOrigin()
      if !search.notes.isEmpty { select(match: 0) }
      return
    }
    if focus == .warnings { focus = .fields }
    let next = search.matches.lowerBound(origin)
    select(position: search.matches[next < search.matches.count ? next : 0])
  }

  private mutating func returnToOrigin() {
    guard let search else { return }
    focus = search.originFocus
    list.put(list.row, top: search.originTop)
    settleCursor(on: search.origin)
    panes.field = cursor
    panes.warnings.wanted = nil
    (panes.warnings.top, panes.details.top) = (search.originWarnings, search.originDetails)
  }

  /// Keeps the typed search; an empty line repeats the last one.
  mutating func keepSearch() {
    guard let search else { return }
    stack.typing = nil
    if search.wanted.isEmpty {
      guard let last = searches.last else {
        self.search = nil
        message = "There is no earlier search."
        return
      }
      self.search(for: last)
    }
    guard let kept = self.search else { return }
    let text = kept.wanted.text
    searches.removeAll { $0 == text }
    searches.append(text)
    if searches.count > Self.memory { searches.removeFirst() }
    if kept.count == 0 {
      let fields = isFiltered ? "listed field" : "field"
      message =
        options.redaction == nil
        ? "No \(fields) contains \(options.quoted(text)). \(key("stores", .review)) opens the stores; search there."
        : "No \(fields) shows \(options.quoted(text)). A masked value is found only by its mask, such as ‹email-3›."
    }
  }

  /// Ends the search. While it is still typed, goes back to its origin.
  mutating func endSearch() {
    if stack.typing?.screen == .search { returnToOrigin() }
    stack.typing = nil
    search = nil
  }

  /// Goes to the next match or the previous one, round at the end: the fields, then the lines below them.
  mutating func goToMatch(step: Int) {
    if search?.revision != contentRevision { refreshMatches() }
    guard let search, search.count > 0 else { return refuse("There is no match.") }
    let place = search.place(of: cursorPosition)
    select(match: match(from: place, step: step, of: search.count, isOnly: place.isOn && search.count == 1))
  }

  private mutating func select(match number: Int) {
    guard let search else { return }
    if let position = search.matches.element(number) {
      self.search?.note = nil
      if focus == .warnings { focus = .fields }
      return select(position: position)
    }
    self.search?.note = number - search.matches.count
    show([.review])
    guard case .finding(let line)? = search.notes.element(number - search.matches.count) else { return }
    focus = .warnings
    panes.warnings.wanted = line
  }

  mutating func refreshMatches() {
    guard var search else { return }
    search.matches = found(search.wanted, in: rows, from: search.origin)
    search.notes = notes(search.wanted)
    search.revision = contentRevision
    if let note = search.note, note >= search.notes.count { search.note = nil }
    self.search = search
  }

  var matchWords: String {
    guard let search, !search.wanted.isEmpty else { return "" }
    let place = isFiltered ? " listed" : ""
    let cut = texts[search.wanted.isExact]?.isCut == true ? ", long values in part" : ""
    let count = search.count
    guard count > 0 else { return "no match" + place + cut }
    let (next, isOn) = search.place(of: cursorPosition)
    return (isOn ? "\(next + 1) of \(count)" : count == 1 ? "1 match" : "\(count) matches") + cut
  }

  var searchText: SearchText? { search.flatMap { $0.wanted.isEmpty ? nil : $0.wanted } }

  /// The matching fields of some rows, by their positions in the plan.
  /// - Parameter hasSentences: Whether the sentences of their findings are searched, too.
  mutating func matches(_ wanted: SearchText, in rows: [Int], hasSentences: Bool = false) -> [Int] {
    guard !wanted.isEmpty else { return [] }
    prepareTexts(isExact: wanted.isExact)
    guard let texts = texts[wanted.isExact] else { return [] }
    let ink = Ink(options)
    return texts.matches(wanted, in: rows, hasSentences: hasSentences, standings: standings) { position in
      let field = plan.fields[position]
      guard case .edit(let value)? = decisions[field.id] else { return [] }
      return [FieldTexts.text(value, ink), ink.masked(ChangeSummary.text(field, .edit(value)))]
    }
  }

  private mutating func prepareTexts(isExact: Bool) {
    guard texts[isExact] == nil else { return }
    texts[isExact] = FieldTexts(plan, Ink(options), for: reader, isExact: isExact) { field in
      answers(to: field, FieldState(field, nil)).map { "\($0.key) \($0.does)" }
    }
  }

  private mutating func select(position: Int) { if let row = rows.row(of: position) { select(row: row) } }
}

/// The visible text of every field, with masks in place of masked values. It is built at the first search; a typed key
/// then reads only bytes.
struct FieldTexts: Sendable {
  /// Once there are so many bytes, long values are cut, and the status says so.
  private static let most = 32 << 20
  private static let longest = 4 << 20
  /// The longest part of a value that is cut.
  private static let cut = 64
  /// The longest value that is also searched as one line shows it.
  private static let line = 200

  /// Keys, values and codes of findings: what no decision changes.
  private var fixed: TextColumn
  private var sentences: TextColumn
  /// What to press while the field is undecided.
  private var answers: TextColumn
  /// What happens to the value without a decision.
  private var undecided: TextColumn
  /// The same once the proposal is accepted.
  private var confirmed: TextColumn
  private(set) var isCut = false

  /// - Parameter reader: names the keys of remedies.
  init(_ plan: Plan, _ ink: Ink, for reader: Reader, isExact: Bool, answers words: (Field) -> [String]) {
    let column = TextColumn(isExact: isExact, count: plan.fields.count)
    (fixed, sentences, answers, undecided, confirmed) = (column, column, column, column, column)
    for field in plan.fields {
      add(field, ink, reader)
      if field.status.asks { for text in words(field) { answers.append(ink.words(text)) } }
      answers.close()
    }
  }

  private mutating func add(_ field: Field, _ ink: Ink, _ reader: Reader) {
    fixed.append(ink.masked(field.sourceLabel))
    fixed.append(ink.masked(field.id))
    if let legacy = field.legacy { append(legacy, ink) }
    if let proposed = field.proposed, proposed != field.legacy { append(proposed, ink) }
    if let current = field.current, current != field.proposed { append(current, ink) }
    if field.legacy == nil || field.proposed == nil { fixed.append(ink.nothing) }
    for finding in field.findings {
      fixed.append(finding.code.rawValue)
      sentences.append(ink.words(finding.message), limit: Self.longest)
      sentences.append(ink.words("→ " + finding.remedy(for: reader)), limit: Self.longest)
    }
    for count in Severity.counts(field.findings) { sentences.append(count) }
    fixed.close()
    sentences.close()
    let summary = ink.masked(ChangeSummary.text(field, nil))
    undecided.append(summary)
    undecided.close()
    switch field.status {
    case .ready, .needsDecision, .dropped: confirmed.append(summary)
    case .conflict, .unchanged, .absent: confirmed.append(ink.masked(ChangeSummary.text(field, .migrate)))
    }
    confirmed.close()
  }

  private mutating func append(_ value: PropertyListValue, _ ink: Ink) {
    let text = Self.text(value, ink)
    let limit = fixed.bytes.count < Self.most ? Self.longest : Self.cut
    if text.utf8.count > limit { isCut = true }
    fixed.append(text, limit: limit)
    // On one line, some characters are escaped, and the digits of a text are quoted.
    guard text.utf8.count <= Self.line else { return }
    let line = ink.value(value, columns: Self.line)
    if line != text { fixed.append(line) }
  }

  static func text(_ value: PropertyListValue, _ ink: Ink) -> String {
    let shown = ink.shown(value)
    return shown.editableText ?? shown.inline(limit: 200)
  }

  /// The matching fields of some rows, by their positions in the plan.
  /// - Parameters:
  ///   - hasSentences: whether the sentences of findings are searched.
  ///   - edit: the texts of the edited value of the field at a position.
  func matches(
    _ wanted: SearchText, in rows: [Int], hasSentences: Bool, standings: [FieldState], edit: (Int) -> [String]
  ) -> [Int] {
    guard !wanted.isEmpty else { return [] }
    let isSkipped = wanted.isIn(ChangeSummary.skipped)
    let isKept = wanted.isIn(ChangeSummary.kept)
    let named = Set(FieldState.allCases.filter { hasSentences && wanted.isIn($0.word) })
    return rows.filter { position in
      guard position < standings.count else { return false }
      let state = standings[position]
      if named.contains(state) || fixed.contains(wanted, at: position) { return true }
      if hasSentences, sentences.contains(wanted, at: position) || state.waits && answers.contains(wanted, at: position)
      {
        return true
      }
      switch state {
      case .confirmed: return confirmed.contains(wanted, at: position)
      case .skipped: return isSkipped
      case .kept: return isKept
      case .edited: return edit(position).contains { wanted.isIn($0) }
      default: return undecided.contains(wanted, at: position)
      }
    }
  }
}
