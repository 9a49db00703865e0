import CarryoverSystem

/// What stands for a name in the name of what is kept beside it. A store may take only so long a name, and escape every byte
/// of it, so a long one is told by its checksum.
package enum NameStem {
  package static func of(_ name: String) -> String {
    name.utf8.count <= longest ? name : Checksum.text(Array(name.utf8))
  }

  private static let longest = 64
}
