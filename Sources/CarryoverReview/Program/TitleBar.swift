import CarryoverTerminal

/// One of the counts at the right of the title bar.
package struct TitleCount: Hashable, Sendable {
  var text: String
  /// The role it is drawn in; nil for the colour of the bar.
  var role: Role?
  /// What a click on it stands for, by a number of the program's.
  var tag: Int?
  /// Where it stands.
  var columns = 0..<0

  /// What stands between two.
  static let separator = " · "
  /// What stands at the left, whatever there is room for.
  static let product = "Carryover  "

  /// Counts at their places: the last that find no room are left out, but none that has a role.
  static func placed(_ counts: [TitleCount], _ ink: Ink, columns: Int) -> [TitleCount] {
    var counts = counts
    for index in counts.indices { counts[index].text = ink.words(counts[index].text) }
    var room = columns - 2 - product.utf8.count + separator.count
    for count in counts { room -= DisplayWidth.columns(of: count.text) + separator.count }
    if room < 0 {
      let ellipsis = " " + ink.words("…")
      room -= DisplayWidth.columns(of: ellipsis)
      while room < 0, counts.count > 1, let last = counts.lastIndex(where: { $0.role == nil }) {
        room += DisplayWidth.columns(of: counts[last].text) + separator.count
        counts.remove(at: last)
      }
      if let last = counts.indices.last { counts[last].text += ellipsis }
    }
    var end = columns - 1
    for index in counts.indices.reversed() {
      counts[index].columns = (end - DisplayWidth.columns(of: counts[index].text))..<end
      end = counts[index].columns.lowerBound - separator.count
    }
    return counts
  }
}

extension Canvas {
  /// The name of the program, what is shown, and the counts at the right.
  mutating func drawTitleBar() {
    field("", row: 0, columns: 0..<size.columns, Style(.header))
    let counts = state.titleCounts
    let room = (counts.first?.columns.lowerBound ?? size.columns) - 2
    for (index, count) in counts.enumerated() {
      let start = count.columns.lowerBound
      if index > 0 { _ = put(TitleCount.separator, start - TitleCount.separator.count, Style(.muted)) }
      _ = put(count.text, start, Style(count.role ?? .header))
    }
    var next = 1 + put(TitleCount.product, 1, Style(.header, bold: true))
    guard room > next else { return }
    for (index, part) in state.titleParts(columns: room - next).enumerated() {
      let text = (index > 0 ? ink.words(TitleCount.separator) : "") + part
      let width = DisplayWidth.columns(of: text)
      // A part is shown whole or not at all, but of the first what tells something.
      guard next + width <= room || index == 0 && next + Self.leastName <= room else { break }
      grid.put(text, at: Position(column: next, row: 0), width: min(width, max(0, room - next)), style: Style(.plain))
      next += width
    }
  }

  /// As much of a name as is worth its place.
  private static var leastName: Int { 5 }

  private mutating func put(_ text: String, _ column: Int, _ style: Style) -> Int {
    let text = ink.words(text)
    let width = DisplayWidth.columns(of: text)
    return grid.put(text, at: Position(column: column, row: 0), width: width, style: style)
  }
}
