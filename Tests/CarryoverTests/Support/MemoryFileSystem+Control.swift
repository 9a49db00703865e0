import Carryover
import CarryoverStorage
import CarryoverSystem

extension MemoryFileSystem {
  func perform<Result: Sendable>(
    _ operation: FileSystemError.Operation, _ path: String, destination: String? = nil, payload: [UInt8] = [],
    _ body: (inout MemoryState) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    try state.withLock { (state) throws(FileSystemError) in
      guard !state.crashed else { throw FileSystemError(operation, path, .system(Errno.inputOutput)) }
      var fault: FaultPlan.Fault?
      if state.plan.only?.contains(operation) ?? true {
        state.plan.counted += 1
        state.plan.intrusions[state.plan.counted]?(&state)
        fault = state.plan.faults[state.plan.counted]
      }
      if let dead = state.plan.deadFrom, state.plan.counted >= dead.operation, operation.writes {
        fault = .error(dead.error)
      }
      state.log.append(
        LoggedOperation(operation: operation, path: path, destination: destination, payload: payload))
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
        throw FileSystemError(operation, path, .system(Errno.inputOutput))
      case .crashAfter:
        state.crashed = true
        _ = try body(&state)
        throw FileSystemError(operation, path, .system(Errno.inputOutput))
      }
    }
  }

  /// Sets what goes wrong from here on, and starts counting and logging anew.
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

  /// Makes it a file system that can only rename by replacing.
  func takeRenameModesAway() { state.withLock { $0.hasRenameModes = false } }

  var disk: MemoryDisk { state.withLock { $0.disk } }
  /// The disk after each operation that wrote since the last `arm`, with the operation's number, where it was asked for.
  var disks: [(operation: Int, disk: MemoryDisk)] { state.withLock { $0.disks } }

  var crashed: Bool { state.withLock { $0.crashed } }
  /// How many operations were counted since the last `arm`.
  var counted: Int { state.withLock { $0.plan.counted } }
  /// The operations since the last `arm`.
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

  /// The bytes of a file; nil where there is none.
  func bytes(_ path: String) -> [UInt8]? {
    state.withLock { state in state.lookUp(path).flatMap { state.nodes[$0] }.map(\.bytes) }
  }

  /// Everything below a folder, by path relative to it, leaving out what stands below `excluding`.
  func tree(_ root: String, excluding: String? = nil) -> [String: TreeEntry] {
    disk.tree(root, excluding: excluding)
  }
}

extension MemoryState {
  mutating func putFolder(_ path: String) -> Int {
    var folder = MemoryDisk.root
    for name in path.split(separator: "/").map(String.init) {
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
    var names = path.split(separator: "/").map(String.init)
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
