import Carryover
import CarryoverTerminal
import PropertyLists

extension Screen {
  /// What a search found in the stores.
  static let storesMatches = Screen("stores-matches", "Matches")
}

/// What the list of matches says of one.
struct MatchLine: Sendable {
  /// The store and the way in it.
  var path: String
  /// The line of the value that holds what was searched for; otherwise how the value begins.
  var text: String
}

extension ScreenContent<BrowserState> {
  /// What a search found: where, with the line it is in.
  static var matches: ScreenContent {
    drawn(.storesMatches, back: .leftward("Go back to the stores.")) { $0.drawMatches() }.with {
      $0.scroller = { state, _ in
        let layout = PageLayout(size: state.size)
        return Scroller(
          count: state.search?.matches.count ?? 0, rows: layout.rows, columns: 1..<max(1, state.size.columns - 1),
          top: state.search?.top ?? 0, row: state.search?.row ?? 0, select: { $0.selectMatch($1) },
          scroll: { $0.search?.top = $1 })
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
  /// What is said where nothing is found.
  fileprivate var noMatches: String {
    search?.query.isEmpty == false
      ? "Nothing contains \(options.quoted(search?.query ?? ""))." : "Type part of a key or a value of any store."
  }

  /// Reads what the list says of the matches in sight.
  package mutating func refreshPanes() {
    guard topScreen == .storesMatches, !isTooSmall, let search else { return }
    let visible = search.top..<min(search.matches.count, search.top + PageLayout(size: size).rows.count)
    // What is packed is opened once for all the matches in it.
    var opened: [[Int]: InspectedValue] = [:]
    for number in visible where search.lines[number] == nil {
      let line = matchLine(place(ofMatch: number), &opened)
      self.search?.lines[number] = line
    }
  }

  func matchLine(_ number: Int) -> MatchLine {
    var opened: [[Int]: InspectedValue] = [:]
    return matchLine(place(ofMatch: number), &opened)
  }

  private func matchLine(_ place: [Int], _ opened: inout [[Int]: InspectedValue]) -> MatchLine {
    let ink = Ink(options)
    guard let (root, depth) = outline.root(at: place) else {
      return MatchLine(path: folderName(outline.folder(at: place)?.path ?? "", ink), text: "folder")
    }
    var path = InspectedPath(store: outline.shortName(of: root))
    var value = root.value
    var isSecret = false
    for step in depth..<max(depth, place.count) {
      let way = Array(place[...step])
      guard let child = value?.child(at: place[step]) else { break }
      path.labels.append(child.label)
      isSecret = Secrets.holds(child)
      value = opened[way] ?? child.value
      if step + 1 < place.count { opened[way] = value }
    }
    let name = ink.name(path.store) + (path.labels.isEmpty ? "" : ": " + ink.name(path.labelText))
    if isSecret { return MatchLine(path: name, text: Secrets.standIn) }
    return MatchLine(path: name, text: value.map { text(of: $0) } ?? root.name)
  }

  /// The line of a value's text with what is searched for, from a little before it on.
  private func text(of value: InspectedValue) -> String {
    guard !value.isContainer else { return InspectedText.inline(value, limit: 200) }
    let text = value.searchText(limit: SearchIndex.Limits().text)
    guard let query = search?.query, text.utf8.count > 60 else { return text }
    let (bytes, wanted) = (Array(text.utf8), SearchText(query.lowercased()))
    guard let found = wanted.firstPlace(in: bytes) else { return String(text.prefix(400)) }
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
  /// The matches, each with its place and its text.
  fileprivate mutating func drawMatches() {
    let layout = PageLayout(size: size)
    let columns = 1..<max(1, size.columns - 1)
    let search = state.search
    let count = search?.matches.count ?? 0
    grid.frame(
      Rect(column: 0, row: 1, columns: size.columns, rows: size.rows - 2), title: Screen.storesMatches.title,
      titleStyle: Style(.title))
    guard let search, count > 0 else {
      return field(
        ink.words(state.noMatches), row: layout.rows.lowerBound, columns: layout.columns, Style(.muted))
    }
    let lines = layout.rows.indices.prefix(max(0, count - search.top)).map { row in
      let number = search.top + row - layout.rows.lowerBound
      return search.lines[number] ?? state.matchLine(number)
    }
    // A path gets the room that the texts leave, and never less than it needs of nearly half.
    let paths = lines.reduce(12) { max($0, DisplayWidth.columns(of: $1.path)) }
    let texts = lines.reduce(12) { max($0, DisplayWidth.columns(of: ink.name($1.text, columns: size.columns))) }
    let room = layout.columns.count - 2
    let width = min(paths, max(room * 9 / 20, room - texts))
    for (row, line) in zip(layout.rows, lines) {
      let isSelected = search.top + row - layout.rows.lowerBound == search.row
      let name = Style(.label, selected: isSelected)
      let path = 2..<(2 + width)
      field(isSelected ? ink.pointer : " ", row: row, columns: columns.lowerBound..<2, name)
      field(ink.middle(line.path, columns: width), row: row, columns: path, name)
      field("  ", row: row, columns: path.upperBound..<(path.upperBound + 2), Style(.value, selected: isSelected))
      let text = (path.upperBound + 2)..<max(path.upperBound + 2, columns.upperBound)
      field(
        ink.name(line.text, columns: text.count), row: row, columns: text, Style(.value, selected: isSelected))
    }
    markMatches(SearchText(search.query.lowercased()), rows: layout.rows, columns: columns)
    if count > layout.rows.count { drawPlace("\(search.row + 1) of \(count)", row: size.rows - 2) }
  }
}
