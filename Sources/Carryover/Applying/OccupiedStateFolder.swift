package import CarryoverSystem

/// An item in the place of a container's state folder that is not a folder. No run can write its record and backup
/// then, so the container is read-only.
package struct OccupiedStateFolder: Hashable, Sendable {
  /// The state folder's path on this machine.
  package var path: String
  /// The kind of the item.
  package var kind: FileKind

  /// An occupied place from its parts.
  package init(path: String, kind: FileKind) {
    self.path = path
    self.kind = kind
  }

  /// The reason that nothing is written to the container, and what to do. The path is escaped for display.
  package var explanation: String {
    "\(DisplayText.quoted(path)) is \(kind.inPlaceOfFolder); backups and records belong there, so nothing can be applied "
      + "or rolled back. Move it away, or choose another folder with --state-dir, then open the container again."
  }

  /// The same in one line for a narrow screen, without the path.
  package var notice: String { "Read-only: no backup can be made here. The preview says why." }
}

extension FileKind {
  /// The item, in a sentence about the missing folder.
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
  /// The item in the place of a container's state folder; nil if the folder exists or can be created. Writes nothing.
  ///
  /// There are no records then: ``settled(in:target:)`` and ``removedByCleanups(in:)`` return nothing, and every method
  /// that writes throws `unsafePath`.
  package func occupiedStateFolder(of container: Container) -> OccupiedStateFolder? {
    let path = container.stateDirectory
    guard let status = try? fileSystem.status(path), status.kind != .directory else { return nil }
    return OccupiedStateFolder(path: path, kind: status.kind)
  }
}
