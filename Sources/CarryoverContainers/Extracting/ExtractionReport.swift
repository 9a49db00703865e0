import Carryover
package import CarryoverSystem
import PropertyLists

package struct ExtractionReport: Hashable, Sendable {
  package var destination: String
  package var bundleID: String?
  package var files = 0
  package var bytes = 0
  package var leftOut: [LeftOut] = []

  package struct LeftOut: Hashable, Sendable {
    /// The item's path, relative to the container's root.
    package var path: String
    package var reason: Reason
  }

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
  case occupied(String)
  case inside(String)
  case collision(String)
  case noRoom(String, needed: Int64, free: Int64)
  case container(ContainerError)
  /// The destination could not be checked, before anything was written.
  case place(FileSystemError)
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

  private static func what(_ error: ExtractionError) -> String {
    switch error {
    case .notWrapped(let path): "\(quoted(path)) is not in an archive or a backup: copy it, and work on the copy."
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
  package var description: String { ContainerWording.sentence(self) }
}

extension ExtractionReport.LeftOut: CustomStringConvertible {
  /// The skipped item and the reason, in one sentence. Names in it are escaped.
  package var description: String { ContainerWording.sentence(self) }
}
