package import CarryoverSystem

/// What stands in the place of a container's state folder and is none, so that no run can keep its record and its copies
/// there. Such a container is only looked at.
package struct OccupiedStateFolder: Hashable, Sendable {
  /// The state folder's path on this machine.
  package var path: String
  /// What stands there.
  package var kind: FileKind

  /// An occupied place from its parts.
  package init(path: String, kind: FileKind) {
    self.path = path
    self.kind = kind
  }

  /// Why nothing is written to the container, and what to do. Safe to print, whatever the path is.
  package var explanation: String {
    "\(DisplayText.quoted(path)) is \(kind.inPlaceOfFolder); backups and records belong there, so nothing can be applied "
      + "or rolled back. Move it away, or choose another folder with --state-dir, then open the container again."
  }

  /// The same in one line of a narrow screen, without the path.
  package var notice: String { "Read-only: no backup can be made here. The preview says why." }
}

extension FileKind {
  /// What it is, where a folder is needed.
  var inPlaceOfFolder: String {
    switch self {
    case .regular: "a file, where a folder is needed"
    case .directory: "a folder"
    case .symbolicLink: "a symbolic link, and links are not followed"
    case .other: "neither a file nor a folder"
    }
  }
}

extension Migrator {
  /// What stands in the place of a container's state folder and is none; nil where the folder is there, or can be made.
  /// Writes nothing.
  ///
  /// There can be no records then, so that ``settled(in:target:)`` and ``removedByCleanups(in:)`` know of nothing, while
  /// everything that writes is refused with `unsafePath`.
  package func occupiedStateFolder(of container: Container) -> OccupiedStateFolder? {
    let path = container.stateDirectory
    guard let status = try? fileSystem.status(path), status.kind != .directory else { return nil }
    return OccupiedStateFolder(path: path, kind: status.kind)
  }
}
