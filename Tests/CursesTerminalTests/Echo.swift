import CarryoverTerminal

/// What a terminal would show of the sequences that place text: enough to see whether it stands where it should.
struct Echo {
  private var rows: [[Character]]
  private var row = 0
  private var column = 0

  init(_ size: Size) {
    rows = Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
  }

  func line(_ row: Int) -> String { String(rows[row]) }

  mutating func take(_ sent: String) {
    var rest = Array(sent.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\u{1B}": escape(&rest)
      case "\u{8}": column = max(0, column - 1)
      case "\r": column = 0
      case "\n": row = min(rows.count - 1, row + 1)
      default: put(scalar)
      }
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let columns = DisplayWidth.columns(of: String(scalar))
    if rows.indices.contains(row), rows[row].indices.contains(column) { rows[row][column] = Character(scalar) }
    column += columns
  }

  private mutating func escape(_ rest: inout ArraySlice<Unicode.Scalar>) {
    guard rest.first == "[" else {
      // The choice of a character set is two characters long.
      if rest.popFirst() == "(" { _ = rest.popFirst() }
      return
    }
    rest = rest.dropFirst()
    let parameters = rest.prefix { !("@"..."~").contains($0) }
    rest = rest.dropFirst(parameters.count)
    let numbers = String(String.UnicodeScalarView(parameters)).split(separator: ";").compactMap { Int($0) }
    let first = numbers.first ?? 1
    switch rest.popFirst() {
    case "H": (row, column) = (first - 1, (numbers.dropFirst().first ?? 1) - 1)
    case "d": row = first - 1
    case "G": column = first - 1
    case "A": row -= first
    case "B": row += first
    case "C": column += first
    case "D": column -= first
    case "X": for index in column..<min(rows[row].count, column + first) { rows[row][index] = " " }
    case "K": for index in column..<rows[row].count { rows[row][index] = " " }
    case "J": for index in rows.indices { rows[index] = Array(repeating: " ", count: rows[index].count) }
    default: break
    }
  }
}
