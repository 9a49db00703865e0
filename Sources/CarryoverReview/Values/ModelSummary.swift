import Carryover
package import CarryoverStorage
package import PropertyLists

/// The parts of a model as text, for screens and for other output. Nothing in it is escaped yet.
package enum ModelSummary {
  /// A value of a model on one line, of which about `limit` columns will be shown: text in quotes, numbers as they are
  /// written.
  /// - Parameter shown: gives a value as it may be seen.
  package static func text(
    _ json: JSONValue, limit: Int = 200, _ shown: (PropertyListValue) -> PropertyListValue
  ) -> String {
    switch json {
    case .object, .array: return shown(.string(json.text())).inline(limit: limit)
    case .string(let text):
      guard case .string(let text) = shown(.string(text)) else { return "" }
      return "\"" + text.head(columns: limit) + "\""
    case .number(let number):
      let value =
        PropertyListInteger(number.lexeme).map(PropertyListValue.integer)
        ?? .real(PropertyListReal(number.double ?? .nan))
      // A property list spells a number its own way; where it may be seen, it is seen as it is written.
      let seen = shown(value)
      return seen == value ? String(number.lexeme.prefix(limit)) : seen.inline(limit: limit)
    case .boolean(let flag): return flag ? "true" : "false"
    case .null: return "null"
    }
  }

  /// What a change did, as a mark, the member's name, and its value.
  package static func text(
    _ change: ModelChange, limit: Int = 200, _ shown: (PropertyListValue) -> PropertyListValue
  ) -> (mark: String, name: String, value: String) {
    let before = change.before.map { text($0, limit: limit, shown) } ?? ""
    let after = change.after.map { text($0, limit: limit, shown) } ?? ""
    let mark =
      switch change.kind {
      case .added: "+"
      case .removed: "-"
      case .renamed, .moved, .retyped, .changed: "~"
      }
    let isBoth = change.before != nil && change.after != nil && change.before != change.after
    return (mark, change.name { $0 }, isBoth ? "\(before) → \(after)" : change.after == nil ? before : after)
  }
}
