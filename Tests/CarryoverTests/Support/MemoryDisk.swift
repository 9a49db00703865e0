import Carryover
import CarryoverStorage
import CarryoverSystem

/// A disk that can lose power: what everybody sees on it, what of that has been brought to it for good, and the changes
/// to folders in between.
///
/// It promises no more than the standard does: a name is on the disk when its folder was synchronized, bytes and
/// attributes are when the file was. Everything else may be there after a loss of power, or not, in any combination.
struct MemoryDisk: Sendable {
  static let root = 1

  var nodes: [Int: MemoryNode] = [root: MemoryNode(kind: .directory, mode: 0o755, user: 0)]
  /// What has reached the disk, by node, whether or not a name leads to it there.
  private(set) var durable: [Int: MemoryNode] = [root: MemoryNode(kind: .directory, mode: 0o755, user: 0)]
  private(set) var pending: [EntryChange] = []
  /// Files whose synchronization failed: the system has forgotten that their bytes were never written.
  private(set) var forgotten: Set<Int> = []
  private var nextNode = root + 1

  /// What one operation changed in one folder, which happens as a whole or not at all: nodes by name, nil for none.
  struct EntryChange: Sendable {
    var folder: Int
    var entries: [String: Int?]

    func apply(to nodes: inout [Int: MemoryNode]) { nodes[folder]?.entries.merge(self) }
  }

  /// Adds a node that no folder holds yet. Its attributes are part of its making.
  mutating func add(_ node: MemoryNode) -> Int {
    let number = nextNode
    nextNode += 1
    var node = node
    node.number = UInt64(number)
    nodes[number] = node
    var made = node
    made.bytes = []
    made.entries = [:]
    durable[number] = made
    return number
  }

  mutating func change(_ folder: Int, _ entries: [String: Int?]) {
    let change = EntryChange(folder: folder, entries: entries)
    change.apply(to: &nodes)
    pending.append(change)
  }

  /// Brings a file's bytes and attributes, or a folder's entries, to the disk.
  mutating func synchronize(_ number: Int) {
    guard var node = nodes[number], !forgotten.contains(number) else { return }
    if node.kind == .directory {
      node.entries = durable[number]?.entries ?? [:]
      for change in pending where change.folder == number { node.entries.merge(change) }
      pending.removeAll { $0.folder == number }
    }
    durable[number] = node
  }

  /// Whether a file's bytes and attributes are on the disk as everybody sees them.
  func isOnDisk(_ number: Int) -> Bool { nodes[number]?.kind == .regular && durable[number] == nodes[number] }

  /// A synchronization that failed: what it was to bring to the disk never gets there by asking again.
  mutating func failSynchronization(_ number: Int) {
    if nodes[number]?.kind == .regular { forgotten.insert(number) }
  }

  /// The disk after a loss of power at which these changes to folders had reached it, and these contents of files.
  func image(keeping isKept: (Int) -> Bool, contents: [Int: MemoryNode]) -> MemoryDisk {
    var image = self
    image.nodes = durable
    for (index, change) in pending.enumerated() where isKept(index) { change.apply(to: &image.nodes) }
    image.nodes.merge(contents) { $1 }
    image.durable = image.nodes
    image.pending = []
    image.forgotten = []
    return image
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

  /// Everything below a folder, by path relative to it, leaving out what stands below `excluding`.
  func tree(_ root: String, excluding: String? = nil) -> [String: TreeEntry] {
    var result: [String: TreeEntry] = [:]
    var open: [(String, Int)] = lookUp(root).map { [("", $0)] } ?? []
    while let (path, number) = open.popLast() {
      guard let node = nodes[number], path != excluding else { continue }
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

extension [String: Int] {
  fileprivate mutating func merge(_ change: MemoryDisk.EntryChange) {
    for (name, node) in change.entries { self[name] = node }
  }
}

struct MemoryNode: Equatable, Sendable {
  var kind: FileKind
  var mode: UInt32
  var user: UInt32
  var group: UInt32
  var bytes: [UInt8] = []
  var entries: [String: Int] = [:]
  var links: UInt64 = 1
  /// The number that `status` tells.
  var number: UInt64 = 0

  init(kind: FileKind, mode: UInt32, user: UInt32) {
    self.kind = kind
    self.mode = mode
    self.user = user
    self.group = user
  }
}

enum TreeEntry: Hashable {
  case folder(mode: UInt32)
  case file(mode: UInt32, user: UInt32, bytes: [UInt8])
  case link
}
