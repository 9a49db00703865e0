import CarryoverSystem
import PropertyLists

/// A private folder for the copy of a container in a rehearsal.
struct RehearsalFolder {
  /// The resolved path on this machine.
  let path: String
  let disk: any FileSystem

  /// The root of the copy, in its own folder so that there is nothing else in it.
  var root: String { path + "/container" }

  /// Creates the folder in another one. Only its owner can access it.
  init(in parent: String, _ disk: any FileSystem) throws(RunError) {
    self.disk = disk
    do {
      let name = (0..<8).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
      path = FilePath.join(try disk.resolve(parent), ".carryover-rehearsal-\(name)")
      try disk.makeDirectory(path, mode: 0o700)
    } catch {
      throw .file(error, .nothingChanged)
    }
  }

  /// Writes a copy of a file with its permission bits, and creates its folders.
  func put(_ bytes: [UInt8], mode: UInt32, at relative: String) throws(RunError) {
    do throws(FileSystemError) {
      let place = root + "/" + relative
      try makeFolders(FilePath.folder(of: place))
      let handle = try disk.create(place, mode: 0o600)
      do throws(FileSystemError) {
        try disk.write(bytes, to: handle)
        try disk.setMode(mode & 0o777, of: handle)
      } catch {
        try? disk.close(handle)
        throw error
      }
      try disk.close(handle)
    } catch {
      throw .file(error, .nothingChanged)
    }
  }

  func makeFolders(_ folder: String) throws(FileSystemError) {
    var missing: [String] = []
    var next = folder
    while next != path, try disk.status(next) == nil {
      missing.append(next)
      next = FilePath.folder(of: next)
    }
    for folder in missing.reversed() { try disk.makeDirectory(folder, mode: 0o700) }
  }

  /// The files of the copy, relative to its root, without the state folder.
  func files(without state: String) throws(RunError) -> Set<StringByBytes> {
    var found: Set<StringByBytes> = []
    var folders = [root]
    while let folder = folders.popLast() {
      do {
        for name in try disk.list(folder) {
          let place = folder + "/" + name
          guard !place.hasSameBytes(as: state) else { continue }
          if try disk.status(place)?.kind == .directory {
            folders.append(place)
          } else {
            found.insert(String(decoding: place.utf8.dropFirst(root.utf8.count + 1), as: UTF8.self))
          }
        }
      } catch {
        throw .file(error, .nothingChanged)
      }
    }
    return found
  }

  /// Removes the folder and its content. Follows no link.
  func remove() throws(RunError) {
    do {
      var folders = [path]
      var all: [String] = []
      while let folder = folders.popLast() {
        all.append(folder)
        for name in try disk.list(folder) {
          let place = folder + "/" + name
          if try disk.status(place)?.kind == .directory { folders.append(place) } else { try disk.remove(place) }
        }
      }
      for folder in all.reversed() { try disk.removeDirectory(folder) }
    } catch {
      throw .file(error, .nothingChanged)
    }
  }
}
