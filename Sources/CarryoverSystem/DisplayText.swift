/// Makes every scalar that has no shape of its own visible, so that hostile text can neither steer a terminal nor pass
/// for other text.
///
/// Hidden are the general categories Cc, Cf, Zl, Zp, Co, Cs and Cn, the scalars Unicode calls default-ignorable
/// (variation selectors, joiners, fillers), and every space but U+0020 and the two columns of U+3000. They are shown as
/// `\n`, `\t`, `\r` or `\u{1B}`.
///
/// A backslash of the text itself is doubled only where what follows would otherwise read as one of these escapes
/// (`\n`, `\t`, `\r`, `\u{`, `\\`). So two different texts never look alike, while JSON's `https:\/\/` and a Windows
/// path stay as they are.
package enum DisplayText {
  /// A text between quotes, every hidden scalar shown and its backslashes left alone.
  package static func quoted(_ text: String) -> String { "“" + harmless(text) + "”" }

  /// `text` with every hidden scalar shown.
  ///
  /// - Parameter ascii: Also show every scalar beyond ASCII, for terminals that cannot.
  package static func visible(_ text: String, ascii: Bool = false) -> String {
    if text.unicodeScalars.allSatisfy({ $0 != "\\" && isShown($0, ascii: ascii) }) { return text }
    return escaped(text.unicodeScalars, ascii: ascii, doublingBackslashes: true)
  }

  /// `text` with every hidden scalar shown and its backslashes left alone: for what leaves the program as text to be
  /// used, such as the clipboard, where harmless matters and unambiguous does not.
  package static func harmless(_ text: String) -> String {
    // Nearly every text, and the properties of a character are slow to look up.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
    return escaped(text.unicodeScalars, ascii: false, doublingBackslashes: false)
  }

  /// ``visible(_:ascii:)`` for text of several lines that is written to a terminal outside the screen: line feeds stay.
  package static func visibleLines(_ text: String, ascii: Bool = false) -> String {
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.map { visible(String(Substring($0)), ascii: ascii) }.joined(separator: "\n")
  }

  /// Whether a scalar may be sent to a terminal as it is.
  package static func isShown(_ scalar: Unicode.Scalar, ascii: Bool) -> Bool {
    let value = scalar.value
    if value < 0x7F {
      return value >= 0x20
    }
    if value < 0xA1 || ascii {
      return false
    }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned:
      return false
    case .spaceSeparator:
      return value == 0x3000
    default:
      return !properties.isDefaultIgnorableCodePoint
    }
  }

  /// How a hidden scalar is written, in printable ASCII.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }

  /// The scalars with every hidden one shown.
  package static func escaped(
    _ scalars: some Sequence<Unicode.Scalar>, ascii: Bool, doublingBackslashes: Bool
  ) -> String {
    var result = String.UnicodeScalarView()
    // How much of an escape the scalars before could have begun: a backslash that still waits for what follows, and
    // whether that was a `u`.
    var pending = Pending.nothing
    for scalar in scalars {
      let shown = isShown(scalar, ascii: ascii)
      if doublingBackslashes {
        pending.meet(scalar, shown: shown, writing: &result)
      } else if shown {
        result.append(scalar)
      }
      if !shown {
        result.add(escape(scalar))
      }
    }
    pending.finish(writing: &result)
    return String(result)
  }

  /// A backslash whose doubling depends on what follows it.
  private enum Pending {
    case nothing
    case backslash
    case backslashU

    mutating func meet(
      _ scalar: Unicode.Scalar, shown: Bool, writing result: inout String.UnicodeScalarView
    ) {
      switch self {
      case .nothing:
        break
      case .backslash where shown && scalar == "u":
        self = .backslashU
        return
      case .backslash:
        let ambiguous = !shown || ["\\", "n", "t", "r"].contains(scalar)
        result.add(ambiguous ? "\\\\" : "\\")
      case .backslashU:
        result.add(shown && scalar == "{" ? "\\\\u" : "\\u")
      }
      self = .nothing
      if scalar == "\\" {
        self = .backslash
      } else if shown {
        result.append(scalar)
      }
    }

    func finish(writing result: inout String.UnicodeScalarView) {
      switch self {
      case .nothing: break
      case .backslash: result.append("\\")
      case .backslashU: result.add("\\u")
      }
    }
  }
}

extension String.UnicodeScalarView {
  /// Appends without counting what is there already, as `append(contentsOf:)` does each time.
  package mutating func add(_ text: String) {
    for scalar in text.unicodeScalars { append(scalar) }
  }
}
