import Carryover
package import CarryoverSystem

/// Finds the containers, archives and backups in a folder, one after the other, without limits on their number.
///
/// It goes depth-first and by name, so that two walks over the same folder give the same order. No link is followed,
/// and nothing is opened: an archive or a backup may have any number of containers.
package struct ContainerWalk {
  /// What a walk found at a path.
  package struct Found: Hashable, Sendable {
    /// The path, relative to the start; empty for the start itself. What cannot be searched is a find too, so that it is
    /// not missed.
    package var path: String
  }

  private let fileSystem: any FileSystem
  private let start: String
  /// The folders that are being searched, outermost first, each with the names that are left, in reverse order.
  private var open: [(path: String, names: [String])] = []
  /// Whether the start has not been looked at.
  private var isFresh = true

  /// A walk over the folder or file at a path.
  package init(_ fileSystem: any FileSystem, at start: String) {
    self.fileSystem = fileSystem
    self.start = start
  }

  /// The next find; nil at the end.
  package mutating func next() -> Found? {
    if isFresh {
      isFresh = false
      if let found = look(at: "", name: PathText.lastComponent(start), isStart: true) { return found }
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
  private mutating func look(at path: String, name: String, isStart: Bool) -> Found? {
    let place = PathText.join(start, path)
    do throws(FileSystemError) {
      switch try fileSystem.status(place)?.kind {
      case .regular: return isStart || PathText.isArchiveName(name) ? Found(path: path) : nil
      case .directory where name == "__MACOSX" && !isStart: return nil
      case .directory:
        let names = try fileSystem.list(place)
        let isContainer = try FolderRecognition(fileSystem: fileSystem).container(place, Set(names)) != nil
        // A package without its data is one that cannot be opened.
        if isContainer || name.hasSuffix(".xcappdata") { return Found(path: path) }
        open.append((path, names.sorted(by: PathText.precedes).reversed()))
        return nil
      // A listed name that is not there has characters that no path can have here.
      case nil: return Found(path: path)
      default: return isStart ? Found(path: path) : nil

      }
    } catch {
      return Found(path: path)
    }
  }
}
