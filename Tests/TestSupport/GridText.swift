package import CarryoverTerminal

/// A grid as a text file, as screens are recorded.
package enum GridText {
  /// One line for each row, without the blanks at its end; every line ends in a line feed.
  package static func text(of grid: Grid) -> String {
    grid.lines.reduce(into: "") { text, line in
      let end = line.unicodeScalars.lastIndex { $0 != " " }.map { line.unicodeScalars.index(after: $0) }
      text += line[..<(end ?? line.startIndex)]
      text += "\n"
    }
  }
}
