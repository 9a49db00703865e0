import CarryoverTerminal

/// One of the counts at the right of the title bar.
struct TitleCount: Hashable {
  /// The state that is counted; nil for what keeps the whole plan from being applied.
  var state: FieldState?
  var role: Role?
  var text: String
  var columns: Range<Int>
}

extension ReviewState {
  /// The counts of the states, and where each stands.
  var titleCounts: [TitleCount] {
    let ink = Ink(options)
    var counts: [TitleCount] = []
    // What keeps the whole plan from being applied, whatever its fields are.
    if let word = readOnly != nil ? FieldSummary.readOnly : blockers.isEmpty ? nil : FieldSummary.blocked {
      counts.append(TitleCount(role: .flagged, text: ink.words(word), columns: 0..<0))
    }
    for state in FieldState.allCases where tally[state] > 0 {
      let text = ink.words("\(tally[state]) \(state.word)")
      counts.append(TitleCount(state: state, role: state.waits ? state.role : nil, text: text, columns: 0..<0))
    }
    TitleCount.fit(&counts, columns: size.columns - 2 - TitleCount.product.utf8.count, ellipsis: " " + ink.words("…"))
    var end = size.columns - 1
    for index in counts.indices.reversed() {
      counts[index].columns = (end - DisplayWidth.columns(of: counts[index].text))..<end
      end = counts[index].columns.lowerBound - TitleCount.separator.count
    }
    return counts
  }

  /// What the last line offers to be clicked; nothing while it says something else.
  var footerHints: FooterHints {
    if screen == .helpSearch {
      let hints = Array(Footer.hints(self, columns: size.columns).prefix(2))
      return FooterHints(hints: hints, start: max(8, size.columns - hints.reduce(0) { $0 + $1.columns + 2 }))
    }
    if rowEntry != nil {
      let hints = Footer.hints(self, columns: size.columns)
      return FooterHints(hints: hints, start: max(8, size.columns - hints.reduce(0) { $0 + $1.columns + 2 }))
    }
    guard !isBusy, message == nil, count.value == nil, !isFindingTyped else { return FooterHints(hints: []) }
    return FooterHints(hints: Footer.hints(self, columns: findWords.map { $0.start - 1 } ?? size.columns))
  }
}

extension TitleCount {
  /// What stands between two.
  static let separator = " · "
  /// What stands at the left, whatever there is room for.
  static let product = "Carryover  "

  /// Takes counts away until all of what is left fits, whole: the last first, but none that the apply waits for.
  fileprivate static func fit(_ counts: inout [TitleCount], columns: Int, ellipsis: String) {
    var room = columns + separator.count
    for count in counts { room -= DisplayWidth.columns(of: count.text) + separator.count }
    guard room < 0 else { return }
    room -= DisplayWidth.columns(of: ellipsis)
    while room < 0, counts.count > 1, let last = counts.lastIndex(where: { $0.role == nil }) {
      room += DisplayWidth.columns(of: counts[last].text) + separator.count
      counts.remove(at: last)
    }
    if let last = counts.indices.last { counts[last].text += ellipsis }
  }
}
