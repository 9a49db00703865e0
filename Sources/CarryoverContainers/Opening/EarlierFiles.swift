package import Carryover
package import CarryoverSystem

extension OpenedContainer {
  /// The container as it is with the earlier states of some files, by their paths relative to the root.
  package func replacing(
    _ files: [(path: String, state: FileState)], reading named: [StoreFile] = []
  ) throws(ContainerError) -> OpenedContainer {
    var options = ContainerOptions(bundleID: container.bundleID, stateDirectory: container.stateDirectory)
    options.files += named
    var earlier = place
    earlier.fileSystem = EarlierFileSystem(base: place.fileSystem, root: container.root, files: files)
    let finder = PlaceFinder(fileSystem: earlier.fileSystem, options: options, observer: .none)
    let form: (place: Place, form: ContainerChoice.Form)
    do throws(ContainerError) {
      form = try ContainerChoice(finder: finder, selection: nil).chosen(at: earlier)
    } catch {
      // Without the run's files, nothing may be left that looks like a container.
      guard case .notContainer = error.kind else { throw error }
      var empty = OpenedContainer(container: container, fileSystem: earlier.fileSystem, place: earlier)
      empty.container.stores = []
      return empty
    }
    var found = try ContainerReading(place: form.place, options: options, observer: .none).container(form.form)
    (found.name, found.wrapper, found.bundleID) = (container.name, container.wrapper, container.bundleID)
    return OpenedContainer(container: found, fileSystem: earlier.fileSystem, place: form.place)
  }
}

/// A file system in which some files have earlier states. Only reading is meant for it.
struct EarlierFileSystem: FileSystemLayer {
  let base: any FileSystem
  private let files: [StringByBytes: FileState]
  /// The names of the files that are there, by their folders.
  private var names: [StringByBytes: Set<StringByBytes>] = [:]

  init(base: any FileSystem, root: String, files: [(path: String, state: FileState)]) {
    self.base = base
    self.files = Dictionary(firstOf: files.map { (PathText.join(root, $0.path), $0.state) })
    for (path, state) in self.files where state != .absent {
      var path = path.text
      // With the folders that a run removed or created with its files.
      while path.utf8.count > root.utf8.count {
        let folder = PathText.parent(path)
        names[folder, default: []].insert(FilePath.name(of: path))
        path = folder
      }
    }
  }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    guard let state = files[path] else { return try base.read(path, limit: limit) }
    guard let bytes = state.bytes, let status = try status(path) else {
      throw FileSystemError(.read, path, .system(SystemErrorNumber.noEntry.number))
    }
    guard bytes.count <= limit else { throw FileSystemError(.read, path, .tooLarge(limit: limit)) }
    return FileImage(bytes: bytes, status: status)
  }

  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    guard files[path] != nil else { return try base.read(path, from: offset, count: count) }
    return Array(try read(path, limit: .max).bytes.dropFirst(max(0, offset)).prefix(max(0, count)))
  }

  func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    guard let state = files[path] else {
      guard names[path] != nil, let found = try base.status(path) else {
        return names[path] == nil ? try base.status(path) : status(.directory, mode: 0o700, size: 0)
      }
      return found
    }
    guard case .file(let bytes, let attributes) = state else { return nil }
    return status(.regular, mode: attributes.mode, size: Int64(bytes.count))
  }

  private func status(_ kind: FileKind, mode: UInt32, size: Int64) -> FileStatus {
    FileStatus(kind: kind, mode: mode, user: base.user, group: 0, size: size, links: 1)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    let added = names[path] ?? []
    let found = try base.status(path) == nil && !added.isEmpty ? [] : try base.list(path)
    let all = Set(bytesOf: found).union(added).filter { files[PathText.join(path, $0.text)] != .absent }
    return all.map(\.text).sortedByBytes()
  }

  func check(_ path: String, _ operation: FileSystemError.Operation) throws(FileSystemError) {
    throw FileSystemError(operation, path, .readOnlyTree)
  }
}
