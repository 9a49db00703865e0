internal import CCarryoverCurses
internal import CarryoverTerminal

/// Gives ncurses the cells of a frame row by row. A value, so that the terminal, a class, is accessed once a row: for
/// each cell that would cost more than the cell.
struct RowPainter {
  var size = Size(columns: 0, rows: 0)

  let looks: LookTable
  var scalars: [UInt32] = []

  /// The row must be blank.
  mutating func draw(_ cells: [Cell], row: Int) {
    let empty = Cell.blank()
    for (column, cell) in cells.prefix(size.columns).enumerated() where cell.columns > 0 && cell != empty {
      put(cell, row: row, column: column)
    }
  }

  /// A cell whose width the C library does not agree with becomes marks.
  private mutating func put(_ cell: Cell, row: Int, column: Int) {
    let look = looks.entry(for: cell.style)
    let fits = column + cell.columns <= size.columns
    if fits, agrees(cell.base, cell.columns) {
      scalars.removeAll(keepingCapacity: true)
      cell.forEachScalar { scalars.append($0.value) }
      if scalars.dropFirst().allSatisfy({ cc_width($0) == 0 }),
        cc_put(Int32(row), Int32(column), scalars, Int32(scalars.count), look.attributes, look.pair) == 0
      {
        return
      }
    }
    for offset in 0..<(fits ? cell.columns : 1) {
      _ = cc_put(Int32(row), Int32(column + offset), [fits ? 0x3F : 0x20], 1, look.attributes, look.pair)
    }
  }

  private func agrees(_ scalar: UInt32, _ columns: Int) -> Bool {
    scalar >= 0x20 && scalar < 0x7F ? columns == 1 : cc_width(scalar) == Int32(columns)
  }
}

struct LookTable {
  struct Entry {
    var attributes: Int32
    var pair: Int32
  }

  private let colors: Int
  /// By the code of the style.
  private var entries: [Entry] = []

  init(theme: Theme, colors: Int) {
    self.colors = colors
    let theme = colors == 0 ? .mono : theme
    // Pair 0 is the terminal's own colours, and replaces those for which no pair is left.
    var pairs: [[Int32]: Int32] = [[-1, -1]: 0]
    let styles = Role.allCases.flatMap { role in
      [(false, false), (false, true), (true, false), (true, true)].map { Style(role, selected: $0, bold: $1) }
    }
    for style in styles {
      let wanted = theme.look(for: style)
      let look = (1..<16).contains(colors) ? eightColored(wanted) : wanted
      let key = [number(of: look.foreground), number(of: look.background)]
      let next = Int32(pairs.count)
      let pair = pairs[key] ?? (cc_set_pair(next, key[0], key[1]) == 0 ? next : 0)
      pairs[key] = pair
      let flags = [
        (look.bold, CC_BOLD), (look.dim, CC_DIM), (look.reverse, CC_REVERSE), (look.underline, CC_UNDERLINE),
      ]
      let attributes = flags.reduce(0) { $1.0 ? $0 | $1.1.rawValue : $0 }
      entries.append(Entry(attributes: Int32(attributes), pair: pair))
    }
  }

  func entry(for style: Style) -> Entry { entries[Int(style.code)] }

  /// With eight colours, bold means the brighter half. Grey and black would be black, on a background that may be black:
  /// the terminal's own colour replaces them, faint for grey.
  private func eightColored(_ wanted: Look) -> Look {
    var look = wanted
    let basic = wanted.foreground?.basic ?? 7
    if basic & 7 == 0, wanted.background == nil {
      look.foreground = nil
      look.dim = look.dim || basic == 8
    } else if basic >= 8 {
      look.bold = true
    }
    return look
  }

  private func number(of color: Color?) -> Int32 {
    guard let color, colors > 0 else { return -1 }
    switch colors {
    case 256...: return Int32(color.indexed)
    case 16...: return Int32(color.basic)
    default: return Int32(color.basic & 7)
    }
  }
}
