import Carryover
import PropertyLists
import Review

/// Keys whose values are secrets: that they are there is told, their value never.
enum SecretKeys {
  static var all: Set<String> { Recipe.secretKeys }

  /// A value on one line, not escaped yet; a dash for none.
  static func text(_ value: PropertyListValue?, of key: String) -> String {
    value != nil && all.contains(key) ? "(secret)" : FieldSummary.text(value)
  }

  /// A value for JSON output; null for none, and for a secret.
  static func json(_ value: PropertyListValue?, of key: String) -> JSONValue {
    guard let value, !all.contains(key) else { return .null }
    return CodedValue.json(value)
  }
}
