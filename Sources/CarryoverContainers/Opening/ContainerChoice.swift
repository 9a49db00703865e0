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
      let components = relative.split(separator: "/").map(String.init).filter { $0 != "." }
      guard !relative.hasPrefix("/"), !components.isEmpty, !components.contains(".."), !relative.utf8.contains(0) else {
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
    let components = candidate.path.split(separator: "/").map(String.init)
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
