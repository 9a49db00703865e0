import Carryover
import CarryoverPages
import CarryoverTerminal
import CarryoverVendors

struct Search: Sendable {
  var wanted = SearchText("")
  /// Entries of the index, in the outline's order.
  var matches = RowList<Int>()
  var origin: [Int]
  /// The lines of the visible matches.
  var lines: [Int: MatchLine] = [:]
}

extension BrowserState {
  mutating func beginSearch() {
    if index == nil { index = SearchIndex(outline) }
    search = Search(origin: selectedRow.map { outline.place($0) } ?? [])
    open(.storesMatches)
    stack.typing = LineEditor(.storesSearch)
  }

  mutating func search(for text: String) {
    guard let search else { return }
    find(SearchText(text, isExact: false))
    selectMatch(lowerBound(of: search.origin))
  }

  mutating func find(_ wanted: SearchText) {
    if index == nil { index = SearchIndex(outline) }
    search?.wanted = wanted
    search?.lines = [:]
    var matches = wanted.isEmpty ? [] : index?.matches(wanted) ?? []
    if let filter = outline.filter, let index { matches = matches.filter { filter.lists(index.place($0)) } }
    search?.matches.replace(matches)
  }

  mutating func keepSearch() {
    guard let search else { return }
    if search.wanted.isEmpty { return endSearch() }
    stack.typing = nil
    guard search.matches.count == 0 else { return goToMatch() }
    let rest = container.unreadBrief.map { " \($0)." } ?? ""
    leaveMatches("No key or visible value contains \(options.quoted(search.wanted.text)).\(rest)")
  }

  mutating func endSearch() {
    search = nil
    stack.typing = nil
    leaveMatches(nil)
  }

  private mutating func leaveMatches(_ message: String?) {
    show([.stores])
    self.message = message
  }

  mutating func goToMatch() {
    guard let search else { return }
    show([.stores])
    go(to: place(ofMatch: search.matches.row))
  }

  mutating func goToMatch(step: Int) {
    guard let search, search.matches.count > 0 else { return }
    let isListed = topScreen == .storesMatches
    guard let place = isListed ? (search.matches.row, true) : selectedRow.map({ match(at: outline.place($0)) }) else {
      return
    }
    let number = match(from: place, step: step, of: search.matches.count)
    selectMatch(number)
    if !isListed { go(to: self.place(ofMatch: number)) }
  }

  mutating func selectMatch(_ number: Int) {
    guard let search else { return }
    self.search?.matches.select(number < search.matches.count ? number : 0)
    reveal(.storesMatches)
  }

  /// `3 of 12 matches`.
  var matchWords: String {
    guard let search, !search.wanted.isEmpty else { return "" }
    let count = search.matches.count
    let more = index?.isCut == true ? " in what could be searched" : ""
    guard count > 0 else { return "no match" + more }
    let words = (count == 1 ? "1 match" : "\(count) matches") + more
    if count == 1 { return words }
    if topScreen == .storesMatches { return "\(search.matches.row + 1) of " + words }
    guard let row = selectedRow else { return words }
    let (next, isOn) = match(at: outline.place(row))
    return (isOn ? "\(next + 1) of " : "") + words
  }

  /// The number of the match at a place, otherwise of the next one.
  private func match(at place: [Int]) -> (number: Int, isOn: Bool) {
    let next = lowerBound(of: place)
    return (next, next < search?.matches.count ?? 0 && self.place(ofMatch: next) == place)
  }

  func place(ofMatch number: Int) -> [Int] { search?.matches.rows.element(number).flatMap { index?.place($0) } ?? [] }

  private func lowerBound(of place: [Int]) -> Int {
    (0..<(search?.matches.count ?? 0)).firstNot { self.place(ofMatch: $0).lexicographicallyPrecedes(place) }
  }

  private mutating func go(to place: [Int]) {
    guard !place.isEmpty else { return }
    select(row: outline.reveal(place))
  }
}

extension Screen {
  static let storesMatches = Screen("stores-matches", "Matches")
}

struct MatchLine: Sendable {
  var path: String
  /// The line with the match, otherwise the beginning of the value.
  var text: String
}

extension ScreenContent<BrowserState> {
  static var matches: ScreenContent {
    drawn(.storesMatches, back: .leftward("Go back to the stores.")) { $0.drawMatches() }.with {
      $0.scroller = { state, _ in
        let layout = PageLayout(size: state.size)
        return Scroller(state.search?.matches ?? RowList(), layout.rows, 1..<max(1, state.size.columns - 1)) {
          $0.search?.matches.put($1, top: $2)
        }
      }
      $0.empty = { $0.noMatches }
      $0.line = { state, row, ink in
        let line = state.search?.lines[row] ?? state.matchLine(row)
        return "\(line.path): \(ink.name(line.text, columns: 200))"
      }
    }
  }
}

extension BrowserState {
  fileprivate var noMatches: String {
    search?.wanted.isEmpty == false
      ? "No key or visible value contains \(options.quoted(search?.wanted.text ?? ""))."
      : "Type part of a key or a value of any store."
  }

  package mutating func refreshPanes() {
    guard topScreen == .storesMatches, !isTooSmall, let search else { return }
    // A packed value is opened once for all matches in it.
    var opened: [[Int]: ComparedValue] = [:]
    for (_, number, _) in search.matches.visible(at: PageLayout(size: size).rows) where search.lines[number] == nil {
      let line = matchLine(place(ofMatch: number), &opened)
      self.search?.lines[number] = line
    }
  }

  func matchLine(_ number: Int) -> MatchLine {
    var opened: [[Int]: ComparedValue] = [:]
    return matchLine(place(ofMatch: number), &opened)
  }

  private func matchLine(_ place: [Int], _ opened: inout [[Int]: ComparedValue]) -> MatchLine {
    let ink = Ink(options)
    guard let (root, depth) = outline.root(at: place) else {
      var path = ""
      if case .folder(let folder)? = place.first.flatMap({ outline.tops.element($0) }) { path = folder.path }
      return MatchLine(path: folderName(path, ink), text: "folder")
    }
    var path = InspectedPath(store: outline.shortName(of: root))
    var value = outline.compared(root)
    var isSecret = false
    var old: InspectedValue?
    for step in depth..<max(depth, place.count) {
      let way = Array(place[...step])
      guard let around = value, let child = around.child(at: place[step]) else { break }
      path.labels.append(child.label)
      let difference = around.difference(at: place[step])
      isSecret = Secrets.holds(child) || difference?.isSecret == true
      old = difference?.replaced?.value
      value = opened[way] ?? around.inside(place[step])
      if step + 1 < place.count { opened[way] = value }
    }
    let name = ink.name(path.store) + (path.labels.isEmpty ? "" : ": " + ink.name(path.labelText, isPath: true))
    if isSecret { return MatchLine(path: name, text: Secrets.standIn) }
    let words = value.map { text(of: $0.value) } ?? root.name
    return MatchLine(path: name, text: old.map { text(of: $0) + " → " + words } ?? words)
  }

  /// From a little before the match on.
  private func text(of value: InspectedValue) -> String {
    guard !value.isContainer else { return InspectedText.inline(value, limit: 200) }
    let text = value.searchText(limit: SearchIndex.longestText)
    guard let wanted = search?.wanted, text.utf8.count > 60 else { return text }
    let bytes = Array(text.utf8)
    // Only ASCII letters in either case, so that the place is one in the text, too.
    guard let found = wanted.firstPlace(in: bytes.map(SearchText.small)) else { return String(text.prefix(400)) }
    let newline = UInt8(ascii: "\n")
    var start = max(0, found - 30)
    if let line = bytes[start..<found].lastIndex(of: newline) { start = line + 1 }
    // Not in the middle of a character.
    while start < found, bytes[start] & 0xC0 == 0x80 { start += 1 }
    let line = bytes[start...].prefix(1000).prefix { $0 != newline }
    let isCut = start > 0 && bytes[start - 1] != newline
    return (isCut ? "…" : "") + String(String(decoding: line, as: UTF8.self).prefix(400))
  }
}

extension Canvas where State == BrowserState {
  fileprivate mutating func drawMatches() {
    let layout = PageLayout(size: size)
    let columns = 1..<max(1, size.columns - 1)
    grid.frame(
      Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2), title: Screen.storesMatches.title,
      titleStyle: Style(.title))
    guard let search = state.search, search.matches.count > 0 else {
      return field(ink.words(state.noMatches), row: layout.rows.lowerBound, columns: layout.columns, Style(.muted))
    }
    let visible = search.matches.visible(at: layout.rows)
    let lines = visible.map { search.lines[$0.number] ?? state.matchLine($0.number) }
    // A path gets the room that the texts leave, and up to nearly half of the row in any case.
    let paths = lines.reduce(12) { max($0, DisplayWidth.columns(of: $1.path)) }
    let texts = lines.reduce(12) { max($0, DisplayWidth.columns(of: ink.name($1.text, columns: size.columns))) }
    let room = layout.columns.count - 2
    let width = min(paths, max(room * 9 / 20, room - texts))
    for ((row, number, _), line) in zip(visible, lines) {
      let isSelected = number == search.matches.row
      let (name, value) = (Style(.label, selected: isSelected), Style(.value, selected: isSelected))
      let text = (width + 4)..<max(width + 4, columns.upperBound)
      field(isSelected ? ink.pointer : " ", row: row, columns: columns.lowerBound..<2, name)
      field(ink.middle(line.path, columns: width), row: row, columns: 2..<(2 + width), name)
      field("  ", row: row, columns: (2 + width)..<(width + 4), value)
      field(ink.name(line.text, columns: text.count), row: row, columns: text, value)
    }
    markMatches(search.wanted, rows: layout.rows, columns: columns)
    drawPlace(of: search.matches, visible: layout.rows.count)
  }
}

/// The text of every key and value of a container except values under secret keys. It is built at the first search; a
/// typed key then reads only bytes.
struct SearchIndex: Sendable {
  private struct Entry: Sendable {
    /// The entry around it; its own index for an outermost one.
    var parent: Int
    var index: Int
  }

  // Beyond these the index is cut, and says so.
  private static let mostEntries = 2_000_000
  private static let mostBytes = 64 << 20
  private static let mostLevels = 128
  /// The longest part of a text, in bytes.
  static let longestText = 4 << 20
  /// The same once half of the bytes are used.
  private static let shortText = 65_536

  private var entries: [Entry] = []
  private var names = TextColumn(isExact: false, count: 0)
  private var values = TextColumn(isExact: false, count: 0)
  private(set) var isCut = false

  init(_ outline: Outline) {
    var folder: (index: Int, entry: Int)?
    for (place, root) in outline.rootPlaces {
      if place.count > 1, folder?.index != place[0] {
        add(nil, place[0], root.folder)
        folder = (place[0], entries.count - 1)
      }
      let (parent, index) = place.count > 1 ? (folder?.entry, place[1]) : (nil, place[0])
      var reason: String?
      if case .unreadable(let words)? = root.store?.content { reason = words }
      add(parent, index, root.isNotice ? root.name : root.fileName, reason)
      if let value = outline.compared(root) { addInside(value, entry: entries.count - 1) }
    }
  }

  private var size: Int { names.bytes.count + values.bytes.count }

  private mutating func add(_ parent: Int?, _ index: Int, _ name: String, _ value: String? = nil) {
    let limit = size < Self.mostBytes / 2 ? Self.longestText : Self.shortText
    if max(name.utf8.count, value?.utf8.count ?? 0) > limit { isCut = true }
    names.append(name, limit: limit)
    names.close()
    if let value { values.append(value, limit: limit) }
    values.close()
    entries.append(Entry(parent: parent ?? entries.count, index: index))
  }

  private mutating func addInside(_ value: ComparedValue, entry: Int, level: Int = 1) {
    for index in 0..<value.count {
      guard let child = value.child(at: index) else { return }
      guard entries.count < Self.mostEntries, size < Self.mostBytes else { return isCut = true }
      let difference = value.difference(at: index)
      let isSecret = Secrets.holds(child) || difference?.isSecret == true
      let inner = isSecret ? nil : ComparedValue(child.value, difference?.inner ?? [])
      // Of two values side by side, both.
      let shown = isSecret ? [] : [difference?.replaced?.value, inner?.value].compactMap(\.self)
      let texts = shown.filter { !$0.isContainer }.map { $0.searchText(limit: Self.longestText) }
      add(entry, index, child.label.name ?? "", texts.isEmpty ? nil : texts.joined(separator: "\n"))
      guard let inner, inner.value.isContainer else { continue }
      guard level < Self.mostLevels else {
        isCut = true
        continue
      }
      addInside(inner, entry: entries.count - 1, level: level + 1)
    }
  }

  /// The entries that contain a text, in any case and in the outline's order.
  func matches(_ wanted: SearchText, isNameOnly: Bool = false) -> [Int] {
    entries.indices.filter { names.contains(wanted, at: $0) || !isNameOnly && values.contains(wanted, at: $0) }
  }

  /// The index of each child from the top.
  func place(_ entry: Int) -> [Int] {
    guard entries.indices.contains(entry) else { return [] }
    var place = [entries[entry].index]
    var current = entry
    while entries[current].parent != current {
      current = entries[current].parent
      place.append(entries[current].index)
    }
    return place.reversed()
  }
}
