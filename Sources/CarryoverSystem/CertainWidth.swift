extension DisplayText {
  /// Whether all terminals draw a scalar in the same number of columns, regardless of its neighbours.
  ///
  /// Terminals differ in their version of Unicode, and in whether they join scalars that a person sees as one
  /// character. These scalars are therefore uncertain:
  ///
  /// * scalars that were assigned after Unicode 9, or became wide since;
  /// * emoji that are shown as such by default, their skin tones, and the letters of flags;
  /// * scalars that take a column and still join the character before or after them: spacing marks, the sign that joins
  ///   the consonants of a syllable, conjoining jamo.
  ///
  /// Accents and vowel signs that take no column are certain, and so are letters that only change their shape, such as
  /// Arabic letters.
  package static func hasCertainWidth(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    return value < 0x300 || commonRanges.contains { $0.contains(value) } || isCertainByRule(scalar)
  }

  /// The rule, from the scalar's Unicode properties.
  static func isCertainByRule(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    guard let age = properties.age, age.major <= 9, properties.generalCategory != .spacingMark,
      properties.canonicalCombiningClass != .virama, !properties.isEmojiPresentation
    else { return false }
    return !uncertainRanges.contains { $0.contains(scalar.value) }
  }

  /// Certain by the rule, and known without looking up properties, which is slow: the frames, most punctuation, Greek
  /// and Cyrillic, kana, Han, Hangul.
  static let commonRanges: [ClosedRange<UInt32>] = [
    0x2500...0x257F, 0x2010...0x2027, 0x2190...0x21FF, 0x370...0x377, 0x3A3...0x52F, 0x3041...0x3096, 0x30A1...0x30FA,
    0x4E00...0x9FD5, 0xAC00...0xD7A3,
  ]

  /// Uncertain, though no property says so.
  private static let uncertainRanges: [ClosedRange<UInt32>] = [
    // Letters that join a neighbour: Thai and Lao AM, signs of Malayalam and Sharada, marks of half-width kana. Signs
    // that were spacing marks until Unicode 11.
    0xE33...0xE33, 0xEB3...0xEB3, 0xD4E...0xD4E, 0x111C2...0x111C3, 0xFF9E...0xFF9F, 0x1CF2...0x1CF3, 0x111C9...0x111C9,
    // Conjoining jamo.
    0x1100...0x11FF, 0xA960...0xA97F, 0xD7B0...0xD7FF,
    // Circled numbers, which some C libraries have wide; trigrams, hexagrams and counting rods, wide since Unicode 16;
    // two signs that were wide as emoji until Unicode 10.
    0x3248...0x324F, 0x2630...0x2637, 0x268A...0x268F, 0x4DC0...0x4DFF, 0x1D300...0x1D356, 0x1D360...0x1D371,
    0x1F93B...0x1F93B, 0x1F946...0x1F946,
  ]
}
