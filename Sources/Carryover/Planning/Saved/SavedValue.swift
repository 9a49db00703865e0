package import CarryoverSystem
package import PropertyLists

/// A value in a saved plan, sufficient for detecting a difference.
package enum SavedValue: Hashable, Sendable {
  /// The value itself.
  case whole(PropertyListValue)
  /// A number with its own JSON text, which a property list would change.
  case text(PropertyListValue.Kind, String)
  /// A secret or a long value: its type, and the digest of its JSON text without spaces (see `CodedValue`).
  case summary(PropertyListValue.Kind, ContentDigest)

  /// The saved form of a value that a plan depends on. Secrets and long values become a summary.
  package init(_ value: PropertyListValue, secret: Bool = false) {
    let text = Array(CodedValue.json(value).text().utf8)
    self =
      secret || text.count > Self.longest
      ? .summary(value.kind, ContentDigest(text)) : .whole(value)
  }

  /// The saved form of a field's value. Null counts as missing. `text` is a number's own text in JSON.
  init?(whole value: PropertyListValue?, text: String? = nil) {
    guard let value, value != .null else { return nil }
    guard let text, text != Self.plainText(value) else {
      self = .whole(value)
      return
    }
    self = .text(value.kind, text)
  }

  /// Whether a value equals the saved one, as far as a summary shows.
  package func matches(_ value: PropertyListValue) -> Bool {
    switch self {
    case .whole(let saved): saved == value
    case .text: false
    case .summary(let kind, let digest):
      value.kind == kind && digest.matches(Array(CodedValue.json(value).text().utf8))
    }
  }

  /// The longest JSON text of a value that is saved as a whole, in bytes.
  package static let longest = 64 << 10

  /// The text that represents a value in JSON by itself; nil if there is none.
  private static func plainText(_ value: PropertyListValue) -> String? {
    let json = CodedValue.json(value)
    return json["binary"] == nil ? json["value"]?.stringValue : nil
  }
}

extension SavedValue {
  /// The value in its form in the document.
  var json: JSONValue {
    switch self {
    case .whole(let value): CodedValue.json(value)
    case .text(let kind, let text): ["type": .string(kind.rawValue), "value": .string(text)]
    case .summary(let kind, let digest): .object([JSONMember("type", .string(kind.rawValue))] + digest.members)
    }
  }

  /// Reads a value from the document; nil if it is not valid.
  init?(json: JSONValue) {
    guard let word = json["type"]?.stringValue, let kind = PropertyListValue.Kind(rawValue: word) else { return nil }
    if json["sha256"] != nil {
      guard let digest = ContentDigest(json) else { return nil }
      self = .summary(kind, digest)
      return
    }
    let value = CodedValue.value(json)
    if kind == .integer || kind == .real, json["binary"] == nil, let text = json["value"]?.stringValue,
      value.flatMap(Self.plainText) != text, JSONNumber(lexeme: text) != nil
    {
      self = .text(kind, text)
    } else if let value {
      self = .whole(value)
    } else {
      return nil
    }
  }
}
