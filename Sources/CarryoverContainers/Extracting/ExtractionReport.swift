import Carryover
package import CarryoverSystem

/// The result of an extraction by `ContainerExtractor`.
package struct ExtractionReport: Hashable, Sendable {
  /// The resolved path of the created folder.
  package var destination: String
  /// The app's bundle identifier, if it is known.
  package var bundleID: String?
  /// The number of written files.
  package var files = 0
  /// The number of written bytes.
  package var bytes = 0
  /// The items that were not extracted, by path.
  package var leftOut: [LeftOut] = []

  /// An item that was not extracted.
  package struct LeftOut: Hashable, Sendable {
    /// The item's path, relative to the container's root.
    package var path: String
    /// The reason.
    package var reason: Reason
  }

  /// The reason that an item was not extracted.
  package enum Reason: Hashable, Sendable {
    /// The backup lists the file but does not have its content.
    case missing
    /// A symbolic link, with its target. Links are never created.
    case link(String)
    /// The name is not possible on a disk.
    case name
    /// A state folder of Carryover, with the records and copies of another machine.
    case state
    /// The item could not be read; the cause, in a few words.
    case unreadable(String)

    /// The word for it in JSON output.
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

/// The reason that nothing was extracted. Created files were removed again.
package enum ExtractionError: Error, Hashable, Sendable {
  /// The container with this root is neither in an archive nor in a backup.
  case notWrapped(String)
  /// There is already something at the destination.
  case occupied(String)
  /// The destination is inside the backup or the archive.
  case inside(String)
  /// Two names that the disk treats as equal.
  case collision(String)
  /// The files need more space than the destination's disk has, in bytes.
  case noRoom(String, needed: Int64, free: Int64)
  /// The archive or backup could not be read.
  case container(ContainerError)
  /// The destination could not be checked, before anything was written.
  case place(FileSystemError)
  /// A file operation failed.
  case file(FileSystemError)
  /// Created files could not be removed: the remaining folder, and the reason for removing it.
  indirect case leftBehind(String, after: ExtractionError)
}
