import Carryover
import CarryoverReview
import PropertyLists

/// Keys whose values are secrets: that they are there is told, their value never.
enum SecretKeys {
  static func holds(_ key: String) -> Bool { Secrets.holds(key) }

  /// Whether a value is a secret, by its key or by itself.
  static func holds(_ child: InspectedChild) -> Bool { Secrets.holds(child) }

  /// What stands where a secret value would.
  static let standIn = Secrets.standIn

  /// A value on one line, not escaped yet; a dash for none.
  static func text(_ value: PropertyListValue?, of key: String) -> String {
    value != nil && holds(key) ? standIn : FieldSummary.text(value)
  }

  /// A value for JSON output; null for none, and for a secret.
  static func json(_ value: PropertyListValue?, of key: String) -> JSONValue {
    guard let value, !holds(key) else { return .null }
    return CodedValue.json(value)
  }
}
