/// A file system in memory that counts and logs what it is asked, can fail or crash at the n-th operation, and knows
/// which of its contents have reached the disk.
///
/// Paths are absolute. Helpers that are not part of `FileSystem` are neither counted nor logged nor failed.
final class MemoryFileSystem: FileSystem {
  let state: Locked<MemoryState>

  /// An empty file system whose process is `user`; only the user 0 can give files away.
  init(user: UInt32 = 501) { state = Locked(MemoryState(user: user)) }

  init(copying other: MemoryFileSystem) { state = Locked(other.state.withLock { $0 }) }

  init(copying other: MemoryFileSystem, disk: MemoryDisk) {
    state = Locked(other.state.withLock { $0 })
    restart(with: disk)
  }

  var user: UInt32 { state.withLock { $0.user } }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    try perform(.read, path) { (state) throws(FileSystemError) in
      let node = try state.file(path, .read)
      guard node.mode & 0o400 != 0 || state.user == 0 else { throw FileSystemError(.read, path, .system(EACCES)) }
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
      var names: [String] = []
      for name in FilePath.components(path) where name != "." {
        if name == ".." { _ = names.popLast() } else { names.append(name) }
      }
      let resolved = "/" + names.joined(separator: "/")
      guard !path.isEmpty, state.lookUp(resolved) != nil else { throw FileSystemError(.inspect, path, .system(ENOENT)) }
      return resolved
    }
  }

  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try perform(.create, path) { (state) throws(FileSystemError) in
      let (folder, name) = try state.place(path, .create)
      guard state.nodes[folder]?.entries[name] == nil else { throw FileSystemError(.create, path, .system(EEXIST)) }
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
        throw FileSystemError(.setOwner, handle.path, .system(EPERM))
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
        throw FileSystemError(.rename, source, .system(ENOENT))
      }
      let standing = state.nodes[folder]?.entries[name]
      guard mode == .replacing || state.hasRenameModes else { throw FileSystemError(.rename, source, .unsupported) }
      switch mode {
      case .replacing: break
      case .exclusive:
        guard standing == nil else { throw FileSystemError(.rename, source, .system(EEXIST)) }
      case .exchanging:
        guard standing != nil else { throw FileSystemError(.rename, source, .system(ENOENT)) }
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
      guard let node = state.nodes[folder]?.entries[name] else { throw FileSystemError(.remove, path, .system(ENOENT)) }
      guard state.nodes[node]?.kind != .directory else { throw FileSystemError(.remove, path, .system(EISDIR)) }
      state.disk.change(folder, [name: nil])
    }
  }

  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try perform(.makeDirectory, path) { (state) throws(FileSystemError) in
      let (folder, name) = try state.place(path, .makeDirectory)
      guard state.nodes[folder]?.entries[name] == nil else {
        throw FileSystemError(.makeDirectory, path, .system(EEXIST))
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
        throw FileSystemError(.removeDirectory, path, .system(ENOTEMPTY))
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

  func perform<Result: Sendable>(
    _ operation: FileSystemError.Operation, _ path: String, destination: String? = nil, payload: [UInt8] = [],
    _ body: (inout MemoryState) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    try state.withLock { (state) throws(FileSystemError) in
      guard !state.crashed else { throw FileSystemError(operation, path, .system(EIO)) }
      var fault: FaultPlan.Fault?
      if state.plan.only?.contains(operation) ?? true {
        state.plan.counted += 1
        state.plan.intrusions[state.plan.counted]?(&state)
        fault = state.plan.faults[state.plan.counted]
      }
      if let dead = state.plan.deadFrom, state.plan.counted >= dead.operation, operation.writes {
        fault = .error(dead.error)
      }
      state.log.append(LoggedOperation(operation: operation, path: path, destination: destination, payload: payload))
      defer { if state.plan.keepsDisks, operation.writes { state.disks.append((state.plan.counted, state.disk)) } }
      switch fault {
      case nil:
        return try body(&state)
      case .error(let number):
        if operation == .close { _ = try body(&state) }
        if operation == .synchronize, let node = state.lookUp(path) { state.disk.failSynchronization(node) }
        throw FileSystemError(operation, path, .system(number))
      case .errorAfter(let number):
        _ = try body(&state)
        throw FileSystemError(operation, path, .system(number))
      case .unsupported:
        throw FileSystemError(operation, path, .unsupported)
      case .ignored:
        if let done = () as? Result { return done }
        return try body(&state)
      case .partialWrite(let count, let number):
        if operation == .write, let node = state.lookUp(path) { state.nodes[node]?.bytes += payload.prefix(count) }
        throw FileSystemError(operation, path, .system(number))
      case .lostBytes(let count):
        guard operation == .write, let node = state.lookUp(path) else { return try body(&state) }
        let whole = state.nodes[node]?.bytes ?? []
        let result = try body(&state)
        state.nodes[node]?.bytes = whole + payload.prefix(count)
        return result
      case .crashBefore:
        state.crashed = true
        throw FileSystemError(operation, path, .system(EIO))
      case .crashAfter:
        state.crashed = true
        _ = try body(&state)
        throw FileSystemError(operation, path, .system(EIO))
      }
    }
  }

  func arm(_ plan: FaultPlan = FaultPlan()) {
    state.withLock {
      $0.plan = plan
      $0.log = []
      $0.disks = []
    }
  }

  /// Starts the machine again after a crash: handles and locks are gone.
  /// - Parameter disk: what a loss of power has left; nil where the power stayed.
  func restart(with disk: MemoryDisk? = nil) {
    state.withLock {
      $0.crashed = false
      $0.handles = [:]
      $0.locks = [:]
      $0.plan = FaultPlan()
      $0.log = []
      $0.disks = []
      if let disk { $0.disk = disk }
    }
  }

  /// Starts the machine again after a crash, without anything that had not been brought to the disk where the power was
  /// lost.
  func restart(afterPowerLoss: Bool) {
    restart(with: afterPowerLoss ? disk.image(keeping: { _ in false }, contents: [:]) : nil)
  }

  func takeRenameModesAway() { state.withLock { $0.hasRenameModes = false } }

  var disk: MemoryDisk { state.withLock { $0.disk } }
  var disks: [(operation: Int, disk: MemoryDisk)] { state.withLock { $0.disks } }

  var crashed: Bool { state.withLock { $0.crashed } }
  var counted: Int { state.withLock { $0.plan.counted } }
  var log: [LoggedOperation] { state.withLock { $0.log } }

  /// Puts a file and its folders there, as if it had always been on the disk.
  func put(_ path: String, _ bytes: [UInt8], mode: UInt32 = 0o644, user: UInt32? = nil, links: UInt64 = 1) {
    state.withLock { $0.put(path, bytes, mode: mode, user: user, links: links) }
  }

  func putFolder(_ path: String, mode: UInt32 = 0o755) {
    state.withLock { state in
      let node = state.putFolder(path)
      state.nodes[node]?.mode = mode
      state.disk.synchronize(node)
    }
  }

  func putLink(_ path: String) {
    state.withLock { state in
      state.put(path, [], mode: 0o777, user: nil, links: 1)
      if let node = state.lookUp(path) {
        state.nodes[node]?.kind = .symbolicLink
        state.disk.synchronize(node)
      }
    }
  }

  func bytes(_ path: String) -> [UInt8]? {
    state.withLock { state in state.lookUp(path).flatMap { state.nodes[$0] }.map(\.bytes) }
  }

  func tree(_ root: String, excluding: String? = nil) -> [String: TreeEntry] { disk.tree(root, excluding: excluding) }
}

extension MemoryState {
  mutating func putFolder(_ path: String) -> Int {
    var folder = MemoryDisk.root
    for name in FilePath.components(path) {
      if let next = nodes[folder]?.entries[name] {
        folder = next
      } else {
        let next = disk.add(MemoryNode(kind: .directory, mode: 0o755, user: user))
        disk.change(folder, [name: next])
        disk.synchronize(folder)
        disk.synchronize(next)
        folder = next
      }
    }
    return folder
  }

  mutating func put(_ path: String, _ bytes: [UInt8], mode: UInt32, user owner: UInt32?, links: UInt64) {
    var names = FilePath.components(path)
    guard let name = names.popLast() else { return }
    let folder = putFolder(names.joined(separator: "/"))
    var node = MemoryNode(kind: .regular, mode: mode, user: owner ?? user)
    node.bytes = bytes
    node.links = links
    let number = disk.add(node)
    disk.change(folder, [name: number])
    disk.synchronize(number)
    disk.synchronize(folder)
  }
}
