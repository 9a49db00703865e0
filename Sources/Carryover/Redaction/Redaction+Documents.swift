public import PropertyLists

extension Redaction {
  /// A JSON document of ours as it is shown: values of stores (see `CodedValue`) keep their type and get a mask and the
  /// member `redacted`; everything else that is no word of the schema is taken for a sentence. The document itself says
  /// that it is redacted.
  public func document(_ document: JSONValue) -> JSONValue {
    guard case .object(let members) = shown(document), let first = members.first else { return shown(document) }
    let rest = members.dropFirst().filter { $0.name != "redacted" }
    return .object([first, JSONMember("redacted", .boolean(true))] + rest)
  }

  private func shown(_ json: JSONValue) -> JSONValue {
    if let coded = coded(json) { return coded }
    switch json {
    case .object(let members):
      return .object(
        members.map { member in
          if Self.schemaWords.contains(member.name), case .string = member.value { return member }
          return JSONMember(member.name, shown(member.value))
        })
    case .array(let elements): return .array(elements.map(shown))
    case .string(let text): return .string(self.text(text))
    case .number, .boolean, .null: return json
    }
  }

  /// A value with its type, masked; nil for JSON that is none.
  private func coded(_ json: JSONValue) -> JSONValue? {
    guard let word = json["type"]?.stringValue, let kind = PropertyListValue.Kind(rawValue: word),
      json["value"] != nil || json["fnv1a64"] != nil, json["key"] == nil
    else { return nil }
    if json["redacted"] != nil { return json }
    if let value = CodedValue.value(json) { return coded(value, depth: 1) }
    // A checksum tells a short value by trying; a number that no property list holds exactly stands as text.
    guard let text = json["value"]?.stringValue else { return Self.mask(kind, Mask(kind: .secret).text()) }
    let masked = string(text)
    return masked == text ? json : Self.mask(kind, masked)
  }

  private func coded(_ value: PropertyListValue, depth: Int) -> JSONValue {
    let type = JSONMember("type", .string(value.kind.rawValue))
    switch value {
    case .array(let elements), .set(let elements):
      guard depth < PackedValue.deepestJSON else { return Self.mask(value.kind, Mask(kind: .data).text()) }
      return .object([type, JSONMember("value", .array(elements.map { coded($0, depth: depth + 1) }))])
    case .dictionary(let dictionary):
      guard depth < PackedValue.deepestJSON else { return Self.mask(value.kind, Mask(kind: .data).text()) }
      let members = dictionary.entries.map { JSONMember(text($0.key), coded($0.value, depth: depth + 1)) }
      return .object([type, JSONMember("value", .object(members))])
    case .string(let text):
      let shown = string(text)
      return shown == text ? CodedValue.json(value) : Self.mask(.string, shown)
    case .boolean, .null: return CodedValue.json(value)
    default: return masked(value).map { Self.mask(value.kind, $0.text()) } ?? CodedValue.json(value)
    }
  }

  private static func mask(_ kind: PropertyListValue.Kind, _ text: String) -> JSONValue {
    ["type": .string(kind.rawValue), "value": .string(text), "redacted": true]
  }

  /// Members whose text is a word of the schema, a moment or a version.
  private static let schemaWords: Set = [
    "schema", "kind", "type", "status", "severity", "code", "decision", "outcome", "standing", "verdict", "ending",
    "format", "form", "bundleID", "bundleIDFrom", "tool", "title", "now", "milliseconds", "moment", "targetSDK",
    "change",
  ]
}
