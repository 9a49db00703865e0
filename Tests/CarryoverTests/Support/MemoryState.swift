import Carryover
import CarryoverStorage
import CarryoverSystem

/// A `MemoryFileSystem` at one moment: its disk, the process that uses it, and what is to go wrong.
struct MemoryState: Sendable {
  var disk = MemoryDisk()
  var nodes: [Int: MemoryNode] {
    get { disk.nodes }
    _modify { yield &disk.nodes }
  }
  var handles: [Int32: Int] = [:]
  var locks: [Int: Int32] = [:]
  var user: UInt32
  /// Whom new files belong to, where the file system says so, as some network shares do.
  var owner: UInt32?
  var creator: UInt32 { owner ?? user }
  var processID: Int32 = 4711
  var log: [LoggedOperation] = []
  var plan = FaultPlan()
  var crashed = false
  /// The disk after each operation that wrote, with the operation's number, where the plan asks for it.
  var disks: [(operation: Int, disk: MemoryDisk)] = []
  var hasRenameModes = true
  private var nextHandle: Int32 = 3

  init(user: UInt32) { self.user = user }

  mutating func open(_ node: Int, _ path: String) -> OpenFile {
    let number = nextHandle
    nextHandle += 1
    handles[number] = node
    return OpenFile(number: number, path: path)
  }

  func lookUp(_ path: String) -> Int? { disk.lookUp(path) }

  func status(of node: MemoryNode) -> FileStatus {
    FileStatus(
      kind: node.kind, mode: node.mode, user: node.user, group: node.group, size: Int64(node.bytes.count),
      links: node.links, number: node.number)
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

  func node(_ handle: OpenFile, _ operation: FileSystemError.Operation) throws(FileSystemError) -> Int {
    guard let node = handles[handle.number] else {
      throw FileSystemError(operation, handle.path, .system(Errno.badHandle))
    }
    return node
  }
}
