public import Carryover
package import CarryoverSystem

/// Opens a container: an Xcode package, an app's data folder, a property list, an app of a device backup, or an archive
/// of any of these.
///
/// The content of a path determines its kind; its name does not. Opening only reads, works on a read-only container,
/// and follows no symbolic link at the path or in the container.
public struct ContainerOpener: Sendable {
  private let fileSystem: any FileSystem
  private let observer: OpeningObserver

  /// An opener for this machine's file system.
  public init() { self.init(fileSystem: POSIXFileSystem()) }

  /// An opener for the given file system.
  /// - Parameter observer: receives the progress, and can cancel the work.
  package init(fileSystem: any FileSystem, observer: OpeningObserver = .none) {
    self.fileSystem = fileSystem
    self.observer = observer
  }

  /// Opens the container at a path, or the one that `options.selection` selects.
  ///
  /// Links and `..` in the path are resolved, so every spelling of the path gives the same root and state folder. The
  /// last component must not be a link. A path may continue into an archive or a backup. An archive or a backup with a
  /// single container is that container.
  ///
  /// A store that cannot be read is in the container, with the reason. A `Library` or `Library/Preferences` that cannot
  /// be listed is an error.
  /// - Parameter path: an `.xcappdata` package or its `AppData`, a folder with an app's `Library`, a property list, a
  ///   device backup, or an archive of these; absolute, or relative to the working directory.
  /// - Throws: `ContainerError` if the path cannot be opened, if a container in it has to be selected, or if
  ///   `options.bundleID` is not a valid bundle identifier.
  public func open(
    _ path: String, options: ContainerOptions = ContainerOptions()
  ) throws(ContainerError) -> Container {
    try opened(path, options: options).container
  }

  /// Opens a container like ``open(_:options:)``, and returns it with the file system to read it.
  package func opened(
    _ path: String, options: ContainerOptions = ContainerOptions()
  ) throws(ContainerError) -> OpenedContainer {
    try located(path, options: options).opened(options.selection)
  }

  /// The containers at a path, to choose from. If the path itself is a container, only that one.
  /// - Throws: `ContainerError` if the path can be neither opened nor searched, or has no container.
  package func containers(
    at path: String, options: ContainerOptions = ContainerOptions()
  ) throws(ContainerError) -> ContainerListing {
    try located(path, options: options).listing()
  }

  /// Looks up a path, and opens the archive on it.
  /// - Throws: `ContainerError` if there is nothing, or the archive cannot be opened.
  package func located(_ path: String, options: ContainerOptions) throws(ContainerError) -> LocatedPath {
    let given = try Self.checked(path, options)
    let finder = PlaceFinder(fileSystem: fileSystem, options: options, observer: observer)
    return LocatedPath(given: given, place: try finder.place(of: given), finder: finder)
  }

  /// The error if there is nothing at a path; nil if there is something, even if it cannot be opened.
  package func absence(of path: String) -> ContainerError? {
    do throws(ContainerError) {
      let given = try Self.checked(path, ContainerOptions())
      _ = try PlaceFinder(fileSystem: fileSystem, options: ContainerOptions(), observer: observer).place(of: given)
      return nil
    } catch {
      return error.kind == .notFound ? error : nil
    }
  }

  private static func checked(_ path: String, _ options: ContainerOptions) throws(ContainerError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw ContainerError(path, .invalidPath) }
    if let bundleID = options.bundleID, !Container.isValidBundleID(bundleID) {
      throw ContainerError(path, .invalidBundleID(bundleID))
    }
    return PathText.cleaned(path, workingDirectory: Platform.workingDirectory)
  }
}
