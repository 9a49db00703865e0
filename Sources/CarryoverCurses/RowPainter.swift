internal import CCarryoverCurses
internal import CarryoverTerminal

/// Gives ncurses the cells of a frame row by row. A value, so that the terminal, a class, is accessed once a row: for
/// each cell that would cost more than the cell.
struct RowPainter {
  var size = Size(columns: 0, rows: 0)

  private var looks: LookTable
  private var scalars: [UInt32] = []

  init(looks: LookTable) {
    self.looks = looks
  }

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

  private struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  private let theme: Theme
  private let colors: Int
  private var entries: [Entry?] = Array(repeating: nil, count: 4 * Role.allCases.count)
  private var pairs: [Pair: Int32] = [:]

  init(theme: Theme, colors: Int) {
    self.theme = colors == 0 ? .mono : theme
    self.colors = colors
  }

  mutating func entry(for style: Style) -> Entry {
    let index = Int(style.code)
    guard index < entries.count else { return makeEntry(for: theme.look(for: style)) }
    if let entry = entries[index] {
      return entry
    }
    let entry = makeEntry(for: theme.look(for: style))
    entries[index] = entry
    return entry
  }

  private mutating func makeEntry(for wanted: Look) -> Entry {
    let look = (1..<16).contains(colors) ? eightColored(wanted) : wanted
    var attributes: UInt32 = 0
    if look.bold { attributes |= CC_BOLD.rawValue }
    if look.dim { attributes |= CC_DIM.rawValue }
    if look.reverse { attributes |= CC_REVERSE.rawValue }
    if look.underline { attributes |= CC_UNDERLINE.rawValue }
    let pair = Pair(foreground: number(of: look.foreground), background: number(of: look.background))
    return Entry(attributes: Int32(attributes), pair: allot(pair))
  }

  /// With eight colours, bold means the brighter half. Grey and black would be black, on a background that may be
  /// black: the terminal's own colour replaces them, faint for grey.
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

  /// Pair 0 is the terminal's own colours, and replaces those for which no pair is left.
  private mutating func allot(_ pair: Pair) -> Int32 {
    if pair.foreground < 0, pair.background < 0 {
      return 0
    }
    if let known = pairs[pair] {
      return known
    }
    let number = Int32(pairs.count + 1)
    let allotted = cc_set_pair(number, pair.foreground, pair.background) == 0 ? number : 0
    pairs[pair] = allotted
    return allotted
  }
}
