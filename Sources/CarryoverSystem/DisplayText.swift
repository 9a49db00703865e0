/// Text from outside, made safe to print: nothing in it can move a cursor, reorder a line or hide itself.
package enum DisplayText {
  /// A path between quotes, its unprintable characters as `\u{…}`.
  package static func quoted(_ text: String) -> String { "“" + escaped(text) + "”" }

  /// Text with control characters, format characters (bidirectional marks among them) and line ends as `\u{…}`.
  package static func escaped(_ text: String) -> String {
    // Nearly every text, and the properties of a character are slow to look up.
    guard text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isPrintable(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return result
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }
}
