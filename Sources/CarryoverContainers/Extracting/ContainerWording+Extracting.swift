import Carryover
import CarryoverSystem
import PropertyLists

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
