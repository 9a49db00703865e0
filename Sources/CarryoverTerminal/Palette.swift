/// The colours of the 256-colour palette, as 0xRRGGBB.
package enum Palette {
  /// The first 16 are set by each terminal; these are for pictures.
  private static let basic: [UInt32] = [
    0x1E1E1E, 0xE06C75, 0x98C379, 0xE5C07B, 0x61AFEF, 0xC678DD, 0x3FA7B5, 0xD4D4D4,
    0x7A8290, 0xFF7B86, 0xB1E092, 0xFFD58A, 0x80C4FF, 0xDD93F5, 0x6FD3DE, 0xFFFFFF,
  ]

  /// The first 16 on a light ground, where people set them darker.
  private static let basicOnLight: [UInt32] = [
    0x24292F, 0xB42318, 0x1F7A34, 0x8A5A00, 0x0A5CA8, 0x8238B8, 0x0B6B7A, 0x57606A,
    0x6A737D, 0xC4382C, 0x2A8F43, 0x9A6700, 0x1B6FC2, 0x9A4DD0, 0x1483A0, 0xFFFFFF,
  ]

  /// Of one colour. 16 to 231 are a cube of six levels a channel, 232 to 255 a ramp of grey, as xterm lays them out.
  package static func rgb(_ index: UInt8, onLight: Bool = false) -> UInt32 {
    let index = Int(index)
    if index < 16 {
      return onLight ? basicOnLight[index] : basic[index]
    }
    if index >= 232 {
      return UInt32(8 + 10 * (index - 232)) * 0x010101
    }
    let cube = index - 16
    return level(cube / 36) << 16 | level(cube / 6 % 6) << 8 | level(cube % 6)
  }

  /// Of the first 16 as xterm has them, the one that looks most like a colour.
  static func nearestBasic(_ index: UInt8) -> UInt8 {
    guard index >= 16 else { return index }
    let wanted = channels(rgb(index))
    let distances = standard.map { color in
      zip(wanted, channels(color)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    }
    return UInt8(distances.indices.min { distances[$0] < distances[$1] } ?? 7)
  }

  private static let standard: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  private static func channels(_ color: UInt32) -> [Int] {
    [Int(color >> 16 & 0xFF), Int(color >> 8 & 0xFF), Int(color & 0xFF)]
  }

  /// The colour between two.
  package static func middle(_ one: UInt32, _ other: UInt32) -> UInt32 {
    (((one ^ other) & 0xFEFEFE) >> 1) + (one & other)
  }

  private static func level(_ step: Int) -> UInt32 {
    step == 0 ? 0 : UInt32(55 + 40 * step)
  }
}
