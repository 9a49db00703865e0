import Carryover
import CarryoverSystem
import PropertyLists

/// Searches a folder, in breadth and within bounds, for the containers in it.
///
/// Links are not followed, and what cannot be looked into holds none. What macOS leaves in archives for the attributes of
/// files (`__MACOSX`) is passed over: it has the same folders and none of the files.
struct ContainerSearch {
  /// What was found.
  struct Result {
    /// The containers, by path; at most as many as the limits allow.
    var candidates: [ContainerCandidate] = []
    /// How many more there are.
    var more = 0
    /// Property lists, for an archive that holds nothing else.
    var files: [ContainerCandidate] = []
    /// Files that have an archive's name, by path. They are not looked into.
    var archives: [String] = []
    /// Whether there are folders deeper than was searched.
    var goesDeeper = false
    /// What was left out or is odd, each as a sentence.
    var notices: [String] = []
  }

  let finder: PlaceFinder
  /// Where the search begins.
  let start: Place
  private var result = Result()
  private var folders: [(path: String, depth: Int)] = []
  private var looked = 0

  init(finder: PlaceFinder, start: Place) {
    self.finder = finder
    self.start = start
  }

  private var limits: SearchLimits { finder.options.limits.search }

  /// Looks at the start, which is no container itself, and at what lies below it.
  mutating func run() throws(ContainerError) -> Result {
    folders = [("", 0)]
    var next = 0
    while next < folders.count {
      let (path, depth) = folders[next]
      next += 1
      guard looked < limits.folders else {
        result.notices.append(ContainerWording.searchCutShort(limit: limits.folders))
        break
      }
      looked += 1
      try finder.observer.report(OpeningProgress(.search, done: looked), at: start.path)
      try look(at: path, depth)
    }
    result.candidates.sort { PathText.precedes($0.path, $1.path) }
    result.files.sort { PathText.precedes($0.path, $1.path) }
    result.archives.sort(by: PathText.precedes)
    if result.goesDeeper { result.notices.append(ContainerWording.searchTooDeep(limit: limits.depth)) }
    if !result.archives.isEmpty {
      result.notices.append(ContainerWording.archivesPassedOver(result.archives, nested: start.isInArchive))
    }
    return result
  }

  private mutating func look(at path: String, _ depth: Int) throws(ContainerError) {
    let place = start.at(PathText.join(start.path, path))
    guard let names = try? place.fileSystem.list(place.path) else { return }
    let recognition = FolderRecognition(fileSystem: place.fileSystem)
    switch try? recognition.container(place.path, Set(names)) {
    case .package?: add(CandidateReader(place: place, limits: finder.options.limits).candidate(path, .xcappdata))
    case .dataContainer?: add(CandidateReader(place: place, limits: finder.options.limits).candidate(path, .folder))
    case .backup?: try addApps(ofBackupAt: path, place)
    case .refused(let kind)?: result.notices.append(ContainerError(place.path, kind).description)
    case nil: follow(names, in: path, place, depth)
    }
  }

  /// Goes on with the folders in a folder.
  private mutating func follow(_ names: [String], in path: String, _ place: Place, _ depth: Int) {
    if followDevice(names, in: path, place, depth) { return }
    for name in names {
      let inner = PathText.join(path, name)
      switch kind(PathText.join(place.path, name), place) {
      case .directory where name != "__MACOSX":
        guard depth < limits.depth else {
          result.goesDeeper = true
          continue
        }
        folders.append((inner, depth + 1))
      case .regular where PathText.isArchiveName(name):
        if result.archives.count < limits.candidates { result.archives.append(inner) }
      case .regular where PathText.isPropertyListName(name):
        guard result.files.count < limits.candidates else { continue }
        result.files.append(ContainerCandidate(path: inner, kind: .propertyList, bundleID: nil, name: name))
      default: break
      }
    }
  }

  /// Goes on with the containers of a simulated device, which lie deep: as if they lay in its folder.
  private mutating func followDevice(_ names: [String], in path: String, _ place: Place, _ depth: Int) -> Bool {
    let data = names.contains(SimulatorLayout.containers) ? path : PathText.join(path, SimulatorLayout.data)
    guard names.contains(SimulatorLayout.containers) || names.contains(SimulatorLayout.data) else { return false }
    let found = SimulatorLayout.folders.map { PathText.join(data, $0) }.filter { folder in
      kind(PathText.join(start.path, folder), place) == .directory
    }
    for folder in found { folders.append((folder, min(depth, limits.depth - 1))) }
    return !found.isEmpty
  }

  private mutating func addApps(ofBackupAt path: String, _ place: Place) throws(ContainerError) {
    do throws(ContainerError) {
      let backup = try finder.backup(at: place)
      for var app in backup.candidates {
        app.path = PathText.join(path, app.path)
        add(app)
      }
      result.notices += backup.notices
    } catch {
      // One that cannot be opened does not hide the others; given by itself, it says why.
      if error.kind == .cancelled || path.isEmpty { throw error }
      result.notices.append(error.description)
    }
  }

  private mutating func add(_ candidate: ContainerCandidate) {
    guard result.candidates.count < limits.candidates else {
      result.more += 1
      return
    }
    result.candidates.append(candidate)
  }

  private func kind(_ path: String, _ place: Place) -> FileKind? { (try? place.fileSystem.status(path))?.kind }
}
