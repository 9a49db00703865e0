import Carryover
import CarryoverReview
import CarryoverVendors
import PropertyLists

/// Keys whose values are secrets: that they are there is told, their value never.
enum SecretKeys {
  static var all: Set<StringByBytes> { Recipe.secretKeys }

  /// What stands where a secret value would.
  static let standIn = "(secret)"

  /// A value on one line, not escaped yet; a dash for none.
  static func text(_ value: PropertyListValue?, of key: String) -> String {
    value != nil && all.contains(key) ? standIn : FieldSummary.text(value)
  }

  /// A value for JSON output; null for none, and for a secret.
  static func json(_ value: PropertyListValue?, of key: String) -> JSONValue {
    guard let value, !all.contains(key) else { return .null }
    return CodedValue.json(value)
  }
}
