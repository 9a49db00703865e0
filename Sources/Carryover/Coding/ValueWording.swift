import CarryoverSystem
package import PropertyLists

/// Formats values and names for sentences, each cut to a bounded length and not escaped.
package enum ValueWording {
  /// A value for use in sentences: shortened to a bounded length, strings in quotation marks.
  package static func shown(_ value: PropertyListValue) -> String {
    switch value {
    case .string(let text): Mask.type(of: text) == nil ? quoted(text) : text
    case .integer(let integer): integer.description
    case .real(let real): real.description
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.description
    case .data(let bytes): "\(bytes.count) bytes of data"
    case .array(let elements): "an array of \(counted(elements.count, "element"))"
    case .dictionary(let dictionary): "a dictionary of \(counted(dictionary.count, "key"))"
    case .uid(let uid): "UID \(uid)"
    case .set(let elements): "a set of \(counted(elements.count, "element"))"
    case .null: "null"
    }
  }

  /// A value with its type in front: "an integer (7)". For a mask, the type of the masked value.
  package static func typed(_ value: PropertyListValue) -> String {
    if case .string(let text) = value, let kind = Mask.type(of: text) { return "\(name(kind)) (\(text))" }
    return "\(name(value.kind)) (\(shown(value)))"
  }

  package static func quoted(_ text: String) -> String { "“\(cut(text))”" }

  package static func cut(_ text: String, to limit: Int = 60) -> String {
    let head = text.prefix(limit)
    return head.endIndex == text.endIndex ? text : head + "…"
  }

  package static func listed(_ names: [String], limit: Int = 8) -> String {
    let head = names.prefix(limit).map { cut($0) }.joined(separator: ", ")
    return names.count > limit ? "\(head) and \(names.count - limit) more" : head
  }

  package static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
  }

  package static func name(_ kind: PropertyListValue.Kind) -> String {
    switch kind {
    case .integer, .array: "an \(kind.rawValue)"
    case .data, .null: kind.rawValue
    default: "a \(kind.rawValue)"
    }
  }

  package static func fileName(_ path: String) -> String {
    cut(FilePath.name(of: path))
  }
}
