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
  public func open(_ path: String, options: ContainerOptions = ContainerOptions()) throws(ContainerError) -> Container {
    try opened(path, options: options).container
  }

  /// Opens a container like ``open(_:options:)``, and returns it with the file system to read it.
  package func opened(
    _ path: String, options: ContainerOptions = ContainerOptions()
  ) throws(ContainerError) -> OpenedContainer { try located(path, options: options).opened(options.selection) }

  package func containers(
    at path: String, options: ContainerOptions = ContainerOptions()
  ) throws(ContainerError) -> ContainerListing { try located(path, options: options).listing() }

  /// Looks up a path, and opens the archive on it.
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

/// A path that was looked up. The archive or the backup on it is read once.
package struct LocatedPath {
  /// The path as it was given, cleaned.
  let given: String
  let place: Place
  let finder: PlaceFinder

  /// Opens the container at the path, or the selected one in it.
  package func opened(_ selection: ContainerSelection?) throws(ContainerError) -> OpenedContainer {
    try naming { () throws(ContainerError) in
      let choice = ContainerChoice(finder: finder, selection: selection)
      let chosen = try choice.chosen(at: place)
      let reading = ContainerReading(place: chosen.place, options: finder.options, observer: finder.observer)
      var container = try reading.container(chosen.form)
      if let name = name(of: container) { container.name = name }
      container.wrapper = chosen.place.wrapper
      container.notices = chosen.place.notices + container.notices
      container.liveness = container.wrapper == nil ? liveness(of: container) : nil
      try choice.check(container)
      return OpenedContainer(container: container, fileSystem: chosen.place.fileSystem, place: chosen.place)
    }
  }

  func listing() throws(ContainerError) -> ContainerListing {
    try naming { () throws(ContainerError) in try ContainerChoice(finder: finder, selection: nil).listing(at: place) }
  }

  /// Makes errors name the path as the user gave it.
  private func naming<Result>(_ body: () throws(ContainerError) -> Result) throws(ContainerError) -> Result {
    try converting(try body()) { $0.path == place.path ? ContainerError(given, $0.kind) : $0 }
  }

  /// The name of the container's folder in the given path; nil if the path does not contain it.
  private func name(of container: Container) -> String? {
    guard container.kind != .propertyList else { return nil }
    guard container.root == place.path || container.root == PathText.parent(place.path) else { return nil }
    let name = FilePath.name(of: container.root == place.path ? given : PathText.parent(given))
    return name == ".." || name == "." ? nil : name
  }

  /// The live system that the container's app data belongs to, by its real path; nil if none. A single property list in
  /// a home folder does not make that home's preferences part of the container.
  private func liveness(of container: Container) -> Liveness? {
    let home = finder.options.home.map { (try? finder.fileSystem.resolve($0)) ?? $0 }
    let data = container.kind == .propertyList ? container.name : container.dataFolder
    return Liveness(ofDataAt: PathText.join(container.root, data), home: home)
  }
}

/// A container with the file system that it was read through, which alone has the files of one in an archive or a
/// backup, including its earlier runs.
package struct OpenedContainer: Sendable {
  package var container: Container
  package var fileSystem: any FileSystem
  let place: Place

  /// Counts the files of the container that are not stores, and looks at the first bytes of each. A single property
  /// list has no other files: those beside it may belong to anyone.
  package mutating func countUnread(
    limits: ContainerLimits = ContainerLimits(), observer: OpeningObserver = .none
  ) throws(ContainerError) {
    guard container.kind != .propertyList else { return }
    var survey = UnreadSurvey(container, fileSystem)
    container.unread = try survey.run(limit: limits.others, observer)
  }
}

package struct ContainerListing: Sendable {
  /// By path, Apple's last. If the path itself is a container, only that one, with an empty path.
  package var candidates: [ContainerCandidate]
  package var more: Int
  package var notices: [String]
  /// The archive or backup with the containers; nil if they are directly on the disk.
  package var wrapper: ContainerWrapper?
}

private struct UnreadSurvey {
  private let root: String
  private let fileSystem: any FileSystem
  /// The paths of what was read, or means something by its existence.
  private var known: Set<StringByBytes>
  private let state: String
  private var result = UnreadFiles()

  init(_ container: Container, _ fileSystem: any FileSystem) {
    (root, self.fileSystem, state) = (container.root, fileSystem, container.stateDirectory)
    known = Set(bytesOf: container.stores.map(\.path) + container.signs)
    for store in container.stores { known.formUnion(store.companions.map { StringByBytes($0.store) }) }
    for path in container.unsentEvents.map(\.path) {
      known.formUnion(["", "-wal", "-shm", "-journal"].map { StringByBytes(path + $0) })
    }
    for folder in ["", container.dataFolder] {
      known.insert(StringByBytes(PathText.join(folder, FolderRecognition.metadataName)))
    }
    known.insert(StringByBytes(FolderRecognition.infoName))
  }

  mutating func run(limit: Int, _ observer: OpeningObserver) throws(ContainerError) -> UnreadFiles {
    var folders = [""]
    var next = 0
    var looked = 0
    search: while next < folders.count {
      let folder = folders[next]
      next += 1
      for name in (try? fileSystem.list(PathText.join(root, folder))) ?? [] where !Self.isSystems(name) {
        looked += 1
        guard looked <= limit else {
          result.isCut = true
          break search
        }
        if looked % 100 == 0 { try observer.report(OpeningProgress(.stores, done: looked), at: root) }
        let path = PathText.join(folder, name)
        let place = PathText.join(root, path)
        switch (try? fileSystem.status(place))?.kind {
        case .directory: if place != state, path != ContainerReading.stateName { folders.append(path) }
        case .regular: if !known.contains(StringByBytes(path)) { look(at: path, place) }
        case .symbolicLink, .other, nil: break
        }
      }
    }
    result.data.sort { PathText.precedes($0.path, $1.path) }
    result.others = result.others.sortedByBytes()
    return result
  }

  private mutating func look(at path: String, _ place: String) {
    result.count += 1
    defer { if result.data.last?.path != path, result.others.count < UnreadFiles.named { result.others.append(path) } }
    guard let head = try? fileSystem.read(place, from: 0, count: FileSignature.length) else {
      result.unknown += 1
      return
    }
    if let form = FileSignature.data(head) { result.data.append(UnreadFiles.DataFile(path: path, form: form)) }
  }

  /// Whether a file belongs to the file system rather than to the app: what macOS leaves, and placeholders of iCloud.
  private static func isSystems(_ name: String) -> Bool {
    name == ".DS_Store" || name.hasPrefix("._") || PathText.placeholder(name) != nil
  }
}
