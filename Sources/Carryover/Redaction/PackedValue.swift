import PropertyLists

/// The content that may be packed in text or data.
enum PackedValue {
  case propertyList(PropertyListValue)
  case archive(KeyedArchive)
  case json(JSONValue)
  case text(String)

  /// The content of data; nil if it cannot be opened.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.largest else { return nil }
    if bytes.starts(with: "bplist".utf8) || bytes.starts(with: "<".utf8),
      let document = try? PropertyListDocument(bytes: bytes, limits: PropertyListLimits(nodes: 100_000))
    {
      self = (try? KeyedArchive(document)).map(PackedValue.archive) ?? .propertyList(document.root)
      return
    }
    guard let text = String(utf8: bytes), !text.isEmpty else { return nil }
    self = Self.json(text).map(PackedValue.json) ?? .text(text)
  }

  /// The JSON object or array in a text; nil for other text.
  static func json(_ text: String) -> JSONValue? {
    guard text.utf8.count <= largest,
      let first = text.utf8.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    return try? JSONText(text, limits: JSONLimits(size: largest, depth: deepestJSON, values: 100_000, findings: 1))
      .value
  }

  /// The maximum number of JSON texts inside each other.
  static let deepest = 4
  /// The maximum depth of JSON that is shown with its structure.
  static let deepestJSON = 64
  private static let largest = 4 << 20
}

/// A unique spelling for equal values.
enum Canonical {
  /// The spelling of a value; nil for a container, a boolean or null.
  static func bytes(_ value: PropertyListValue) -> [UInt8]? {
    switch value {
    case .string(let text): Array(text.utf8)
    case .integer(let integer): Array(integer.description.utf8)
    case .real(let real): Array((Int64(exactly: real.value).map { String($0) } ?? real.description).utf8)
    case .date(let date): Array(date.description.utf8)
    case .uid(let number): Array(String(number).utf8)
    // No text begins with this byte.
    case .data(let bytes): [0xFF] + bytes
    case .boolean, .null, .array, .set, .dictionary: nil
    }
  }
}

extension Mask.Kind {
  /// The kind of a value whose type alone is known; nil for a container or a value that is shown.
  init?(_ type: PropertyListValue.Kind) {
    switch type {
    case .string: self = .text
    case .integer, .real, .uid: self = .number
    case .date: self = .date
    case .data: self = .data
    case .boolean, .null, .array, .set, .dictionary: return nil
    }
  }
}
