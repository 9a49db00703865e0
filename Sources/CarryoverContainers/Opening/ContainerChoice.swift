import Carryover
import CarryoverSystem

/// Chooses the container to open at a place: the place itself, the only container in it, or the selected one.
struct ContainerChoice {
  let finder: PlaceFinder
  let selection: ContainerSelection?

  enum Form {
    case folder(FolderContainer)
    case file
  }

  func chosen(at place: Place) throws(ContainerError) -> (place: Place, form: Form) {
    switch selection {
    // In a listing, this is the place itself.
    case .path(".")?: return try form(of: place, app: nil)
    case .path(let relative)?:
      let components = FilePath.components(relative).filter { $0 != "." }
      guard relative.utf8.first != FilePath.slash, !components.isEmpty, !components.contains(".."),
        !relative.utf8.contains(0)
      else {
        throw ContainerError(relative, .invalidSelection)
      }
      return try form(of: try finder.descend(from: place, along: components), app: nil)
    case .app(let bundleID)?: return try form(of: place, app: bundleID)
    case nil: return try form(of: place, app: nil)
    }
  }

  func check(_ container: Container) throws(ContainerError) {
    guard case .app(let bundleID)? = selection, container.bundleID != bundleID else { return }
    let only = ContainerCandidate(path: "", kind: container.kind, bundleID: container.bundleID, name: container.name)
    throw ContainerError(container.root, .noSuchApp(bundleID, [only]))
  }

  /// The containers at a place. If the place itself is a container, only that one.
  func listing(at place: Place) throws(ContainerError) -> ContainerListing {
    let found = try self.found(at: place)
    if let form = found.form {
      let candidate =
        switch form {
        case .folder(let folder): place.candidate("", folder, finder.options.limits)
        case .file: try file(at: place)
        }
      return ContainerListing(candidates: [candidate], more: 0, notices: place.notices, wrapper: place.wrapper)
    }
    return ContainerListing(
      candidates: found.candidates, more: found.more, notices: place.notices + found.notices,
      wrapper: place.wrapper ?? (found.isBackup ? ContainerWrapper(.backup, path: place.path) : nil))
  }

  /// A file is a container only if it can be opened as one.
  private func file(at place: Place) throws(ContainerError) -> ContainerCandidate {
    let reading = ContainerReading(place: place, options: finder.options, observer: finder.observer)
    let container = try reading.container(.file)
    return ContainerCandidate(path: "", kind: container.kind, bundleID: container.bundleID, name: container.name)
  }

  private func form(of place: Place, app: String?) throws(ContainerError) -> (place: Place, form: Form) {
    let found = try self.found(at: place)
    if let form = found.form { return (place, form) }
    var candidates = found.candidates
    if let app {
      candidates = candidates.filter { $0.bundleID == app }
      guard let first = candidates.first else { throw ContainerError(place.path, .noSuchApp(app, found.candidates)) }
      guard candidates.count == 1 else { throw ContainerError(place.path, .severalApps(app, candidates)) }
      return try open(first, at: place)
    }
    // In a folder on the disk, the only container must be named rather than guessed, because it may be written to.
    if found.more == 0, candidates.count == 1, let only = candidates.first, place.wrapper != nil || found.isBackup {
      return try open(only, at: place)
    }
    throw ContainerError(place.path, .holdsContainers(candidates, more: found.more))
  }

  private func open(_ candidate: ContainerCandidate, at place: Place) throws(ContainerError) -> (
    place: Place, form: Form
  ) {
    let components = FilePath.components(candidate.path)
    let inner = try finder.descend(from: place, along: components)
    guard let form = try self.found(at: inner).form else { throw ContainerError(inner.path, .notContainer) }
    return (inner, form)
  }

  private struct Found {
    var form: Form?
    var candidates: [ContainerCandidate] = []
    var more = 0
    var notices: [String] = []
    var isBackup = false
  }

  private func found(at place: Place) throws(ContainerError) -> Found {
    switch try finder.kind(of: place) {
    case nil: throw ContainerError(place.path, .notFound)
    case .symbolicLink: throw ContainerError(place.path, .symbolicLink)
    case .other: throw ContainerError(place.path, .notFileOrFolder)
    case .regular: return Found(form: .file)
    case .directory: break
    }
    let recognised = try place.reading(try FolderRecognition(fileSystem: place.fileSystem).recognise(place.path))
    switch recognised {
    case .container(let folder): return Found(form: .folder(folder))
    case .refused(.notContainer): return try searched(place)
    case .backup:
      var found = try searched(place)
      found.isBackup = true
      return found
    case .refused(let kind): throw ContainerError(place.path, kind)
    }
  }

  private func searched(_ place: Place) throws(ContainerError) -> Found {
    var search = ContainerSearch(finder: finder, start: place)
    let result = try search.run()
    let candidates = result.candidates.isEmpty && place.isInArchive ? result.files : result.candidates
    guard !candidates.isEmpty else { throw ContainerError(place.path, reason(result)) }
    return Found(candidates: candidates, more: result.more, notices: result.notices)
  }

  private func reason(_ result: ContainerSearch.Result) -> ContainerError.Kind {
    guard result.archives.isEmpty else { return .nestedArchives(result.archives) }
    return result.goesDeeper ? .noContainerWithin(folders: finder.options.limits.search.depth) : .notContainer
  }
}

enum FolderForm: Hashable {
  /// An Xcode package, or an app's or an app group's data container.
  case container(FolderContainer)
  case backup
  /// A folder that cannot be opened, including one that may contain containers (`notContainer`).
  case refused(ContainerError.Kind)
}

/// Determines the kind of a folder. The folder's own name does not count, because people rename the folders they send.
struct FolderRecognition {
  let fileSystem: any FileSystem

  static let androidName = "shared_prefs"

  func recognise(_ path: String) throws(FileSystemError) -> FolderForm {
    let names = Set(try fileSystem.list(path))
    if names.isEmpty { return .refused(.emptyFolder) }
    if let form = try container(path, names) { return form }
    if let kind = try linked(path, names) { return .refused(kind) }
    if names.contains(FolderContainer.infoName) { return .refused(.incompletePackage) }
    if names.contains(Self.androidName) { return .refused(.androidData) }
    if let above = enclosing(path) { return .refused(.partOfContainer(above)) }
    return .refused(.notContainer)
  }

  /// The container or backup that the folder itself is; nil if it is neither.
  func container(_ path: String, _ names: Set<String>) throws(FileSystemError) -> FolderForm? {
    if names.contains(FolderContainer.dataName), try kind(path, FolderContainer.dataName) == .directory {
      let hasInfo = names.contains(FolderContainer.infoName)
      let isPackage = try hasInfo ? true : isDataContainer(PathText.join(path, FolderContainer.dataName))
      if isPackage {
        return .container(FolderContainer(kind: .xcappdata, root: path, hasInfo: hasInfo))
      }
    }
    if try isDataContainer(path, names) {
      // A package's data folder is opened as the package: the file with the bundle identifier is beside it, and Xcode
      // would upload data for a rollback to a device if it were inside.
      let above = PathText.parent(path)
      if FilePath.name(of: path) == FolderContainer.dataName, try kind(above, FolderContainer.infoName) == .regular {
        return .container(FolderContainer(kind: .xcappdata, root: above, hasInfo: true))
      }
      return .container(FolderContainer(kind: .folder, root: path))
    }
    if names.contains("Manifest.mbdb") { return .refused(.backup(.legacy)) }
    if names.contains("Manifest.db") { return .backup }
    if names.contains("Manifest.plist"), names.contains("Info.plist") || names.contains("Status.plist") {
      return .refused(.backup(.incomplete("Manifest.db")))
    }
    return nil
  }

  private func isDataContainer(_ path: String) throws(FileSystemError) -> Bool {
    try isDataContainer(path, Set(try fileSystem.list(path)))
  }

  private func isDataContainer(_ path: String, _ names: Set<String>) throws(FileSystemError) -> Bool {
    if names.contains(FolderContainer.libraryName), try kind(path, FolderContainer.libraryName) == .directory {
      return try !isDeviceData(path, names)
    }
    // Only the container's description is left; a link in place of `Library` is a different case.
    if names.contains(FolderContainer.libraryName) || !names.contains(FolderContainer.metadataName) { return false }
    return try kind(path, FolderContainer.metadataName) == .regular
  }

  private func isDeviceData(_ path: String, _ names: Set<String>) throws(FileSystemError) -> Bool {
    guard names.contains(SimulatorLayout.containers) else { return false }
    for folder in SimulatorLayout.folders where try kind(path, folder) == .directory { return true }
    return false
  }

  private func linked(_ path: String, _ names: Set<String>) throws(FileSystemError) -> ContainerError.Kind? {
    for name in [FolderContainer.dataName, FolderContainer.libraryName] where names.contains(name) {
      if try kind(path, name) == .symbolicLink { return .linkedFolder(name) }
    }
    let library = PathText.join(FolderContainer.dataName, FolderContainer.libraryName)
    if names.contains(FolderContainer.dataName), try kind(path, library) == .symbolicLink {
      return .linkedFolder(library)
    }
    return nil
  }

  private func enclosing(_ path: String) -> String? {
    if FilePath.name(of: path) == FolderContainer.libraryName { return PathText.parent(path) }
    let above = PathText.parent(path)
    return FilePath.name(of: above) == FolderContainer.libraryName ? PathText.parent(above) : nil
  }

  private func kind(_ folder: String, _ name: String) throws(FileSystemError) -> FileKind? {
    try fileSystem.status(PathText.join(folder, name))?.kind
  }
}

enum SimulatorLayout {
  static let containers = "Containers"
  static let folders = ["Containers/Data/Application", "Containers/Shared/AppGroup"]
  static let data = "data"
}

struct ContainerReading {
  let place: Place
  let options: ContainerOptions
  let observer: OpeningObserver
  var memory: StoreMemory?

  func container(_ form: ContainerChoice.Form) throws(ContainerError) -> Container {
    switch form {
    case .folder(let folder): try container(folder)
    case .file: try file()
    }
  }

  private func container(_ folder: FolderContainer) throws(ContainerError) -> Container {
    let (root, dataFolder) = (folder.root, folder.dataFolder)
    var reader = StoreReader(
      fileSystem: place.fileSystem, root: root, limits: options.limits, files: options.files, observer: observer,
      memory: memory)
    let statements =
      options.bundleID.map { [BundleIDFinder.Answer(bundleID: $0, origin: .option)] }
      ?? folder.statements(&reader)
    try reader.readStores(dataFolder: dataFolder)
    for group in reader.appGroups(in: dataFolder) { try reader.readGroup(group) }
    try reader.readUnnamed()
    var container = Container(
      kind: folder.kind, root: root, dataFolder: dataFolder, bundleID: nil,
      stores: reader.stores.sorted { PathText.precedes($0.path, $1.path) },
      unsentEvents: reader.unsentEvents(in: dataFolder), stateDirectory: stateDirectory(beside: root))
    container.signs = reader.markers(in: dataFolder) + reader.signs.sorted()
    let prefix = container.preferencesFolder + "/"
    var bundleIDs = BundleIDFinder()
    let answer = bundleIDs.find(
      statements: statements, preferences: container.stores.filter { $0.path.hasSameBytes(as: prefix + $0.name) })
    container.bundleID = answer?.bundleID
    container.bundleIDOrigin = answer?.origin
    let missing = reader.placeholders
    if !missing.isEmpty {
      reader.note(
        missing.count == 1
          ? "\(ContainerWording.some(missing)) is only in iCloud: the container has a placeholder without its content."
          : "\(missing.count) files are only in iCloud: the container has placeholders without their content: "
            + "\(ContainerWording.some(missing)).")
    }
    container.notices = reader.notices + bundleIDs.notices
    return container
  }

  func stateDirectory(beside root: String) -> String {
    guard let given = options.stateDirectory else { return PathText.join(root, Self.stateName) }
    let full = PathText.cleaned(given, workingDirectory: Platform.workingDirectory)
    // In a folder that does not exist, nothing is stored yet, and nothing can be.
    return (try? place.fileSystem.location(of: full)) ?? full
  }

  static let stateName = ".carryover"
}

extension Place {
  /// A container at the place, as a candidate. Reads only the parts that identify its app.
  func candidate(_ path: String, _ folder: FolderContainer, _ limits: ContainerLimits) -> ContainerCandidate {
    var reader = StoreReader(fileSystem: fileSystem, root: folder.root, limits: limits)
    let preferences = PathText.join(folder.dataFolder, "Library/Preferences")
    var finder = BundleIDFinder()
    let answer = finder.find(
      statements: folder.statements(&reader),
      preferences: reader.names(inFolder: preferences).filter(PathText.isPropertyListName).map {
        Store(path: PathText.join(preferences, $0), content: .unreadable(""))
      })
    return ContainerCandidate(
      path: path, kind: folder.kind, bundleID: answer?.bundleID, name: FilePath.name(of: folder.root),
      groups: reader.appGroups(in: folder.dataFolder).map(FilePath.name))
  }
}
