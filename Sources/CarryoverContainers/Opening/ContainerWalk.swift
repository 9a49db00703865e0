import Carryover
package import CarryoverSystem

/// Finds the containers, archives and backups in a folder, one after the other, without limits on their number.
///
/// It goes depth-first and by name, so that two walks over the same folder give the same order. No link is followed,
/// and nothing is opened: an archive or a backup may have any number of containers.
package struct ContainerWalk {
  /// What a walk found at a path.
  package struct Found: Hashable, Sendable {
    /// The path, relative to the start; empty for the start itself.
    package var path: String
    /// The reason that a folder could not be searched; nil for something to open.
    package var problem: FileSystemError?
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
      case .directory where name == "__MACOSX": return nil
      case .directory:
        let names = try fileSystem.list(place)
        if try FolderRecognition(fileSystem: fileSystem).container(place, Set(names)) != nil {
          return Found(path: path)
        }
        // Paths on this machine nest no deeper.
        if open.count < 512 { open.append((path, names.sorted(by: PathText.precedes).reversed())) }
        return nil
      default: return isStart ? Found(path: path) : nil
      }
    } catch {
      return Found(path: path, problem: error)
    }
  }
}
