package import Carryover
package import CarryoverSystem

/// A container with the file system through which it was read.
///
/// What lies in an archive or a backup is seen through that file system alone, its earlier runs included: whoever reads
/// more of the container has to read it the same way.
package struct OpenedContainer: Sendable {
  /// The container.
  package var container: Container
  /// The file system that has its files.
  package var fileSystem: any FileSystem
  /// Where it was found.
  let place: Place
}

/// The containers at a path.
package struct ContainerListing: Sendable {
  /// The containers to choose from, by path. A path that is a container itself has one, whose own path is empty.
  package var candidates: [ContainerCandidate]
  /// How many more there are than are listed.
  package var more: Int
  /// What was left out while searching, each as a sentence.
  package var notices: [String]
  /// The archive or backup that they lie in; nil for what stands on the disk as it is.
  package var wrapper: ContainerWrapper?
}
