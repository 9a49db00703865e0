import Carryover
package import CarryoverSystem

/// Searches a folder for containers, breadth-first and within limits. In a folder on the disk, a file that is named like
/// an archive is listed without being opened. Links are not followed. `__MACOSX`, in which macOS stores file attributes
/// in archives, is skipped: it has the same folders, but no files.
struct ContainerSearch {
  struct Result {
    /// The containers, by path and Apple's last, up to the limit.
    var candidates: [ContainerCandidate] = []
    var more = 0
    /// Property lists, for an archive that contains only these.
    var files: [ContainerCandidate] = []
    /// Files in an archive or a backup that are named like archives, by path. They are not opened.
    var archives: [String] = []
    var goesDeeper = false
    var notices: [String] = []
  }

  let finder: PlaceFinder
  let start: Place
  var result = Result()
  var folders: [(path: String, depth: Int)] = []
  var looked = 0

  private var limits: SearchLimits { finder.options.limits.search }

  /// Searches the start, which is not a container itself, and the folders below it.
  mutating func run() throws(ContainerError) -> Result {
    folders = [("", 0)]
    var next = 0
    while next < folders.count {
      let (path, depth) = folders[next]
      next += 1
      guard looked < limits.folders else {
        result.notices.append(
          "There are more than \(limits.folders) folders: the others were not searched for containers.")
        break
      }
      looked += 1
      try finder.observer.report(OpeningProgress(.search, done: looked), at: start.path)
      try look(at: path, depth)
    }
    result.candidates.sort { left, right in
      left.isOfSystem == right.isOfSystem ? PathText.precedes(left.path, right.path) : right.isOfSystem
    }
    result.files.sort { PathText.precedes($0.path, $1.path) }
    result.archives.sort(by: PathText.precedes)
    if result.goesDeeper {
      result.notices.append(
        "There are folders more than \(limits.depth) deep, which were not searched for containers: give one nearer to "
          + "them.")
    }
    if !result.archives.isEmpty {
      result.notices.append(
        "Archives inside another are not opened: extract the outer one to open \(ContainerWording.some(result.archives))."
      )
    }
    return result
  }

  private mutating func look(at path: String, _ depth: Int) throws(ContainerError) {
    let place = start.at(PathText.join(start.path, path))
    guard var names = try? place.fileSystem.list(place.path) else { return }
    // What an interrupted extraction has left is no whole container.
    names.removeAll { $0.hasPrefix(PathText.stagingPrefix) }
    let recognition = FolderRecognition(fileSystem: place.fileSystem)
    switch try? recognition.container(place.path, Set(names)) {
    case .container(let folder)?: add(place.candidate(path, folder, finder.options.limits))
    case .backup?: try addApps(ofBackupAt: path, place)
    case .refused(let kind)?: result.notices.append(ContainerError(place.path, kind).description)
    case nil: follow(names, in: path, place, depth)
    }
  }

  private mutating func follow(_ names: [String], in path: String, _ place: Place, _ depth: Int) {
    if names.contains(FolderRecognition.androidName) {
      result.notices.append(
        "\(ContainerWording.quoted(place.path)) is the data of an Android app, which Carryover does not read.")
    }
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
        if start.layers.isEmpty {
          add(ContainerCandidate(path: inner, kind: nil, bundleID: nil, name: name))
        } else if result.archives.count < limits.candidates {
          result.archives.append(inner)
        }
      // An app's bundle, as in an .ipa, has property lists but none of its data.
      case .regular
      where PathText.isPropertyListName(name) && !FilePath.components(path).contains { $0.hasSuffix(".app") }:
        guard result.files.count < limits.candidates else { continue }
        result.files.append(ContainerCandidate(path: inner, kind: .propertyList, bundleID: nil, name: name))
      default: break
      }
    }
  }

  /// Continues with the containers of a simulated device, as if they were directly in its folder.
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
      // A container that cannot be opened does not hide the others. Opened by itself, it gives the reason.
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

/// Finds the containers, archives and backups in a folder, depth-first and by name, so that two walks give the same
/// order. No link is followed, and nothing is opened: an archive or a backup may have any number of containers.
package struct ContainerWalk {
  private let fileSystem: any FileSystem
  private let start: String
  /// The folders that are being searched, outermost first, each with the names that are left, in reverse order.
  private var open: [(path: String, names: [String])] = []
  private var isFresh = true

  package init(_ fileSystem: any FileSystem, at start: String) {
    self.fileSystem = fileSystem
    self.start = start
  }

  /// The path of the next find, relative to the start. What cannot be searched is a find too, so that it is not missed.
  package mutating func next() -> String? {
    if isFresh {
      isFresh = false
      if let found = look(at: "", name: FilePath.name(of: start), isStart: true) { return found }
    }
    while let folder = open.indices.last {
      guard let name = open[folder].names.popLast() else {
        open.removeLast()
        continue
      }
      if let found = look(at: PathText.join(open[folder].path, name), name: name, isStart: false) { return found }
    }
    return nil
  }

  /// What is at a path; nil if it is nothing to open. A folder without a container of its own is searched next.
  private mutating func look(at path: String, name: String, isStart: Bool) -> String? {
    let place = PathText.join(start, path)
    do throws(FileSystemError) {
      switch try fileSystem.status(place)?.kind {
      case .regular: return isStart || PathText.isArchiveName(name) ? path : nil
      case .directory where !isStart && (name == "__MACOSX" || name.hasPrefix(PathText.stagingPrefix)): return nil
      case .directory:
        let names = try fileSystem.list(place)
        let isContainer = try FolderRecognition(fileSystem: fileSystem).container(place, Set(names)) != nil
        // A package without its data is one that cannot be opened.
        if isContainer || name.hasSuffix(".xcappdata") { return path }
        open.append((path, names.sorted(by: PathText.precedes).reversed()))
        return nil
      // A listed name that is not there has characters that no path can have here.
      case nil: return path
      default: return isStart ? path : nil
      }
    } catch {
      return path
    }
  }
}
