@testable import CarryoverTerminal

@Suite("Contrast") struct ContrastTests {
  private static let lines: Set<Role> = [.frame, .frameFocused]
  /// With 16 colours the greys are few, so what is meant to stand back needs less, too.
  private static let faint: Set<Role> = lines.union([.muted, .skipped])

  @Test(arguments: [Theme.dark, .light])
  func `every text has a contrast of 4.5 in the palette of 256: the title bar, selected rows, matches`(theme: Theme) {
    for ground in [Self.plain(theme), theme.pictureColors] {
      for role in Role.allCases {
        for style in [Style(role), Style(role, bold: true), Style(role, selected: true)] {
          let least = Self.lines.contains(role) && !style.selected ? 3 : 4.5
          check(theme.look(for: style), "\(theme.name) \(role)", least: least, ground) { color in
            color.indexed < 16 ? Self.xterm[Int(color.indexed)] : Palette.rgb(color.indexed)
          }
        }
      }
    }
  }

  @Test(arguments: [Theme.dark, .light])
  func `with 16 colours every role can be read in what terminals ship with`(theme: Theme) {
    for (name, colors) in [("xterm", Self.xterm), ("console", Self.console)] {
      let plain = Self.plain(theme)
      for role in Role.allCases {
        let look = theme.look(for: Style(role))
        check(look, "\(name): \(theme.name) \(role)", least: Self.faint.contains(role) ? 2.5 : 4.4, plain) {
          colors[Int($0.basic)]
        }
      }
      check(theme.selection, "\(name): \(theme.name) selection", least: 4.4, plain) { colors[Int($0.basic)] }
    }
  }

  @Test func `contrast is reckoned as it is defined`() {
    #expect(abs(contrast(0x000000, 0xFFFFFF) - 21) < 0.001)
    #expect(abs(contrast(0x777777, 0xFFFFFF) - 4.478) < 0.001)
  }

  /// What terminals ship with.
  private static func plain(_ theme: Theme) -> (foreground: UInt32, background: UInt32) {
    theme.name == "light" ? (0x000000, 0xFFFFFF) : (0xE5E5E5, 0x000000)
  }

  private func check(
    _ look: Look, _ what: String, least: Double, _ own: (foreground: UInt32, background: UInt32),
    _ rgb: (Color) -> UInt32
  ) {
    var text = look.foreground.map(rgb) ?? own.foreground
    var ground = look.background.map(rgb) ?? own.background
    if look.reverse { (text, ground) = (ground, text) }
    if look.dim { text = PicturePalette.middle(text, ground) }
    let found = contrast(text, ground)
    #expect(found >= least, "\(what): \(found)")
  }

  private func contrast(_ one: UInt32, _ other: UInt32) -> Double {
    let (high, low) = (max(luminance(one), luminance(other)), min(luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
  }

  private func luminance(_ color: UInt32) -> Double {
    let channels = [color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF].map { value -> Double in
      let share = Double(value) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
  }

  private static let xterm: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]
  private static let console: [UInt32] = [
    0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA,
    0x555555, 0xFF5555, 0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
  ]
}

@Suite("Themes") struct ThemeTests {
  @Test func `Mono has no colour at all and still tells the selection, warnings and errors apart`() {
    for role in Role.allCases {
      for selected in [false, true] {
        let look = Theme.mono.look(for: Style(role, selected: selected))
        #expect(look.foreground == nil && look.background == nil)
      }
    }
    let looks = [Style.plain, Style(.flagged), Style(.error), Style(.muted), Style(.plain, selected: true)]
    #expect(Set(looks.map { Theme.mono.look(for: $0) }).count == looks.count)
  }

  @Test(arguments: Theme.builtIn)
  func `A selected row has one look whatever its roles`(theme: Theme) {
    let looks = Role.allCases.map { theme.look(for: Style($0, selected: true)) }
    #expect(Set(looks).count == 1)
    #expect(looks.first != theme.look(for: .plain))
  }
}

extension Theme: CustomTestStringConvertible {
  /// The name, because all properties of a theme would fill pages of a test log.
  public var testDescription: String { name }
}
