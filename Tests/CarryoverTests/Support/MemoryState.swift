import Carryover

/// What stands on the disk of a `MemoryFileSystem`, and what of it would survive a loss of power.
struct MemoryState: Sendable {
  static let root = 1

  var nodes: [Int: MemoryNode] = [root: MemoryNode(kind: .directory, mode: 0o755, user: 0)]
  /// What reached the disk, by node: missing for a node that never did.
  var durable: [Int: MemoryNode] = [root: MemoryNode(kind: .directory, mode: 0o755, user: 0)]
  var handles: [Int32: Int] = [:]
  var locks: [Int: Int32] = [:]
  var user: UInt32
  var processID: Int32 = 4711
  var log: [LoggedOperation] = []
  var plan = FaultPlan()
  var crashed = false
  /// A disk that says yes and keeps nothing, to show that the checks notice.
  var ignoresSynchronization = false
  private var nextNode = root + 1
  private var nextHandle: Int32 = 3

  init(user: UInt32) { self.user = user }

  /// Adds a node that no folder holds yet.
  mutating func add(_ node: MemoryNode) -> Int {
    let number = nextNode
    nextNode += 1
    nodes[number] = node
    return number
  }

  mutating func open(_ node: Int, _ path: String) -> FileHandle {
    let number = nextHandle
    nextHandle += 1
    handles[number] = node
    return FileHandle(number: number, path: path)
  }

  mutating func makeDurable(_ node: Int) {
    if !ignoresSynchronization { durable[node] = nodes[node] }
  }

  /// The node at a path; a link is not followed anywhere.
  func lookUp(_ path: String) -> Int? {
    var node = Self.root
    for name in path.split(separator: "/") {
      guard let next = nodes[node]?.entries[String(name)] else { return nil }
      node = next
    }
    return node
  }

  func status(of node: MemoryNode) -> FileStatus {
    FileStatus(
      kind: node.kind, mode: node.mode, user: node.user, group: node.group, size: Int64(node.bytes.count),
      links: node.links)
  }

  func file(_ path: String, _ operation: FileSystemError.Operation) throws(FileSystemError) -> MemoryNode {
    guard let node = lookUp(path).flatMap({ nodes[$0] }) else {
      throw FileSystemError(operation, path, .system(Errno.noEntry))
    }
    guard node.kind == .regular else { throw FileSystemError(operation, path, .notRegular(node.kind)) }
    return node
  }

  func folder(_ path: String, _ operation: FileSystemError.Operation) throws(FileSystemError) -> Int {
    guard let number = lookUp(path) else { throw FileSystemError(operation, path, .system(Errno.noEntry)) }
    guard nodes[number]?.kind == .directory else { throw FileSystemError(operation, path, .system(Errno.notFolder)) }
    return number
  }

  /// The folder a path's last component stands in, which must be writable where the folder is to change.
  func place(
    _ path: String, _ operation: FileSystemError.Operation, changes: Bool = true
  ) throws(FileSystemError) -> (folder: Int, name: String) {
    var names = path.split(separator: "/").map(String.init)
    guard let name = names.popLast() else { throw FileSystemError(operation, path, .system(Errno.exists)) }
    guard let number = lookUp(names.joined(separator: "/")) else {
      throw FileSystemError(operation, path, .system(Errno.noEntry))
    }
    guard let folder = nodes[number], folder.kind == .directory else {
      throw FileSystemError(operation, path, .system(Errno.notFolder))
    }
    guard !changes || folder.mode & 0o200 != 0 || user == 0 else {
      throw FileSystemError(operation, path, .system(Errno.access))
    }
    return (number, name)
  }

  func node(_ handle: FileHandle, _ operation: FileSystemError.Operation) throws(FileSystemError) -> Int {
    guard let node = handles[handle.number] else {
      throw FileSystemError(operation, handle.path, .system(Errno.badHandle))
    }
    return node
  }
}

/// A file, folder or link.
struct MemoryNode: Equatable {
  var kind: FileKind
  var mode: UInt32
  var user: UInt32
  var group: UInt32
  var bytes: [UInt8] = []
  var entries: [String: Int] = [:]
  var links: UInt64 = 1

  init(kind: FileKind, mode: UInt32, user: UInt32) {
    self.kind = kind
    self.mode = mode
    self.user = user
    self.group = user
  }
}

/// One operation as it was asked for: enough to build the disk images a loss of power could leave.
struct LoggedOperation: Equatable {
  var operation: FileSystemError.Operation
  var path: String
  var destination: String?
  var payload: [UInt8] = []
}

extension FileSystemError.Operation {
  /// Whether the operation can change a disk; asking for a durable write counts.
  var writes: Bool {
    switch self {
    case .read, .list, .inspect, .close: false
    default: true
    }
  }
}

/// What is to go wrong, and when. Operations are counted from 1.
struct FaultPlan: Sendable {
  /// What happens at an operation.
  enum Fault: Equatable, Sendable {
    /// It changes nothing and reports this error number.
    case error(Int32)
    /// A write takes only this many bytes and then reports the error; another operation only reports it.
    case partialWrite(count: Int, Int32)
    /// A write takes only this many bytes and reports success.
    case lostBytes(count: Int)
    /// The process dies before it has any effect.
    case crashBefore
    /// The process dies as soon as it has had its effect.
    case crashAfter
  }

  /// The faults, by the number of the operation they strike.
  var faults: [Int: Fault] = [:]
  /// From this operation on, everything that writes fails with the error number.
  var deadFrom: (operation: Int, error: Int32)?
  /// What somebody else does just before an operation.
  var intrusions: [Int: @Sendable (inout MemoryState) -> Void] = [:]
  /// Faults strike only these operations, and only these are counted; all where nil.
  var only: Set<FileSystemError.Operation>?
  var counted = 0
}
