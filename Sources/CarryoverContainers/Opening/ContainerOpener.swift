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

  /// Reads the tables of the container's databases, and counts the files that are not stores. Only what shows or compares
  /// stores needs either. A single property list has no other files: those beside it may belong to anyone.
  package mutating func countUnread(
    limits: ContainerLimits = ContainerLimits(), tables: TableLimits = TableLimits(), observer: OpeningObserver = .none
  ) throws(ContainerError) {
    var limits = limits
    limits.tables = tables
    try countUnread(limits: limits, observer: observer, memory: nil)
  }

  mutating func countUnread(
    limits: ContainerLimits, observer: OpeningObserver = .none, memory: StoreMemory?
  ) throws(ContainerError) {
    guard container.kind != .propertyList else { return }
    var survey = UnreadSurvey(container, fileSystem, memory)
    try survey.run(limits, observer)
    container.unread = survey.result
    container.stores = survey.stores
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
  private let memory: StoreMemory?
  /// The paths of what was read, or means something by its existence.
  private var known: Set<StringByBytes>
  private let state: String
  private(set) var result = UnreadFiles()
  private(set) var stores: [Store]
  private var databases: [String]
  /// Files that are named like those that SQLite has beside a database.
  private var besides: Set<StringByBytes> = []

  init(_ container: Container, _ fileSystem: any FileSystem, _ memory: StoreMemory?) {
    self.memory = memory
    (root, self.fileSystem, state) = (container.root, fileSystem, container.stateDirectory)
    stores = container.stores
    known = Set(bytesOf: container.stores.map(\.path) + container.signs)
    // Of the databases with unsent events, those are counted; the tables are shown as any others.
    databases = container.unsentEvents.map(\.path)
    for store in container.stores {
      known.formUnion(store.companions.map { StringByBytes($0.store) })
      if case .database = store.content { databases.append(store.path) }
    }
    for path in databases {
      known.insert(StringByBytes(path))
      known.formUnion(Self.besides.map { StringByBytes(path + $0) })
    }
    for folder in ["", container.dataFolder] {
      known.insert(StringByBytes(PathText.join(folder, FolderRecognition.metadataName)))
    }
    known.insert(StringByBytes(FolderRecognition.infoName))
  }

  private static let besides = ["-wal", "-shm", "-journal"]

  mutating func run(_ limits: ContainerLimits, _ observer: OpeningObserver) throws(ContainerError) {
    var folders = [""]
    var next = 0
    var looked = 0
    search: while next < folders.count {
      let folder = folders[next]
      next += 1
      for name in (try? fileSystem.list(PathText.join(root, folder))) ?? [] where !Self.isSystems(name) {
        looked += 1
        guard looked <= limits.others else {
          result.isCut = true
          break search
        }
        if looked % 100 == 0 { try observer.report(OpeningProgress(.stores, done: looked), at: root) }
        let path = PathText.join(folder, name)
        let place = PathText.join(root, path)
        let status = try? fileSystem.status(place)
        switch status?.kind {
        case .directory: if place != state, path != ContainerReading.stateName { folders.append(path) }
        case .regular: if !known.contains(StringByBytes(path)) { look(at: path, place, status) }
        case .symbolicLink, .other, nil: break
        }
      }
    }
    try readTables(limits, observer)
    result.data.sort { PathText.precedes($0.path, $1.path) }
    result.others = result.others.sortedByBytes()
  }

  private mutating func look(at path: String, _ place: String, _ status: FileStatus?) {
    result.count += 1
    defer {
      let isNamed = result.data.last?.path != path && !besides.contains(StringByBytes(path))
      if isNamed, result.others.count < UnreadFiles.named { result.others.append(path) }
    }
    let form: UnreadFiles.Form?
    switch memory?.recall(path, [status]) {
    case .other(let known)?: form = known
    case .store?, nil:
      guard let head = try? fileSystem.read(place, from: 0, count: FileSignature.length) else {
        result.unknown += 1
        return
      }
      form = FileSignature.data(head)
      // A database is remembered with its tables.
      if form != .database { memory?.remember(path, [status], .other(form)) }
    }
    if form == nil, Self.besides.contains(where: path.endsWithBytes(of:)) { besides.insert(StringByBytes(path)) }
    if let form { result.data.append(UnreadFiles.DataFile(path: path, form: form)) }
    if form == .database { databases.append(path) }
  }

  /// Makes each database a store, or adds the tables to the store that it is.
  private mutating func readTables(_ limits: ContainerLimits, _ observer: OpeningObserver) throws(ContainerError) {
    var bytesLeft = limits.totalBytes
    var keptBytes = limits.tables.keptBytes
    for path in databases.sorted(by: PathText.precedes).prefix(limits.tables.databases)
    where stores.count < limits.stores {
      try observer.report(OpeningProgress(.stores, done: stores.count), at: root)
      let place = PathText.join(root, path)
      guard let status = try? fileSystem.status(place), status.kind == .regular, status.size <= Int64(bytesLeft) else {
        continue
      }
      bytesLeft -= Int(status.size)
      let states = [status] + ["-wal", "-journal"].map { try? fileSystem.status(place + $0) }
      if case .store(let known)? = memory?.recall(path, states, tables: true),
        known.tables?.keptBytes ?? 0 <= keptBytes
      {
        keptBytes -= known.tables?.keptBytes ?? 0
        add(known, at: path)
        continue
      }
      var store = Store(path: path, content: .database([:]), size: Int(status.size))
      store.modified = status.modified
      do throws(DatabaseImage.Failure) {
        let image = try DatabaseImage(reading: place, fileSystem: fileSystem, limit: limits.fileBytes)
        var reader = TableReader(image, limits.tables, steps: limits.databaseSteps, bytesLeft: keptBytes)
        let tables = reader.read()
        if tables?.isWhole == false {
          // Only the bytes can then tell whether two states are equal.
          store = Store(path: path, content: store.content, size: store.size, bytes: image.bytes)
          store.modified = status.modified
        }
        store.tables = tables
        store.tables?.keptBytes = keptBytes - reader.bytesLeft
        keptBytes = reader.bytesLeft
        if store.tables == nil { store.content = .unreadable(ContainerWording.damagedDatabase(path)) }
      } catch {
        store.content = .unreadable(ContainerWording.unreadable(path, error))
      }
      memory?.remember(path, states, .store(store), tables: true)
      add(store, at: path)
    }
    stores.sort { PathText.precedes($0.path, $1.path) }
  }

  /// Adds a database as a store, or its tables to the store that it is.
  private mutating func add(_ store: Store, at path: String) {
    if let place = stores.firstIndex(where: { $0.path.hasSameBytes(as: path) }) {
      stores[place].tables = store.tables
      // Recipes' tables are null then, which would be shown as values.
      if store.tables == nil { stores[place].content = store.content }
    } else if store.tables == nil, known.contains(StringByBytes(path)) {
      // Its events could not be counted either, which is said with them.
      return
    } else {
      stores.append(store)
    }
    take(path)
  }

  /// Counts neither a database that is a store now nor the files beside it.
  private mutating func take(_ path: String) {
    let before = result.data.count
    result.data.removeAll { $0.path.hasSameBytes(as: path) }
    result.count -= before - result.data.count
    for suffix in Self.besides where besides.remove(StringByBytes(path + suffix)) != nil { result.count -= 1 }
  }

  /// Whether a file belongs to the file system rather than to the app: what macOS leaves, and placeholders of iCloud.
  private static func isSystems(_ name: String) -> Bool {
    name == ".DS_Store" || name.hasPrefix("._") || PathText.placeholder(name) != nil
  }
}
