package import CarryoverTerminal

/// The colours of pictures, as 0xRRGGBB.
package enum PicturePalette {
  /// The first 16 are set by each terminal.
  private static let basic: [UInt32] = [
    0x1E1E1E, 0xE06C75, 0x98C379, 0xE5C07B, 0x61AFEF, 0xC678DD, 0x3FA7B5, 0xD4D4D4,
    0x7A8290, 0xFF7B86, 0xB1E092, 0xFFD58A, 0x80C4FF, 0xDD93F5, 0x6FD3DE, 0xFFFFFF,
  ]

  /// On a light ground people set them darker.
  private static let basicOnLight: [UInt32] = [
    0x24292F, 0xB42318, 0x1F7A34, 0x8A5A00, 0x0A5CA8, 0x8238B8, 0x0B6B7A, 0x57606A,
    0x6A737D, 0xC4382C, 0x2A8F43, 0x9A6700, 0x1B6FC2, 0x9A4DD0, 0x1483A0, 0xFFFFFF,
  ]

  package static func rgb(_ index: UInt8, onLight: Bool = false) -> UInt32 {
    index < 16 ? (onLight ? basicOnLight : basic)[Int(index)] : Palette.rgb(index)
  }

  /// The colour between two.
  package static func middle(_ one: UInt32, _ other: UInt32) -> UInt32 {
    (((one ^ other) & 0xFEFEFE) >> 1) + (one & other)
  }
}

extension Theme {
  /// What a picture shows where the terminal would use its own colours.
  package var pictureColors: (foreground: UInt32, background: UInt32) {
    switch name {
    case "light": (0x24292F, 0xFFFFFF)
    case "mono": (0x000000, 0xFFFFFF)
    default: (0xD4D4D4, 0x16181D)
    }
  }
}
