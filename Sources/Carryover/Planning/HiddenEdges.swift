import CarryoverSystem
package import PropertyLists

/// What an id may have at its edges or within it that nobody sees: white space from pasting, line breaks, characters
/// without a shape. With them, it is another user's id.
package enum HiddenEdges {
  /// Whether a text begins or ends with white space, or contains a line break or another hidden character.
  package static func occur(in text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last else { return false }
    return isSpace(first) || isSpace(last) || !scalars.allSatisfy(DisplayText.hasShape)
  }

  /// The text without them.
  static func removed(from text: String) -> String {
    let shown = text.unicodeScalars.filter { DisplayText.hasShape($0) }
    let start = shown.drop(while: isSpace)
    let end = start.lastIndex { !isSpace($0) }
    return end.map { String(String.UnicodeScalarView(start[...$0])) } ?? ""
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
}

extension Field {
  /// Whether a value would be an id with hidden characters that the field does not have yet.
  package func hidesCharacters(_ value: PropertyListValue) -> Bool {
    guard group == .identity, case .string(let text) = value else { return false }
    return HiddenEdges.occur(in: text)
  }
}

extension FieldDraft {
  /// Asks about an id with hidden characters.
  mutating func checkEdges() {
    guard rule.group == .identity, case .string(let id)? = proposed, HiddenEdges.occur(in: id) else { return }
    note(.identityHiddenCharacters(id))
    let bare = HiddenEdges.removed(from: id)
    if !bare.isEmpty { offer("without hidden characters", .string(bare)) }
  }
}
