extension Theme {
  /// Every built-in theme.
  public static let builtIn: [Theme] = [.dark, .light, .mono]

  /// For terminals with a dark background.
  public static let dark = Theme(
    name: "dark",
    looks: [
      .title: Look(bold: true),
      .header: Look(bold: true),
      .frame: Look(.gray),
      .frameFocused: Look(.cyan),
      .muted: Look(.gray),
      .label: Look(.cyan),
      .note: Look(.blue),
      .ready: Look(.green),
      .flagged: Look(.yellow, bold: true),
      .error: Look(.red, bold: true),
      .confirmed: Look(.green, bold: true),
      .skipped: Look(.gray),
      .edited: Look(.magenta, bold: true),
      .conflict: Look(.red, bold: true),
      .added: Look(.green),
      .removed: Look(.red),
      .changed: Look(.yellow),
      .key: Look(.cyan, bold: true),
      .prompt: Look(bold: true),
      .match: Look(.black, on: .yellow),
    ],
    selection: Look(.white, on: Color(basic: 4, indexed: 24)),
    pictureColors: (foreground: 0xD4D4D4, background: 0x16181D))

  /// For terminals with a light background.
  public static let light = Theme(
    name: "light",
    looks: [
      .title: Look(bold: true),
      .header: Look(bold: true),
      .frame: Look(.gray),
      .frameFocused: Look(.blue),
      .muted: Look(.gray),
      .label: Look(.blue),
      .note: Look(Color(basic: 6, indexed: 30)),
      .ready: Look(Color(basic: 2, indexed: 28)),
      .flagged: Look(Color(basic: 3, indexed: 130), bold: true),
      .error: Look(Color(basic: 1, indexed: 124), bold: true),
      .confirmed: Look(Color(basic: 2, indexed: 28), bold: true),
      .skipped: Look(.gray),
      .edited: Look(Color(basic: 5, indexed: 90), bold: true),
      .conflict: Look(Color(basic: 1, indexed: 124), bold: true),
      .added: Look(Color(basic: 2, indexed: 28)),
      .removed: Look(Color(basic: 1, indexed: 124)),
      .changed: Look(Color(basic: 3, indexed: 130)),
      .key: Look(.blue, bold: true),
      .prompt: Look(bold: true),
      .match: Look(.black, on: .yellow),
    ],
    selection: Look(.black, on: Color(basic: 6, indexed: 153)),
    pictureColors: (foreground: 0x24292F, background: 0xFFFFFF))

  /// Without colours: only bold, dim, reverse and underline.
  public static let mono = Theme(
    name: "mono",
    looks: [
      .title: Look(bold: true),
      .header: Look(bold: true),
      .frame: Look(dim: true),
      .muted: Look(dim: true),
      .flagged: Look(bold: true),
      .error: Look(bold: true, underline: true),
      .confirmed: Look(bold: true),
      .skipped: Look(dim: true),
      .edited: Look(underline: true),
      .conflict: Look(bold: true, underline: true),
      .added: Look(bold: true),
      .removed: Look(dim: true),
      .changed: Look(underline: true),
      .key: Look(bold: true),
      .prompt: Look(bold: true),
      .match: Look(underline: true),
    ],
    selection: Look(reverse: true),
    pictureColors: (foreground: 0x000000, background: 0xFFFFFF))
}

extension Color {
  static let black = Color(basic: 0)
  static let red = Color(basic: 1)
  static let green = Color(basic: 2)
  static let yellow = Color(basic: 3)
  static let blue = Color(basic: 4)
  static let magenta = Color(basic: 5)
  static let cyan = Color(basic: 6)
  static let gray = Color(basic: 8)
  static let white = Color(basic: 15)
}
