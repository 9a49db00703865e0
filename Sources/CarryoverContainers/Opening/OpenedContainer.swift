package import Carryover
package import CarryoverSystem

/// A container with the file system that it was read through.
///
/// Only this file system has the files of a container in an archive or a backup, including its earlier runs. Use it to
/// read more of the container.
package struct OpenedContainer: Sendable {
  /// The container.
  package var container: Container
  /// The file system with the container's files.
  package var fileSystem: any FileSystem
  /// The place of the container.
  let place: Place
}

/// The containers at a path.
package struct ContainerListing: Sendable {
  /// The containers to choose from, by path and Apple's last. If the path itself is a container, only that one, with an empty path.
  package var candidates: [ContainerCandidate]
  /// The number of containers that are not listed.
  package var more: Int
  /// Notices about skipped data, each as a sentence.
  package var notices: [String]
  /// The archive or backup with the containers; nil if they are directly on the disk.
  package var wrapper: ContainerWrapper?
}
