import Carryover
package import CarryoverSystem

/// What `ContainerExtractor` has taken out.
package struct ExtractionReport: Hashable, Sendable {
  /// The folder that was made, in its one spelling.
  package var destination: String
  /// The app's bundle identifier, where it is known.
  package var bundleID: String?
  /// How many files were written.
  package var files = 0
  /// How many bytes they have together.
  package var bytes = 0
  /// What was left out, by path.
  package var leftOut: [LeftOut] = []

  /// Something that was left out.
  package struct LeftOut: Hashable, Sendable {
    /// Its path, relative to the container's root.
    package var path: String
    /// Why.
    package var reason: Reason
  }

  /// Why something was left out.
  package enum Reason: Hashable, Sendable {
    /// The backup lists it without having its content.
    case missing
    /// A symbolic link, which is never made: where it leads to.
    case link(String)
    /// Its name cannot be one on a disk.
    case name
    /// A state folder of Carryover's, with somebody else's records and copies.
    case state
    /// It could not be read: the cause, in a few words.
    case unreadable(String)

    /// The word in JSON output.
    package var word: String {
      switch self {
      case .missing: "missing"
      case .link: "link"
      case .name: "name"
      case .state: "state"
      case .unreadable: "unreadable"
      }
    }
  }
}

/// Why nothing was taken out. What had been made was removed again.
package enum ExtractionError: Error, Hashable, Sendable {
  /// The container stands on the disk as it is: its root.
  case notWrapped(String)
  /// Something stands where the folder is to be.
  case occupied(String)
  /// The folder would be inside the backup or the archive it is taken out of.
  case inside(String)
  /// Two names that the disk does not tell apart.
  case collision(String)
  /// The files need more room than there is on the disk of the folder that was to be made, in bytes.
  case noRoom(String, needed: Int64, free: Int64)
  /// The archive could not be read.
  case container(ContainerError)
  /// The place of the folder could not be looked at, before anything was written.
  case place(FileSystemError)
  /// A file operation failed.
  case file(FileSystemError)
  /// What was written could not be removed again: the folder that is left, and why there was something to remove.
  indirect case leftBehind(String, after: ExtractionError)
}
