package import CarryoverSystem
package import PropertyLists

/// A value as a saved plan keeps it: enough to tell whether another one is the same.
package enum SavedValue: Hashable, Sendable {
  /// The value itself.
  case whole(PropertyListValue)
  /// A number of JSON text as it is written there, where a property list would write it another way.
  case text(PropertyListValue.Kind, String)
  /// A secret, or a long value: its type, and the digest of its JSON text (see `CodedValue`), without spaces.
  case summary(PropertyListValue.Kind, ContentDigest)

  /// A value a plan rests on. Secrets and long ones are kept as a summary.
  package init(_ value: PropertyListValue, secret: Bool = false) {
    let text = Array(CodedValue.json(value).text().utf8)
    self =
      secret || text.count > Self.longest
      ? .summary(value.kind, ContentDigest(text)) : .whole(value)
  }

  /// A field's value; null counts as none. `text` is a number's own text in JSON.
  init?(whole value: PropertyListValue?, text: String? = nil) {
    guard let value, value != .null else { return nil }
    guard let text, text != Self.plainText(value) else {
      self = .whole(value)
      return
    }
    self = .text(value.kind, text)
  }

  /// Whether a value is the one that was saved, as far as a summary can tell.
  package func matches(_ value: PropertyListValue) -> Bool {
    switch self {
    case .whole(let saved): saved == value
    case .text: false
    case .summary(let kind, let digest):
      value.kind == kind && digest.matches(Array(CodedValue.json(value).text().utf8))
    }
  }

  /// How long a value's JSON text may be, in bytes, for the value itself to be kept.
  package static let longest = 64 << 10

  /// The text that alone stands for a value in JSON; nil where it takes more.
  private static func plainText(_ value: PropertyListValue) -> String? {
    let json = CodedValue.json(value)
    return json["binary"] == nil ? json["value"]?.stringValue : nil
  }
}

extension SavedValue {
  /// The value as the document holds it.
  var json: JSONValue {
    switch self {
    case .whole(let value): CodedValue.json(value)
    case .text(let kind, let text): ["type": .string(kind.rawValue), "value": .string(text)]
    case .summary(let kind, let digest): .object([JSONMember("type", .string(kind.rawValue))] + digest.members)
    }
  }

  /// A value from the document; nil for anything else.
  init?(json: JSONValue) {
    guard let word = json["type"]?.stringValue, let kind = PropertyListValue.Kind(rawValue: word) else { return nil }
    if json["fnv1a64"] != nil {
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
