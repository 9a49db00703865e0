import Carryover
import CarryoverStorage
import CarryoverSystem

/// A file system in memory that counts and logs what it is asked, can fail or crash at the n-th operation, and knows
/// which of its contents have reached the disk.
///
/// Paths are absolute. Helpers that are not part of `FileSystem` are neither counted nor logged nor failed.
final class MemoryFileSystem: FileSystem {
  let state: Locked<MemoryState>

  /// An empty file system whose process is `user`; only the user 0 can give files away.
  init(user: UInt32 = 501) {
    state = Locked(MemoryState(user: user))
  }

  init(copying other: MemoryFileSystem) {
    state = Locked(other.state.withLock { $0 })
  }

  init(copying other: MemoryFileSystem, disk: MemoryDisk) {
    state = Locked(other.state.withLock { $0 })
    restart(with: disk)
  }

  var user: UInt32 { state.withLock { $0.user } }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    try perform(.read, path) { (state) throws(FileSystemError) in
      let node = try state.file(path, .read)
      guard node.mode & 0o400 != 0 || state.user == 0 else { throw FileSystemError(.read, path, .system(Errno.access)) }
      guard node.bytes.count <= limit else { throw FileSystemError(.read, path, .tooLarge(limit: limit)) }
      return FileImage(bytes: node.bytes, status: state.status(of: node))
    }
  }

  func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    try perform(.inspect, path) { (state) throws(FileSystemError) in
      state.lookUp(path).flatMap { state.nodes[$0] }.map(state.status)
    }
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    try perform(.list, path) { (state) throws(FileSystemError) in
      let folder = try state.folder(path, .list)
      return state.nodes[folder]?.entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } ?? []
    }
  }

  func resolve(_ path: String) throws(FileSystemError) -> String {
    try perform(.inspect, path) { (state) throws(FileSystemError) in
      var names: [Substring] = []
      for name in path.split(separator: "/") where name != "." {
        if name == ".." { _ = names.popLast() } else { names.append(name) }
      }
      let resolved = "/" + names.joined(separator: "/")
      guard !path.isEmpty, state.lookUp(resolved) != nil else {
        throw FileSystemError(.inspect, path, .system(Errno.noEntry))
      }
      return resolved
    }
  }

  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try perform(.create, path) { (state) throws(FileSystemError) in
      let (folder, name) = try state.place(path, .create)
      guard state.nodes[folder]?.entries[name] == nil else {
        throw FileSystemError(.create, path, .system(Errno.exists))
      }
      let number = state.disk.add(MemoryNode(kind: .regular, mode: mode, user: state.creator))
      state.disk.change(folder, [name: number])
      return state.open(number, path)
    }
  }

  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) {
    try perform(.write, handle.path, payload: bytes) { (state) throws(FileSystemError) in
      let node = try state.node(handle, .write)
      state.nodes[node]?.bytes += bytes
    }
  }

  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try perform(.setOwner, handle.path) { (state) throws(FileSystemError) in
      let node = try state.node(handle, .setOwner)
      guard state.user == 0 || (user == state.user && group == state.user) else {
        throw FileSystemError(.setOwner, handle.path, .system(Errno.notPermitted))
      }
      state.nodes[node]?.user = user
      state.nodes[node]?.group = group
    }
  }

  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try perform(.setMode, handle.path) { (state) throws(FileSystemError) in
      let node = try state.node(handle, .setMode)
      state.nodes[node]?.mode = mode
    }
  }

  func synchronize(_ handle: OpenFile) throws(FileSystemError) {
    try perform(.synchronize, handle.path) { (state) throws(FileSystemError) in
      let node = try state.node(handle, .synchronize)
      state.disk.synchronize(node)
    }
  }

  func close(_ handle: OpenFile) throws(FileSystemError) {
    try perform(.close, handle.path) { (state) throws(FileSystemError) in
      _ = try state.node(handle, .close)
      state.handles[handle.number] = nil
      state.locks = state.locks.filter { $0.value != handle.number }
    }
  }

  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try perform(.rename, source, destination: destination) { (state) throws(FileSystemError) in
      let (sourceFolder, sourceName) = try state.place(source, .rename)
      let (folder, name) = try state.place(destination, .rename)
      guard let node = state.nodes[sourceFolder]?.entries[sourceName] else {
        throw FileSystemError(.rename, source, .system(Errno.noEntry))
      }
      let standing = state.nodes[folder]?.entries[name]
      guard mode == .replacing || state.hasRenameModes else { throw FileSystemError(.rename, source, .unsupported) }
      switch mode {
      case .replacing: break
      case .exclusive:
        guard standing == nil else { throw FileSystemError(.rename, source, .system(Errno.exists)) }
      case .exchanging:
        guard standing != nil else { throw FileSystemError(.rename, source, .system(Errno.noEntry)) }
      }
      let left = mode == .exchanging ? standing : nil
      if sourceFolder == folder {
        state.disk.change(folder, [sourceName: left, name: node])
      } else {
        state.disk.change(folder, [name: node])
        state.disk.change(sourceFolder, [sourceName: left])
      }
    }
  }

  func remove(_ path: String) throws(FileSystemError) {
    try perform(.remove, path) { (state) throws(FileSystemError) in
      let (folder, name) = try state.place(path, .remove)
      guard let node = state.nodes[folder]?.entries[name] else {
        throw FileSystemError(.remove, path, .system(Errno.noEntry))
      }
      guard state.nodes[node]?.kind != .directory else { throw FileSystemError(.remove, path, .system(Errno.isFolder)) }
      state.disk.change(folder, [name: nil])
    }
  }

  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try perform(.makeDirectory, path) { (state) throws(FileSystemError) in
      let (folder, name) = try state.place(path, .makeDirectory)
      guard state.nodes[folder]?.entries[name] == nil else {
        throw FileSystemError(.makeDirectory, path, .system(Errno.exists))
      }
      let node = state.disk.add(MemoryNode(kind: .directory, mode: mode, user: state.creator))
      state.disk.change(folder, [name: node])
    }
  }

  func removeDirectory(_ path: String) throws(FileSystemError) {
    try perform(.removeDirectory, path) { (state) throws(FileSystemError) in
      let (folder, name) = try state.place(path, .removeDirectory)
      let inside = try state.folder(path, .removeDirectory)
      guard state.nodes[inside]?.entries.isEmpty == true else {
        throw FileSystemError(.removeDirectory, path, .system(Errno.notEmpty))
      }
      state.disk.change(folder, [name: nil])
    }
  }

  func synchronizeFile(_ path: String) throws(FileSystemError) {
    try perform(.synchronize, path) { (state) throws(FileSystemError) in
      _ = try state.file(path, .synchronize)
      if let node = state.lookUp(path) { state.disk.synchronize(node) }
    }
  }

  func synchronizeDirectory(_ path: String) throws(FileSystemError) {
    try perform(.synchronize, path) { (state) throws(FileSystemError) in
      state.disk.synchronize(try state.folder(path, .synchronize))
    }
  }

  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    try perform(.lock, path) { (state) throws(FileSystemError) in
      let (folder, name) = try state.place(path, .lock, changes: false)
      let node: Int
      if let existing = state.nodes[folder]?.entries[name] {
        node = existing
      } else {
        _ = try state.place(path, .lock)
        node = state.disk.add(MemoryNode(kind: .regular, mode: mode, user: state.creator))
        state.disk.change(folder, [name: node])
      }
      guard state.locks[node] == nil else { throw FileSystemError(.lock, path, .busy(holder: state.processID)) }
      let handle = state.open(node, path)
      state.locks[node] = handle.number
      return handle
    }
  }
}

/// The error numbers the tests use, which are the same on every system they run on.
enum Errno {
  static let notPermitted: Int32 = 1
  static let noEntry: Int32 = 2
  static let interrupted: Int32 = 4
  static let inputOutput: Int32 = 5
  static let badHandle: Int32 = 9
  static let access: Int32 = 13
  static let busy: Int32 = 16
  static let exists: Int32 = 17
  static let otherDisk: Int32 = 18
  static let notFolder: Int32 = 20
  static let isFolder: Int32 = 21
  static let invalid: Int32 = 22
  static let tooManyFiles: Int32 = 24
  static let noSpace: Int32 = 28
  static let readOnly: Int32 = 30
  #if canImport(Darwin)
    static let notEmpty: Int32 = 66
    static let tooManyLinks: Int32 = 62
    static let nameTooLong: Int32 = 63
    static let quota: Int32 = 69
  #else
    static let notEmpty: Int32 = 39
    static let tooManyLinks: Int32 = 40
    static let nameTooLong: Int32 = 36
    static let quota: Int32 = 122
  #endif
}
