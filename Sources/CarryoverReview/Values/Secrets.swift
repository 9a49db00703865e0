import Carryover
import CarryoverVendors
import PropertyLists

/// Keys whose values no screen shows.
enum Secrets {
  static func holds(_ key: String) -> Bool { Recipe.secretKeys.contains(key) }

  /// What stands where the value would.
  static let standIn = "(secret)"
}

/// A number of things: `1 file`, `2 files`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// A size for people: `812 bytes`, `12 KiB`.
func sizeText(_ bytes: Int) -> String {
  if bytes < 10_240 { return counted(bytes, "byte") }
  return bytes < 10_485_760 ? "\(bytes / 1024) KiB" : "\(bytes / 1_048_576) MiB"
}
