package import Carryover
import CarryoverVendors
import PropertyLists

/// Keys whose values no screen shows unasked, and values that are secrets under any key.
package enum Secrets {
  package static func holds(_ key: String) -> Bool { Recipe.secretNames.contains(key) }

  /// Whether a value is a secret, by its key or by itself.
  package static func holds(_ child: InspectedChild) -> Bool {
    child.label.name.map(holds) == true || child.value(limits: .closed).string.map(SecretNames.isToken) == true
  }

  /// What stands where the value would.
  package static let standIn = "(secret)"
}

/// A number of things: `1 file`, `2 files`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// A size for people: `812 bytes`, `12 KiB`.
func sizeText(_ bytes: Int) -> String {
  if bytes < 10_240 { return counted(bytes, "byte") }
  return bytes < 10_485_760 ? "\(bytes / 1024) KiB" : "\(bytes / 1_048_576) MiB"
}
