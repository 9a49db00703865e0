import PropertyLists

/// Escapes hidden scalars, so that untrusted text can neither control a terminal nor look like other text. Also escapes
/// scalars that terminals draw in different widths, so that they cannot push a frame or a table out of line.
///
/// Hidden scalars are the general categories Cc, Cf, Zl, Zp, Co, Cs and Cn, those that Unicode calls default-ignorable
/// (variation selectors, joiners, fillers), and every space except U+0020 and the two-column U+3000.
/// ``hasCertainWidth(_:)`` names the others. They become escapes such as `\n` or `\u{1B}`.
///
/// ``visible(_:ascii:)`` also doubles a backslash if the text after it would read as one of these escapes (`\n`, `\t`,
/// `\r`, `\u{`, `\\`). Different texts then never look alike, while JSON's `https:\/\/` and a Windows path are
/// unchanged. ``harmless(_:)`` and ``quoted(_:)`` leave every backslash alone.
package enum DisplayText {
  /// `text` in quotes, hidden scalars escaped as in ``harmless(_:)``.
  package static func quoted(_ text: String) -> String { "“" + harmless(text) + "”" }

  /// `text` with hidden scalars and ambiguous backslashes escaped.
  ///
  /// - Parameter ascii: whether to escape every scalar beyond ASCII too, for terminals that cannot show them.
  package static func visible(_ text: String, ascii: Bool = false) -> String {
    if text.unicodeScalars.allSatisfy({ $0 != "\\" && isShown($0, ascii: ascii) }) { return text }
    return escaped(text.unicodeScalars, ascii: ascii)
  }

  /// `text` with hidden scalars escaped, backslashes and widths unchanged: for sentences, and for text that another
  /// program uses, such as the clipboard. Different texts can look alike.
  package static func harmless(_ text: String) -> String { replacingHidden(text, escape) }

  /// ``visible(_:ascii:)`` for text of several lines that is written to a terminal outside the screen: line feeds stay.
  package static func visibleLines(_ text: String, ascii: Bool = false) -> String {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.map { visible(String(Substring($0)), ascii: ascii) }.joined(separator: "\n")
  }

  /// `text` with hidden scalars named, such as `U+0000`: for sentences that are escaped again when they are displayed.
  package static func named(_ text: String) -> String { replacingHidden(text) { "U+" + hexadecimal($0.value) } }

  private static func replacingHidden(_ text: String, _ name: (Unicode.Scalar) -> String) -> String {
    // Nearly every text is printable ASCII, and looking up the properties of a scalar is slow.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if hasShape(scalar) { result.append(scalar) } else { result.add(name(scalar)) }
    }
    return String(result)
  }

  /// A word, quoted so that every shell reads it as one. Its characters are not escaped.
  package static func shellWord(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.utf8.first != UInt8(ascii: "=")
      && word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "@%+=:,./_-".utf8.contains(byte)
        }
      }
    if isPlain { return word }
    // Scalar by scalar: a mark after a quote is a character of its own to the shell.
    return "'" + word.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
  }

  /// Whether a scalar may be sent to a terminal as it is.
  package static func isShown(_ scalar: Unicode.Scalar, ascii: Bool) -> Bool {
    let value = scalar.value
    if value < 0x7F { return value >= 0x20 }
    return !ascii && hasShape(scalar) && hasCertainWidth(scalar)
  }

  /// Whether a scalar is visible and does not control a terminal.
  package static func hasShape(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0xA1 { return value >= 0x20 && value < 0x7F }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return false
    case .spaceSeparator: return value == 0x3000
    default:
      return !properties.isDefaultIgnorableCodePoint
    }
  }

  package static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }

  /// - Parameter isEscaped: whether the text is escaped already, so that its backslashes stay as they are.
  package static func escaped(
    _ scalars: some Sequence<Unicode.Scalar>, ascii: Bool, isEscaped: Bool = false
  ) -> String {
    var result = String.UnicodeScalarView()
    let scalars = Array(scalars)
    for (index, scalar) in scalars.enumerated() {
      guard isShown(scalar, ascii: ascii) else {
        result.add(escape(scalar))
        continue
      }
      if scalar == "\\", !isEscaped, wouldEscape(scalars[(index + 1)...], ascii: ascii) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }

  /// Whether a backslash before a text would read as the beginning of an escape.
  private static func wouldEscape(_ rest: ArraySlice<Unicode.Scalar>, ascii: Bool) -> Bool {
    guard let next = rest.first else { return false }
    return !isShown(next, ascii: ascii) || ["\\", "n", "t", "r"].contains(next) || rest.starts(with: ["u", "{"])
  }

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

extension String.UnicodeScalarView {
  /// Appends scalar by scalar, because `append(contentsOf:)` counts all existing scalars each time.
  package mutating func add(_ text: String) {
    for scalar in text.unicodeScalars { append(scalar) }
  }
}
