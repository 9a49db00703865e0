package import PropertyLists

extension PropertyListValue {
  /// The text of a string, or of data in UTF-8, which may be JSON; nil for other values.
  package var jsonText: String? {
    switch self {
    case .string(let text): text
    case .data(let bytes): String(utf8: bytes)
    default: nil
    }
  }

  /// A text with the same type: data stays data.
  func holding(_ text: String) -> PropertyListValue {
    if case .data = self { .data(Array(text.utf8)) } else { .string(text) }
  }
}
