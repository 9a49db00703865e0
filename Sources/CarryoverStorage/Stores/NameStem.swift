import CarryoverSystem

/// Represents a name in the names of notes and backups beside it. A store may limit a name's length and escape every
/// byte of it, so a checksum replaces a long name.
package enum NameStem {
  package static func of(_ name: String) -> String {
    name.utf8.count <= longest ? name : Checksum.text(Array(name.utf8))
  }

  private static let longest = 64
}
