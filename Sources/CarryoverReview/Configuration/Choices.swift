package import CarryoverTerminal

/// Which theme the user wants.
package enum ThemeChoice: String, CaseIterable, Hashable, Sendable {
  /// By what the terminal says of its background.
  case auto
  /// For a dark background.
  case dark
  /// For a light background.
  case light
  /// Without colours.
  case mono

  /// The theme.
  /// - Parameter colorFGBG: The variable COLORFGBG, by which some terminals name the colours of text and background.
  package func theme(colorFGBG: String?) -> Theme {
    switch self {
    case .dark: .dark
    case .light: .light
    case .mono: .mono
    case .auto: Self.isLight(colorFGBG) ? .light : .dark
    }
  }

  /// `15;0` and `15;default;0` mean colour 0 behind colour 15. White and the bright colours are light, bright black not.
  private static func isLight(_ colorFGBG: String?) -> Bool {
    guard let last = colorFGBG?.split(separator: ";").last, let number = Int(last) else { return false }
    return number == 7 || (9...15).contains(number)
  }
}

/// How many colours the user wants used.
package enum ColorChoice: String, CaseIterable, Hashable, Sendable {
  /// As many as the terminal has.
  case auto
  /// The 16 that people's own terminal settings govern.
  case sixteen = "16"
  /// The palette of 256.
  case palette = "256"
  /// None.
  case none

  /// The number; nil where the terminal decides.
  package var limit: Int? {
    switch self {
    case .auto: nil
    case .sixteen: 16
    case .palette: 256
    case .none: 0
    }
  }
}

/// Which characters the user wants frames and marks drawn with.
package enum GlyphChoice: String, CaseIterable, Hashable, Sendable {
  /// What the terminal's encoding has.
  case auto
  /// Box drawing characters.
  case unicode
  /// ASCII only.
  case ascii

  /// The characters.
  /// - Parameter capability: what the terminal's encoding has.
  package func glyphs(_ capability: Glyphs) -> Glyphs {
    switch self {
    case .auto: capability
    case .unicode: .unicode
    case .ascii: .ascii
    }
  }
}
