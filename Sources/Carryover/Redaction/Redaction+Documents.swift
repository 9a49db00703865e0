package import PropertyLists

extension Redaction {
  /// A Carryover JSON document for display. Values of stores (see `CodedValue`) keep their type and get a mask and the
  /// member `redacted`. All other text that is not a word of the schema is masked like a sentence. The document states
  /// that it is redacted.
  package func document(_ document: JSONValue) -> JSONValue {
    guard case .object(let members) = shown(document), let first = members.first else { return shown(document) }
    let rest = members.dropFirst().filter { $0.name != "redacted" }
    return .object([first, JSONMember("redacted", .boolean(true))] + rest)
  }

  /// A member of such a document, if it is printed in parts.
  package func member(_ member: JSONMember) -> JSONMember {
    if Self.schemaWords.contains(member.name), case .string = member.value { return member }
    guard Self.sentences.contains(member.name) else { return JSONMember(member.name, shown(member.value)) }
    switch member.value {
    case .string(let text): return JSONMember(member.name, .string(sentence(text)))
    case .array(let elements) where elements.allSatisfy({ $0.stringValue != nil }):
      return JSONMember(member.name, .array(elements.map { .string(sentence($0.stringValue ?? "")) }))
    default: return JSONMember(member.name, shown(member.value))
    }
  }

  /// Another value in such a document.
  package func shown(_ json: JSONValue) -> JSONValue {
    switch json {
    case .object(let members):
      if let coded = coded(json) { return coded }
      let shown = members.map(member)
      // The readings of a value would reveal it.
      let isMasked = shown.contains { $0.name == "value" && $0.value["redacted"] != nil }
      return .object(isMasked ? shown.filter { !Self.readings.contains($0.name) } : shown)
    case .array(let elements): return .array(elements.map(shown))
    case .string(let text): return .string(self.text(text))
    case .number, .boolean, .null: return json
    }
  }

  /// A value with its type, masked; nil for other JSON. Other members beside it stay, such as its name.
  private func coded(_ json: JSONValue) -> JSONValue? {
    guard let members = json.members, let type = json["type"]?.stringValue, json["key"] == nil,
      json["value"] != nil || json["sha256"] != nil
    else { return nil }
    if json["redacted"] != nil { return json }
    guard let masked = masked(json, type) else {
      return .object(members.map { $0.name == "name" ? JSONMember($0.name, shown($0.value)) : $0 })
    }
    let rest = members.filter { !Self.codedMembers.contains($0.name) && !Self.readings.contains($0.name) }
    return .object((masked.members ?? []) + rest.map { JSONMember($0.name, shown($0.value)) })
  }

  /// The type and the value, masked; nil if the value may be shown.
  private func masked(_ json: JSONValue, _ type: String) -> JSONValue? {
    // A short value can be guessed from its checksum.
    if json["value"] == nil { return Self.mask(type, Mask(kind: .secret).text()) }
    if let value = CodedValue.value(json) {
      let masked = coded(value, depth: 1)
      if masked == CodedValue.json(value) { return nil }
      return masked
    }
    // A number that property lists cannot represent exactly is text, as are types that only JSON and archives have.
    guard type != "boolean", let text = json["value"]?.stringValue else { return nil }
    let masked = string(text)
    if masked == text { return nil }
    return Self.mask(type, masked)
  }

  private func coded(_ value: PropertyListValue, depth: Int) -> JSONValue {
    let type = JSONMember("type", .string(value.kind.rawValue))
    switch value {
    case .array(let elements), .set(let elements):
      guard depth < PackedValue.deepestJSON else { return Self.mask(value.kind.rawValue, Mask(kind: .data).text()) }
      return .object([type, JSONMember("value", .array(elements.map { coded($0, depth: depth + 1) }))])
    case .dictionary(let dictionary):
      guard depth < PackedValue.deepestJSON else { return Self.mask(value.kind.rawValue, Mask(kind: .data).text()) }
      let members = dictionary.entries.map { JSONMember(text($0.key), coded($0.value, depth: depth + 1)) }
      return .object([type, JSONMember("value", .object(members))])
    case .string(let text):
      let shown = string(text)
      return shown == text ? CodedValue.json(value) : Self.mask("string", shown)
    case .boolean, .null: return CodedValue.json(value)
    case .data(let bytes):
      guard let text = json(inData: bytes) else {
        return Self.mask("data", (masked(value) ?? Mask(kind: .data)).text())
      }
      let shown = PropertyListValue.data(Array(text.utf8))
      guard shown != value else { return CodedValue.json(value) }
      return .object((CodedValue.json(shown).members ?? []) + [JSONMember("redacted", .boolean(true))])
    default: return masked(value).map { Self.mask(value.kind.rawValue, $0.text()) } ?? CodedValue.json(value)
    }
  }

  private static func mask(_ type: String, _ text: String) -> JSONValue {
    ["type": .string(type), "value": .string(text), "redacted": true]
  }

  /// The members of a coded value that contain the value.
  private static let codedMembers: Set = ["type", "value", "binary", "sha256", "size"]
  /// Members that contain other readings of a value.
  private static let readings: Set = ["moments", "bases"]

  /// Members that contain our own sentences.
  private static let sentences: Set = ["sentence", "message", "remedy", "cause", "what", "cautions", "advice"]

  /// Members whose text is a word of the schema, a moment or a version.
  private static let schemaWords: Set = [
    "schema", "kind", "type", "status", "severity", "code", "decision", "outcome", "standing", "verdict", "ending",
    "format", "form", "bundleID", "bundleIDFrom", "tool", "title", "now", "milliseconds", "moment", "targetSDK",
    "change", "certainty", "situation",
  ]
}
