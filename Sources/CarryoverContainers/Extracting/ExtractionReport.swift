import Carryover
package import CarryoverSystem
import PropertyLists

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
  case notWrapped(String)
  /// There is already something at the destination.
  case occupied(String)
  /// The destination is inside the backup or the archive.
  case inside(String)
  case collision(String)
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

extension ContainerWording {
  static func sentence(_ error: ExtractionError) -> String {
    switch error {
    case .collision, .file: "\(what(error)) The new files were removed again."
    default: what(error)
    }
  }

  /// The problem, without the state of the created files.
  private static func what(_ error: ExtractionError) -> String {
    switch error {
    case .notWrapped(let path):
      "\(quoted(path)) is not in an archive or a backup: copy it, and work on the copy."
    case .occupied(let path):
      "\(quoted(path)) exists already: give a folder that does not exist yet. Nothing was written."
    case .inside(let path):
      "\(quoted(path)) is inside the archive or backup: give a folder elsewhere. Nothing was written."
    case .collision(let path):
      "Another file of the container has the name \(quoted(path)) on this disk, which ignores case or "
        + "accents in names: give a folder on one that does not."
    case .noRoom(let path, let needed, let free):
      "The files take \(size(Int(clamping: needed))), and \(size(Int(clamping: free))) are free on the disk of "
        + "\(quoted(path)): free some space, or give a folder on another disk. Nothing was written."
    case .container(let error): error.description
    case .place(let error): "\(error.description) Nothing was written."
    case .file(let error): error.description
    case .leftBehind(let path, let cause):
      "\(what(cause)) The new files could not be removed: remove \(quoted(path)) yourself."
    }
  }

  static func sentence(_ left: ExtractionReport.LeftOut) -> String {
    switch left.reason {
    case .missing: "\(quoted(left.path)): the backup lists it without its content."
    case .link(let target): "\(quoted(left.path)): a symbolic link to \(quoted(target)), and links are not extracted."
    case .name: "\(quoted(left.path)): no file can have this name."
    case .state:
      "\(quoted(left.path)): runs and decisions of the archive's or backup's author. --with-state extracts them."
    case .unreadable(let cause): "\(quoted(left.path)): it could not be read: \(DisplayText.harmless(cause))."
    }
  }
}

extension ExtractionError: CustomStringConvertible {
  /// The problem, its place, and what to do. Names in it are escaped.
  package var description: String { ContainerWording.sentence(self) }
}

extension ExtractionReport.LeftOut: CustomStringConvertible {
  /// The skipped item and the reason, in one sentence. Names in it are escaped.
  package var description: String { ContainerWording.sentence(self) }
}
