internal import CCarryoverCurses
internal import CarryoverTerminal

/// How the styles of a theme are given to curses; colours are allotted as they are first used.
struct LookTable {
  /// What a cell is drawn with.
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
  /// By the number of the style: it is asked for every cell.
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

  /// With eight colours, bold stands for the brighter half. But grey and black are black then, and on the terminal's own
  /// background, which may be black, the terminal's own colour stands for them: faint for grey.
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

  /// Pair 0 is the terminal's own colours, and what is left when there are no more.
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
