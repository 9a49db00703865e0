internal import CarryoverTerminal

extension Cell {
  /// Whether every terminal draws this cell as wide as we do: what was wide or narrow long before emoji, and is one
  /// scalar.
  ///
  /// Terminals disagree about all else by their version of Unicode and by whether they join scalars: emoji and their skin
  /// tones, flags, signs with a spacing mark, syllables from parts, scripts that are joined.
  var hasCertainWidth: Bool {
    guard let value = onlyScalar?.value else { return columns == 0 }
    if value < 0x300 { return true }
    return Self.certain.contains { $0.contains(value) }
  }

  private static let certain: [ClosedRange<UInt32>] = [
    0x2010...0x2027, 0x2030...0x205E, 0x2190...0x2193, 0x2200...0x22FF, 0x2500...0x25FC, 0x2713...0x2713,
    // Greek, Cyrillic; kana; Han, Hangul; full-width forms.
    0x370...0x482, 0x48A...0x52F, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FA5, 0xAC00...0xD7A3,
    0xFF01...0xFF5E,
  ]
}
