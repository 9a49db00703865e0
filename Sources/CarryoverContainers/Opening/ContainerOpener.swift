public import Carryover
package import CarryoverSystem

/// Opens what support is sent: an Xcode package, an app's data folder, one property list, an app of a device backup, or
/// an archive of any of these.
///
/// What a path is, is told by its content, never by its name. Opening only reads, works on a read-only container, and
/// follows no symbolic link in its place or inside it.
public struct ContainerOpener: Sendable {
  private let fileSystem: any FileSystem
  private let observer: OpeningObserver

  /// An opener for this machine's file system.
  public init() { self.init(fileSystem: POSIXFileSystem()) }

  /// An opener that reads through a file system.
  /// - Parameter observer: is told how far the work has come, and can end it.
  package init(fileSystem: any FileSystem, observer: OpeningObserver = .none) {
    self.fileSystem = fileSystem
    self.observer = observer
  }

  /// Opens the container at a path; see ``opened(_:options:)``.
  public func open(
    _ path: String, options: ContainerOptions = ContainerOptions()
  ) throws(ContainerError) -> Container {
    try opened(path, options: options).container
  }

  /// Opens the container at a path, or the one that `options.selection` chooses of those at the path.
  ///
  /// Its root and state folder are the same however the path is spelled: links and `..` on the way are resolved. The last
  /// component may be no link. A path may lead on into an archive or a backup. An archive or a backup that holds one
  /// container is that container.
  ///
  /// Stores that cannot be read are in the container, each with its reason; they are no error here. A `Library` or
  /// `Library/Preferences` that cannot be looked into is one.
  /// - Parameter path: an `.xcappdata` package or its `AppData`, a folder with an app's `Library` in it, a property list,
  ///   a device backup, or an archive of such; relative to the working directory or absolute.
  /// - Throws: `ContainerError` when the path cannot be opened at all, when it holds several containers of which none is
  ///   chosen, or when `options.bundleID` cannot be one.
  package func opened(
    _ path: String, options: ContainerOptions = ContainerOptions()
  ) throws(ContainerError) -> OpenedContainer {
    let given = try Self.checked(path, options)
    let finder = PlaceFinder(fileSystem: fileSystem, options: options, observer: observer)
    let place = try finder.place(of: given)
    do throws(ContainerError) {
      let choice = ContainerChoice(finder: finder, selection: options.selection)
      let chosen = try choice.chosen(at: place)
      let reading = ContainerReading(place: chosen.place, options: options, observer: observer)
      var container = try reading.container(chosen.form)
      if let name = Self.name(of: container, given: given, located: place.path) { container.name = name }
      container.wrapper = chosen.place.wrapper
      container.liveness = container.wrapper == nil ? liveness(of: container, home: options.home) : nil
      try choice.check(container)
      return OpenedContainer(container: container, fileSystem: chosen.place.fileSystem, place: chosen.place)
    } catch {
      // People look for what they have given.
      throw error.path == place.path ? ContainerError(given, error.kind) : error
    }
  }

  /// The containers at a path, to choose from; the path itself where it is one.
  /// - Throws: `ContainerError` when the path can neither be opened nor searched, or when there is none at it.
  package func containers(
    at path: String, options: ContainerOptions = ContainerOptions()
  ) throws(ContainerError) -> ContainerListing {
    let given = try Self.checked(path, options)
    let finder = PlaceFinder(fileSystem: fileSystem, options: options, observer: observer)
    let place = try finder.place(of: given)
    do throws(ContainerError) {
      return try ContainerChoice(finder: finder, selection: nil).listing(at: place)
    } catch {
      throw error.path == place.path ? ContainerError(given, error.kind) : error
    }
  }

  /// Says that there is nothing at a path; nil where there is something, whatever may be wrong with it.
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

  /// The name of a folder in the path that was given; nil where that does not name it.
  private static func name(of container: Container, given: String, located: String) -> String? {
    guard container.kind != .propertyList else { return nil }
    guard container.root == located || container.root == PathText.parent(located) else { return nil }
    let name = PathText.lastComponent(container.root == located ? given : PathText.parent(given))
    return name == ".." || name == "." ? nil : name
  }

  /// What the container's app data belongs to, by its real path. A property list by itself is not the folder it lies in:
  /// one in a home folder has no part in the preferences there.
  private func liveness(of container: Container, home: String?) -> Liveness? {
    let home = home.map { (try? fileSystem.resolve($0)) ?? $0 }
    let data = container.kind == .propertyList ? container.name : container.dataFolder
    return Liveness(ofDataAt: PathText.join(container.root, data), home: home)
  }
}
