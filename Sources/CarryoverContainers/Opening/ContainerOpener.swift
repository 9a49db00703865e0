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
  private let memory: StoreMemory?

  /// An opener for this machine's file system.
  public init() { self.init(fileSystem: POSIXFileSystem()) }

  package init(fileSystem: any FileSystem, observer: OpeningObserver = .none) {
    self.init(fileSystem: fileSystem, observer: observer, memory: nil)
  }

  /// - Parameter memory: what is known of files from an earlier reading.
  init(fileSystem: any FileSystem, observer: OpeningObserver = .none, memory: StoreMemory?) {
    self.fileSystem = fileSystem
    self.observer = observer
    self.memory = memory
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

  /// The bundle id of the container in an archive; of several containers, the one that all of them have. Nil if there is
  /// none, or if the archive cannot be opened.
  /// - Throws: `ContainerError` if the observer cancels it.
  package func bundleID(ofArchiveAt path: String) throws(ContainerError) -> String? {
    do throws(ContainerError) {
      return try opened(path).container.bundleID
    } catch {
      if error.kind == .cancelled { throw error }
      guard case .holdsContainers(let candidates, more: 0) = error.kind else { return nil }
      let apps = Set(candidates.map(\.bundleID))
      return apps.count == 1 ? apps.first ?? nil : nil
    }
  }

  /// Looks up a path, and opens the archive on it.
  package func located(_ path: String, options: ContainerOptions) throws(ContainerError) -> LocatedPath {
    let given = try Self.checked(path, options)
    let finder = PlaceFinder(fileSystem: fileSystem, options: options, observer: observer, memory: memory)
    return LocatedPath(given: given, place: try finder.place(of: given), finder: finder)
  }

  /// The error if there is nothing at a path; nil if there is something, even if it cannot be opened.
  package func absence(of path: String) -> ContainerError? {
    do throws(ContainerError) {
      let given = try Self.checked(path, ContainerOptions())
      // What is on the disk is not opened: an archive may be large.
      if (try? fileSystem.status(given)) != nil { return nil }
      _ = try PlaceFinder(fileSystem: fileSystem, options: ContainerOptions(), observer: observer).place(of: given)
      return nil
    } catch {
      return error.kind == .notFound ? error : nil
    }
  }

  /// The archive or backup that contains a path, found without opening it; nil if the path is on the disk.
  package func wrapper(above path: String) -> ContainerWrapper? {
    var place = PathText.cleaned(path, workingDirectory: Platform.workingDirectory)
    guard (try? fileSystem.status(place)) == nil else { return nil }
    while place.utf8.contains(FilePath.slash), place != "/" {
      place = PathText.parent(place)
      guard let kind = try? fileSystem.status(place)?.kind else { continue }
      if kind == .regular { return ContainerWrapper(.archive, path: place) }
      let isBackup = (try? FolderRecognition(fileSystem: fileSystem).recognise(place)) == .backup
      return isBackup ? ContainerWrapper(.backup, path: place) : nil
    }
    return nil
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

  /// Whether the archive on the path, if any, is unchanged since it was read.
  package var isCurrent: Bool {
    guard let layer = place.layers.first, let version = layer.tree.tree.archive else { return true }
    return (try? SourceFile(layer.path))?.version == version
  }

  /// Opens the container at the path, or the selected one in it.
  package func opened(_ selection: ContainerSelection?) throws(ContainerError) -> OpenedContainer {
    try naming { () throws(ContainerError) in
      let choice = ContainerChoice(finder: finder, selection: selection)
      let chosen = try choice.chosen(at: place)
      let reading = ContainerReading(
        place: chosen.place, options: finder.options, observer: finder.observer, memory: finder.memory)
      var container = try reading.container(chosen.form)
      if let name = name(of: container) { container.name = name }
      container.wrapper = chosen.place.wrapper
      container.notices = chosen.place.notices + container.notices
      container.liveness = container.wrapper == nil ? liveness(of: container) : nil
      try choice.check(container)
      return OpenedContainer(container: container, fileSystem: chosen.place.fileSystem, place: chosen.place)
    }
  }

  /// The containers in an archive with several; nil for any other path.
  package func severalInArchive() throws(ContainerError) -> [ContainerCandidate]? {
    guard place.isInArchive else { return nil }
    let listing = try listing()
    return listing.more == 0 && listing.candidates.count > 1 ? listing.candidates : nil
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
}

package struct ContainerListing: Sendable {
  /// By path, Apple's last. If the path itself is a container, only that one, with an empty path.
  package var candidates: [ContainerCandidate]
  package var more: Int
  package var notices: [String]
  /// The archive or backup with the containers; nil if they are directly on the disk.
  package var wrapper: ContainerWrapper?
}

/// Finds the place of a path through archives and backups: `Acme.zip/Acme.xcappdata`, `Backup/com.acme.shop`.
struct PlaceFinder {
  let fileSystem: any FileSystem
  let options: ContainerOptions
  let observer: OpeningObserver
  var memory: StoreMemory?
  private let backups = LastBackup()

  /// The backup that was opened last: its apps are opened one after the other.
  private final class LastBackup {
    var backup: Backup?
  }

  /// The place of a cleaned path. Links and `..` are resolved on the disk, but no link in an archive or a backup.
  func place(of given: String) throws(ContainerError) -> Place {
    if let located = try located(given) { return try entered(Place(fileSystem: fileSystem, path: located)) }
    let components = FilePath.components(given)
    let start = given.utf8.first == FilePath.slash ? "/" : ""
    for count in components.indices.reversed() {
      let above = start + components[..<count].joined(separator: "/")
      guard let real = try? fileSystem.resolve(above.isEmpty ? "." : above) else { continue }
      guard let rest = Self.withoutDots(components[count...]) else { break }
      return try converting(try descend(from: Place(fileSystem: fileSystem, path: real), along: rest)) {
        $0.kind == .notFound ? ContainerError(given, .notFound) : $0
      }
    }
    throw ContainerError(given, .notFound)
  }

  func descend(from start: Place, along components: [String]) throws(ContainerError) -> Place {
    var place = try entered(start)
    for component in components {
      let next = PathText.join(place.path, component)
      switch try kind(of: place) {
      case .directory: break
      case nil, .regular, .symbolicLink, .other: throw ContainerError(next, .notFound)
      }
      if try kind(of: place.at(next)) != nil {
        place = try entered(place.at(next))
      } else if try isBackup(place) {
        place = try app(component, ofBackupAt: place)
      } else {
        throw ContainerError(next, .notFound)
      }
    }
    return place
  }

  func app(_ bundleID: String, ofBackupAt place: Place) throws(ContainerError) -> Place {
    let tree = try backup(at: place).tree(of: bundleID)
    let mount = PathText.join(place.path, bundleID)
    return place.entering(tree, at: mount, .backup, path: place.path)
  }

  func backup(at place: Place) throws(ContainerError) -> Backup {
    if let last = backups.backup, last.root == place.path { return last }
    let backup = try Backup(at: place.path, fileSystem: place.fileSystem, limits: options.limits, observer: observer)
    backups.backup = backup
    return backup
  }

  func isBackup(_ place: Place) throws(ContainerError) -> Bool {
    try place.reading(try FolderRecognition(fileSystem: place.fileSystem).recognise(place.path) == .backup)
  }

  func kind(of place: Place) throws(ContainerError) -> FileKind? {
    try place.reading(try place.fileSystem.status(place.path)?.kind)
  }

  private func entered(_ place: Place) throws(ContainerError) -> Place {
    guard try kind(of: place) == .regular else { return place }
    let start = try place.reading(try place.fileSystem.read(place.path, from: 0, count: FileSignature.length))
    guard case .archive(let form)? = FileSignature(start) else { return place }
    guard place.layers.isEmpty else { throw ContainerError(place.path, .archive(form)) }
    let tree = try ArchiveReader.tree(
      ofArchiveAt: place.path, files: options.files, databases: options.readsTables, observer: observer)
    return place.entering(tree, at: place.path, .archive, path: place.path)
  }

  private func located(_ given: String) throws(ContainerError) -> String? {
    do throws(ContainerError) {
      let place = Place(fileSystem: fileSystem, path: given)
      let located = try place.reading(try fileSystem.location(of: given))
      return try kind(of: place.at(located)) == nil ? nil : located
    } catch {
      if error.kind == .notFound { return nil }
      throw error
    }
  }

  /// Components without `..`; nil if they would lead out of the archive or backup.
  private static func withoutDots(_ components: ArraySlice<String>) -> [String]? {
    var result: [String] = []
    for component in components {
      guard component == ".." else {
        result.append(component)
        continue
      }
      guard result.popLast() != nil else { return nil }
    }
    return result
  }
}

/// The destination of a path, and the file system to reach it, with the files of an archive or of an app in a backup.
struct Place {
  var fileSystem: any FileSystem
  var path: String
  var layers: [Layer] = []

  struct Layer {
    var form: ContainerWrapper.Form
    var path: String
    var tree: TreeFileSystem
  }

  /// The outermost archive or backup, which is read-only; nil if the place is in none.
  var wrapper: ContainerWrapper? { layers.first.map { ContainerWrapper($0.form, path: $0.path) } }

  var isInArchive: Bool { layers.last?.form == .archive }

  var notices: [String] { layers.flatMap(\.tree.tree.notices) }

  func at(_ path: String) -> Place {
    var place = self
    place.path = path
    return place
  }

  /// The same place with the files of an archive or an app mounted at a path, which the place then refers to.
  func entering(_ tree: FileTree, at mount: String, _ form: ContainerWrapper.Form, path: String) -> Place {
    let mounted = TreeFileSystem(base: fileSystem, mount: mount, tree: tree)
    return Place(fileSystem: mounted, path: mount, layers: layers + [Layer(form: form, path: path, tree: mounted)])
  }

  func reading<Result>(_ body: @autoclosure () throws(FileSystemError) -> Result) throws(ContainerError) -> Result {
    do {
      return try body()
    } catch {
      if case .tooLarge(let limit) = error.reason { throw ContainerError(error.path, .tooLarge(limit: limit)) }
      let failure = ContainerError(reading: error)
      // The user knows the path that was given, not the one that the file system made of it.
      if case .failed = failure.kind { throw ContainerError(path, failure.kind) }
      throw failure
    }
  }
}
