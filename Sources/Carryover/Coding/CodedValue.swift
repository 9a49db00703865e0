package import PropertyLists

/// A property-list value in JSON, with its type: `{"type": "integer", "value": "42"}`.
///
/// A scalar's value is text: decimal digits, `true`, base64 for data, ISO 8601 for a date, or seconds since 2001 for a
/// date outside of the calendar. An array's or a set's value is a list of such objects, a dictionary's an object of
/// them. If that would lose something (a duplicate key, a 32-bit real, a NaN's bits, too deep nesting for JSON
/// readers), the member `binary` contains the value as a binary property list in base64, and takes precedence.
package enum CodedValue {
  package static func json(_ value: PropertyListValue) -> JSONValue { json(value, depth: 1) }
  package static func value(_ json: JSONValue) -> PropertyListValue? { value(json, depth: 1) }

  /// The maximum depth. JSON nests twice as deep as the value, and its readers accept only a few hundred levels.
  private static let deepest = 64

  private static func json(_ value: PropertyListValue, depth: Int) -> JSONValue {
    let type = JSONMember("type", .string(value.kind.rawValue))
    let text = plain(value, depth: depth)
    if let text, isLossless(value) { return .object([type, JSONMember("value", text)]) }
    guard let bytes = try? PropertyListDocument.encode(value, as: .binary) else {
      return .object([type, JSONMember("value", text ?? .null)])
    }
    return .object([type, JSONMember("value", text ?? .null), JSONMember("binary", .string(Base64.text(bytes)))])
  }

  /// The member `value`; nil if it would be too deep or ambiguous.
  private static func plain(_ value: PropertyListValue, depth: Int) -> JSONValue? {
    switch value {
    case .string(let text): return .string(text)
    case .integer(let integer): return .string(integer.description)
    case .real(let real): return .string(real.description)
    case .boolean(let flag): return .string(flag ? "true" : "false")
    case .date(let date): return .string(text(date))
    case .data(let bytes): return .string(Base64.text(bytes))
    case .uid(let number): return .string(String(number))
    case .null: return .null
    case .array(let values), .set(let values):
      return depth < deepest ? .array(values.map { json($0, depth: depth + 1) }) : nil
    case .dictionary(let dictionary):
      guard depth < deepest, Set(dictionary.keys.map { Array($0.utf8) }).count == dictionary.count else { return nil }
      return .object(dictionary.entries.map { JSONMember($0.key, json($0.value, depth: depth + 1)) })
    }
  }

  /// Whether the member `value` describes a scalar completely. True for containers: their elements are checked.
  private static func isLossless(_ value: PropertyListValue) -> Bool {
    switch value {
    case .real(let real): Double(real.description).map { PropertyListReal($0) } == real
    case .date(let date): self.date(text(date)) == date
    default: true
    }
  }

  private static func text(_ date: PropertyListDate) -> String {
    let text = date.description
    return PropertyListDate(iso8601: text) == date ? text : date.secondsSince2001.description
  }

  private static func date(_ text: String) -> PropertyListDate? {
    PropertyListDate(iso8601: text) ?? Double(text).map { PropertyListDate(secondsSince2001: $0) }
  }

  private static func value(_ json: JSONValue, depth: Int) -> PropertyListValue? {
    guard depth <= deepest, case .string(let word)? = json["type"], let kind = PropertyListValue.Kind(rawValue: word)
    else { return nil }
    if case .string(let text)? = json["binary"] {
      // The output of `json(_:)` shares no containers, so it has no more values than bytes. Other input could expand.
      guard let bytes = Base64.bytes(text),
        let root = try? PropertyListDocument(bytes: bytes, limits: PropertyListLimits(nodes: bytes.count)).root
      else { return nil }
      return root.kind == kind ? root : nil
    }
    switch (kind, json["value"]) {
    case (.null, .null?): return .null
    case (_, .string(let text)?): return scalar(kind, text)
    case (.array, .array(let items)?): return values(items, depth).map(PropertyListValue.array)
    case (.set, .array(let items)?): return values(items, depth).map(PropertyListValue.set)
    case (.dictionary, .object(let members)?):
      guard let values = values(members.map(\.value), depth) else { return nil }
      let entries = zip(members, values).map { PropertyListDictionary.Entry(key: $0.name, value: $1) }
      return .dictionary(PropertyListDictionary(entries: entries))
    default: return nil
    }
  }

  private static func values(_ items: [JSONValue], _ depth: Int) -> [PropertyListValue]? {
    let values = items.compactMap { value($0, depth: depth + 1) }
    return values.count == items.count ? values : nil
  }

  private static func scalar(_ kind: PropertyListValue.Kind, _ text: String) -> PropertyListValue? {
    switch kind {
    case .string: .string(text)
    case .integer: PropertyListInteger(text).map(PropertyListValue.integer)
    case .real: Double(text).map { .real(PropertyListReal($0)) }
    case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
    case .date: date(text).map(PropertyListValue.date)
    case .data: Base64.bytes(text).map(PropertyListValue.data)
    case .uid: UInt64(text).map(PropertyListValue.uid)
    default: nil
    }
  }
}

/// A key of one file of a container.
package struct KeyPlace: Hashable, Sendable {
  @StringByBytes package var file: String
  @StringByBytes package var key: String

  package init(file: String, key: String) {
    self.file = file
    self.key = key
  }
}

/// A key of a legacy store, or a member of the JSON text under it.
package struct SourceKey: Hashable, Sendable {
  @StringByBytes package var key: String
  package var member: String? {
    get { memberByBytes?.text }
    set { memberByBytes = newValue.map { StringByBytes($0) } }
  }
  private var memberByBytes: StringByBytes?

  package init(_ key: String, member: String? = nil) {
    self.key = key
    memberByBytes = member.map { StringByBytes($0) }
  }

  package var label: String { member.map { "\(key).\($0)" } ?? key }
}
