/// A colour of the terminal's palette.
package struct Color: Hashable, Sendable {
  /// The colour where a terminal has 16 of them, 0 to 15. With 8 colours the brighter half becomes bold, and 0
  /// and 8 on the terminal's own background become its own colour, 8 faint.
  package let basic: UInt8
  /// The colour where a terminal has 256 of them.
  package let indexed: UInt8

  /// A colour given for both palettes. Without `indexed` the first 16 of the 256 are used, which are the shortest to
  /// send and which people's own terminal settings govern.
  package init(basic: UInt8, indexed: UInt8? = nil) {
    self.basic = basic & 15
    self.indexed = indexed ?? (basic & 15)
  }

  /// A colour of the palette of 256; where a terminal has 16, the nearest of those.
  package init(index: UInt8) {
    self.init(basic: Palette.nearestBasic(index), indexed: index)
  }
}

/// How text looks: colours and attributes.
package struct Look: Hashable, Sendable {
  /// The colour of the text; nil is the terminal's own.
  package var foreground: Color?
  /// The colour behind it; nil is the terminal's own.
  package var background: Color?
  /// Heavier, or brighter.
  package var bold: Bool
  /// Fainter.
  package var dim: Bool
  /// Foreground and background exchanged.
  package var reverse: Bool
  /// Underlined.
  package var underline: Bool

  /// A look; what is left out is the terminal's own.
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

/// What each role looks like.
package struct Theme: Hashable, Sendable {
  /// What it is called on the command line.
  package let name: String
  /// The looks of roles; a role without one looks like plain text.
  package var looks: [Role: Look]
  /// The look of a selected cell. It replaces the role's own, so that a selected row is one run of one look and moving
  /// the selection sends few bytes; a state stays readable by its mark.
  package var selection: Look
  /// The colours a picture of the screen is drawn with where the terminal would use its own: text and background,
  /// each as 0xRRGGBB.
  package var pictureColors: (foreground: UInt32, background: UInt32) {
    get { (pictureForeground, pictureBackground) }
    set { (pictureForeground, pictureBackground) = newValue }
  }

  private var pictureForeground: UInt32
  private var pictureBackground: UInt32

  /// A theme of the given looks.
  package init(
    name: String, looks: [Role: Look], selection: Look,
    pictureColors: (foreground: UInt32, background: UInt32)
  ) {
    self.name = name
    self.looks = looks
    self.selection = selection
    self.pictureForeground = pictureColors.foreground
    self.pictureBackground = pictureColors.background
  }

  /// The look of a cell.
  package func look(for style: Style) -> Look {
    var look = style.selected ? selection : looks[style.role] ?? Look()
    if style.bold {
      look.bold = true
    }
    return look
  }

  /// The built-in theme of that name: `dark`, `light` or `mono`.
  package static func named(_ name: String) -> Theme? {
    builtIn.first { $0.name == name }
  }
}
