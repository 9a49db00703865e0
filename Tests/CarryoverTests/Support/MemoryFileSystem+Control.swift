import Carryover
import Synchronization

/// What stands at one path, for comparing whole trees.
enum TreeEntry: Equatable {
  case folder(mode: UInt32)
  case file(mode: UInt32, user: UInt32, bytes: [UInt8])
  case link
}

extension MemoryFileSystem {
  /// Carries out one operation under the plan of faults.
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
      switch fault {
      case nil:
        return try body(&state)
      case .error(let number):
        throw FileSystemError(operation, path, .system(number))
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
    }
  }

  /// Starts the machine again after a crash: handles and locks are gone. After a loss of power, so is everything that
  /// had not been brought to the disk.
  func restart(afterPowerLoss: Bool = false) {
    state.withLock {
      $0.crashed = false
      $0.handles = [:]
      $0.locks = [:]
      $0.plan = FaultPlan()
      $0.log = []
      if afterPowerLoss { $0.loseWhatIsNotDurable() }
    }
  }

  /// Makes the disk forget everything it is asked to keep from here on.
  func ignoreSynchronization() { state.withLock { $0.ignoresSynchronization = true } }

  /// Whether a planned crash has struck.
  var crashed: Bool { state.withLock { $0.crashed } }
  /// How many operations were counted since the last `arm`.
  var counted: Int { state.withLock { $0.plan.counted } }
  /// The operations since the last `arm`.
  var log: [LoggedOperation] { state.withLock { $0.log } }

  /// Puts a file and its folders there, as if it had always been on the disk.
  func put(_ path: String, _ bytes: [UInt8], mode: UInt32 = 0o644, user: UInt32? = nil, links: UInt64 = 1) {
    state.withLock { $0.put(path, bytes, mode: mode, user: user, links: links) }
  }

  /// Puts a folder there.
  func putFolder(_ path: String, mode: UInt32 = 0o755) {
    state.withLock { state in
      let node = state.putFolder(path)
      state.nodes[node]?.mode = mode
      state.makeDurable(node)
    }
  }

  /// Puts a symbolic link there.
  func putLink(_ path: String) {
    state.withLock { state in
      state.put(path, [], mode: 0o777, user: nil, links: 1)
      if let node = state.lookUp(path) {
        state.nodes[node]?.kind = .symbolicLink
        state.makeDurable(node)
      }
    }
  }

  /// The bytes of a file; nil where there is none.
  func bytes(_ path: String) -> [UInt8]? {
    state.withLock { state in state.lookUp(path).flatMap { state.nodes[$0] }.map(\.bytes) }
  }

  /// Everything below a folder, by path relative to it, leaving out what stands below `excluding`.
  func tree(_ root: String, excluding: String? = nil) -> [String: TreeEntry] {
    state.withLock { state in
      var result: [String: TreeEntry] = [:]
      var open: [(String, Int)] = state.lookUp(root).map { [("", $0)] } ?? []
      while let (path, number) = open.popLast() {
        guard let node = state.nodes[number], path != excluding else { continue }
        switch node.kind {
        case .directory:
          result[path] = .folder(mode: node.mode)
          open += node.entries.map { (path.isEmpty ? $0.key : path + "/" + $0.key, $0.value) }
        case .regular: result[path] = .file(mode: node.mode, user: node.user, bytes: node.bytes)
        default: result[path] = .link
        }
      }
      return result
    }
  }
}

extension MemoryState {
  /// Goes back to what had reached the disk. A name that got there before its file leads to an empty one.
  mutating func loseWhatIsNotDurable() {
    var orphans: [Int] = []
    for node in durable.values {
      orphans += node.entries.values.filter { durable[$0] == nil }
    }
    for number in orphans {
      guard var node = nodes[number] else { continue }
      node.bytes = []
      node.entries = [:]
      durable[number] = node
    }
    nodes = durable
  }

  mutating func putFolder(_ path: String) -> Int {
    var folder = Self.root
    for name in path.split(separator: "/").map(String.init) {
      if let next = nodes[folder]?.entries[name] {
        folder = next
      } else {
        let next = add(MemoryNode(kind: .directory, mode: 0o755, user: user))
        nodes[folder]?.entries[name] = next
        makeDurable(folder)
        makeDurable(next)
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
    let number = add(node)
    nodes[folder]?.entries[name] = number
    makeDurable(number)
    makeDurable(folder)
  }
}
