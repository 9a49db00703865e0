import Carryover
import CarryoverSystem
import CarryoverTerminal

extension Canvas {
  /// The line of a search or a filter that is typed, in place of the keys.
  /// - Returns: whether there is one.
  mutating func drawFinding() -> Bool {
    switch state.screen {
    case .search:
      guard let line = state.search?.line else { return false }
      let isNone = state.search?.wanted.isEmpty == false && state.search?.matches.isEmpty == true
      drawTyped(line, prompt: "/", words: state.matchWords, isFlagged: isNone)
    case .filter:
      guard let line = state.filter?.line else { return false }
      let words = state.isFiltered ? "\(state.rows.count) of \(state.plan.fields.count)" : ""
      drawTyped(line, prompt: "filter: ", words: words, isFlagged: state.rows.count == 0)
      drawFilterHint()
    default: return false
    }
    return true
  }

  private mutating func drawTyped(_ line: TypedLine, prompt: String, words: String, isFlagged: Bool) {
    let row = size.rows - 1
    let words = ink.words(words)
    let found = DisplayWidth.columns(of: words)
    // The line gets what is left, and never less than a third.
    let hints = Footer.hints(state, columns: max(0, size.columns * 2 / 3 - found - prompt.utf8.count - 4))
    let end = size.columns - found - 2 - hints.reduce(0) { $0 + $1.columns + 2 }
    let start = 1 + prompt.utf8.count
    grid.put(prompt, at: Position(column: 1, row: row), style: Style(.key))
    cursor = drawLine(line, row: row, columns: start..<max(start + 8, end - 1))
    grid.put(words, at: Position(column: end, row: row), width: found, style: Style(isFlagged ? .flagged : .muted))
    drawHints(hints, from: end + found + 2)
  }

  /// What can be typed next, in the frame above the line.
  private mutating func drawFilterHint() {
    let (words, isWrong) = filterHint
    let text = " " + ink.words(words) + " "
    let width = min(DisplayWidth.columns(of: text), size.columns - 4)
    grid.put(
      text, at: Position(column: 2, row: size.rows - 2), width: width, style: Style(isWrong ? .flagged : .muted))
  }

  private var filterHint: (words: String, isWrong: Bool) {
    if let message = state.message { return (message, true) }
    let query = FilterQuery(state.filter?.text ?? "")
    if !query.unknown.isEmpty, let complaint = query.complaint { return (complaint, true) }
    let word = state.filterWord
    let candidates = FilterWord.completions(of: word).filter { $0 != word }
    if let kind = FilterWord.kinds.first(where: { kind in candidates.allSatisfy { $0.hasPrefix(kind) } }),
      !candidates.isEmpty
    {
      return (fitting(candidates.map { String($0.dropFirst(kind.count)) }, after: "tab: \(kind)"), false)
    }
    return ("words that all have to match · is:todo is:edited … · has:warning … · group:identity …", false)
  }

  /// As many words as the frame has room for, each whole.
  private func fitting(_ words: [String], after start: String) -> String {
    var text = start
    for (index, word) in words.enumerated() {
      let rest = index + 1 < words.count ? 2 : 0
      guard text.utf8.count + 1 + word.utf8.count + rest <= size.columns - 6 else { return text + " …" }
      text += " " + word
    }
    return text
  }

  /// The range and the search that are on, at the right of the last line.
  mutating func drawFindWords() {
    guard let (words, start) = state.findWords else { return }
    field(words, row: size.rows - 1, columns: start..<(size.columns - 1), Style(.prompt))
  }
}

extension ReviewState {
  /// The range and the search that are on, and the column their words begin at; nil where neither is.
  var findWords: (words: String, start: Int)? {
    guard screens.last == .review, anchor != nil || search != nil else { return nil }
    let ink = Ink(options)
    var parts: [String] = []
    if let range { parts.append("range of \(range.count)") }
    if let wanted = searchText {
      let text = DisplayText.visible(wanted.text, limit: size.columns / 3, ascii: ink.glyphs == .ascii)
      parts.append("/" + text + "  " + ink.words(matchWords))
    }
    guard !parts.isEmpty else { return nil }
    let words = parts.joined(separator: "   ")
    return (words, size.columns - DisplayWidth.columns(of: words) - 1)
  }
}
