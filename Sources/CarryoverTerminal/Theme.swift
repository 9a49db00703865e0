package struct Color: Hashable, Sendable {
  /// Of 16 colours. With 8, the brighter half becomes bold, and 0 and 8 on the terminal's own background become its own
  /// colour, 8 faint.
  package let basic: UInt8
  /// Of 256 colours.
  package let indexed: UInt8

  /// Without `indexed`, one of the first 16, which are the shortest to send and follow the user's terminal settings.
  package init(basic: UInt8, indexed: UInt8? = nil) {
    self.basic = basic & 15
    self.indexed = indexed ?? (basic & 15)
  }

  /// Of 256 colours; with 16, the nearest of those.
  package init(index: UInt8) { self.init(basic: Palette.nearestBasic(index), indexed: index) }

  static let black = Color(basic: 0)
  static let green = Color(basic: 2)
  static let cyan = Color(basic: 6)
  static let white = Color(basic: 15)
  static let lightRed = Color(basic: 9, indexed: 203)
  static let darkRed = Color(basic: 1, indexed: 124)
  static let darkBlue = Color(basic: 4, indexed: 25)
  // Not the eighth of the palette where there are more: some people's settings make it the colour of the background.
  static let lightGray = Color(basic: 8, indexed: 245)
  static let darkGray = Color(basic: 8, indexed: 242)
}

package struct Look: Hashable, Sendable {
  /// Nil is the terminal's own, here and below.
  package var foreground: Color?
  package var background: Color?
  package var bold: Bool
  package var dim: Bool
  package var reverse: Bool
  package var underline: Bool

  package init(
    _ foreground: Color? = nil, on background: Color? = nil, bold: Bool = false, dim: Bool = false,
    reverse: Bool = false, underline: Bool = false
  ) {
    self.foreground = foreground
    self.background = background
    self.bold = bold
    self.dim = dim
    self.reverse = reverse
    self.underline = underline
  }
}

package struct Theme: Hashable, Sendable {
  package let name: String
  /// A role without a look is plain text.
  package var looks: [Role: Look]
  /// Replaces the role's look, so that a selected row is one run and moving the selection sends few bytes; the marks
  /// still show the state.
  package var selection: Look
  package func look(for style: Style) -> Look {
    var look = style.selected ? selection : looks[style.role] ?? Look()
    if style.bold { look.bold = true }
    return look
  }

  package static let builtIn: [Theme] = [.dark, .light, .mono]

  /// For terminals with a dark background. Where there are 16 colours it keeps away from those that are too dark to be
  /// read on black in what terminals ship with: red, blue, magenta and, on consoles, yellow.
  package static let dark = Theme(
    name: "dark",
    looks: [
      .title: Look(bold: true), .header: Look(bold: true), .frame: Look(.lightGray), .frameFocused: Look(.cyan),
      .muted: Look(.lightGray), .label: Look(.cyan), .note: Look(Color(basic: 6, indexed: 75)), .ready: Look(.green),
      .flagged: Look(Color(basic: 11, indexed: 3), bold: true), .error: Look(.lightRed, bold: true),
      .confirmed: Look(.green, bold: true), .skipped: Look(.lightGray),
      .edited: Look(Color(basic: 13, indexed: 177), bold: true), .conflict: Look(.lightRed, bold: true),
      .added: Look(.green), .removed: Look(.lightRed), .changed: Look(Color(basic: 11, indexed: 3)),
      .key: Look(.cyan, bold: true), .prompt: Look(bold: true), .match: Look(.black, on: Color(basic: 11, indexed: 3)),
    ],
    selection: Look(.white, on: Color(basic: 4, indexed: 24)))

  /// For terminals with a light background. Where there are 16 colours, green, yellow and cyan cannot be read on white.
  package static let light = Theme(
    name: "light",
    looks: [
      .title: Look(bold: true), .header: Look(bold: true), .frame: Look(.darkGray), .frameFocused: Look(.darkBlue),
      .muted: Look(.darkGray), .label: Look(.darkBlue), .note: Look(Color(basic: 4, indexed: 24)),
      .ready: Look(Color(basic: 0, indexed: 22)), .flagged: Look(Color(basic: 5, indexed: 130), bold: true),
      .error: Look(.darkRed, bold: true), .confirmed: Look(Color(basic: 4, indexed: 22), bold: true),
      .skipped: Look(.darkGray), .edited: Look(Color(basic: 5, indexed: 90), bold: true),
      .conflict: Look(.darkRed, bold: true), .added: Look(Color(basic: 4, indexed: 22)), .removed: Look(.darkRed),
      .changed: Look(Color(basic: 5, indexed: 130)), .key: Look(.darkBlue, bold: true), .prompt: Look(bold: true),
      .match: Look(.black, on: Color(basic: 11, indexed: 3)),
    ],
    selection: Look(.black, on: Color(basic: 6, indexed: 153)))

  package static let mono = Theme(
    name: "mono",
    looks: [
      .title: Look(bold: true), .header: Look(bold: true), .frame: Look(dim: true), .muted: Look(dim: true),
      .flagged: Look(bold: true), .error: Look(bold: true, underline: true), .confirmed: Look(bold: true),
      .skipped: Look(dim: true), .edited: Look(underline: true), .conflict: Look(bold: true, underline: true),
      .added: Look(bold: true), .removed: Look(dim: true), .changed: Look(underline: true), .key: Look(bold: true),
      .prompt: Look(bold: true), .match: Look(underline: true),
    ],
    selection: Look(reverse: true))
}

/// The colours of the 256-colour palette as xterm has them, as 0xRRGGBB.
package enum Palette {
  private static let basic: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  /// 16 to 231 are a cube of six levels a channel, 232 to 255 a ramp of grey.
  package static func rgb(_ index: UInt8) -> UInt32 {
    let index = Int(index)
    if index < 16 { return basic[index] }
    if index >= 232 { return UInt32(8 + 10 * (index - 232)) * 0x010101 }
    func level(_ step: Int) -> UInt32 { step == 0 ? 0 : UInt32(55 + 40 * step) }
    let cube = index - 16
    return level(cube / 36) << 16 | level(cube / 6 % 6) << 8 | level(cube % 6)
  }

  static func nearestBasic(_ index: UInt8) -> UInt8 {
    func channels(_ color: UInt32) -> [Int] { [16, 8, 0].map { Int(color >> UInt32($0) & 0xFF) } }
    guard index >= 16 else { return index }
    let wanted = channels(rgb(index))
    let distances = basic.map { color in zip(wanted, channels(color)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
    return UInt8(distances.indices.min { distances[$0] < distances[$1] } ?? 7)
  }
}
