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

  mutating func synchronize(_ number: Int) {
    guard var node = nodes[number], !forgotten.contains(number) else { return }
    if node.kind == .directory {
      node.entries = durable[number]?.entries ?? [:]
      for change in pending where change.folder == number { node.entries.merge(change) }
      pending.removeAll { $0.folder == number }
    }
    durable[number] = node
  }

  func isOnDisk(_ number: Int) -> Bool { nodes[number]?.kind == .regular && durable[number] == nodes[number] }

  /// A synchronization that failed: what it was to bring to the disk never gets there by asking again.
  mutating func failSynchronization(_ number: Int) { if nodes[number]?.kind == .regular { forgotten.insert(number) } }

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

  func lookUp(_ path: String) -> Int? {
    var node = Self.root
    for name in FilePath.components(path) {
      guard let next = nodes[node]?.entries[name] else { return nil }
      node = next
    }
    return node
  }

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

  /// The disks that a loss of power at this moment could leave: every change to a folder that was not brought to the
  /// disk is there or not, whatever became of the others, and every file's bytes that were not are absent, cut short,
  /// zeroes or whole.
  ///
  /// Where there are more than `limit`, these stand for them: everything kept, everything lost, each one lost or kept
  /// alone, each content of each file, and a sample of `limit` others that is the same every time.
  func everyImage(limit: Int) -> [MemoryDisk] {
    let files = uncertainFiles
    let choices = pending.map { _ in 2 } + files.map(\.contents.count)
    // The first choice of each is: kept, whole. The last is: lost, absent.
    var selections: [[Int]] = []
    var total = 1
    for count in choices where total <= limit { total *= count }
    if total <= limit {
      selections = [[]]
      for count in choices { selections = selections.flatMap { chosen in (0..<count).map { chosen + [$0] } } }
    } else {
      let kept = choices.map { _ in 0 }
      let lost = choices.map { $0 - 1 }
      selections = [kept, lost]
      for (index, count) in choices.enumerated() {
        for choice in 0..<count {
          for var selection in [kept, lost] where selection[index] != choice {
            selection[index] = choice
            selections.append(selection)
          }
        }
      }
      var generator = SeededGenerator(seed: UInt64(choices.count))
      for _ in 0..<limit { selections.append(choices.map { Int(generator.next() % UInt64($0)) }) }
    }
    return selections.map { selection in
      let contents = zip(files, selection.dropFirst(pending.count)).map { ($0.number, $0.contents[$1]) }
      return image(keeping: { selection[$0] == 0 }, contents: Dictionary(uniqueKeysWithValues: contents))
    }
  }

  /// The files that may be found under some name and that are not on the disk as everybody sees them, with what may be
  /// there instead: all of it first, nothing of it last.
  private var uncertainFiles: [(number: Int, contents: [MemoryNode])] {
    var named = Set(pending.flatMap { $0.entries.values.compactMap(\.self) })
    for node in durable.values { named.formUnion(node.entries.values) }
    return named.sorted().compactMap { number in
      guard let seen = nodes[number], let old = durable[number], seen.kind == .regular else { return nil }
      guard seen != old else { return nil }
      var contents = [seen]
      if seen.bytes != old.bytes {
        var (zeroes, cut, unlabelled) = (seen, seen, seen)
        zeroes.bytes = seen.bytes.map { _ in 0 }
        cut.bytes = Array(seen.bytes.prefix(max(old.bytes.count, seen.bytes.count / 2)))
        (unlabelled.mode, unlabelled.user, unlabelled.group) = (old.mode, old.user, old.group)
        contents += [zeroes, cut]
        if unlabelled != seen { contents.append(unlabelled) }
      }
      return (number, contents + [old])
    }
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
      throw FileSystemError(operation, path, .system(ENOENT))
    }
    guard node.kind == .regular else { throw FileSystemError(operation, path, .notRegular(node.kind)) }
    return node
  }

  func folder(_ path: String, _ operation: FileSystemError.Operation) throws(FileSystemError) -> Int {
    guard let number = lookUp(path) else { throw FileSystemError(operation, path, .system(ENOENT)) }
    guard nodes[number]?.kind == .directory else { throw FileSystemError(operation, path, .system(ENOTDIR)) }
    return number
  }

  /// The folder a path's last component stands in, which must be writable where the folder is to change.
  func place(
    _ path: String, _ operation: FileSystemError.Operation, changes: Bool = true
  ) throws(FileSystemError) -> (folder: Int, name: String) {
    var names = FilePath.components(path)
    guard let name = names.popLast() else { throw FileSystemError(operation, path, .system(EEXIST)) }
    guard let number = lookUp(names.joined(separator: "/")) else {
      throw FileSystemError(operation, path, .system(ENOENT))
    }
    guard let folder = nodes[number], folder.kind == .directory else {
      throw FileSystemError(operation, path, .system(ENOTDIR))
    }
    guard !changes || folder.mode & 0o200 != 0 || user == 0 else {
      throw FileSystemError(operation, path, .system(EACCES))
    }
    return (number, name)
  }

  func node(_ handle: OpenFile, _ operation: FileSystemError.Operation) throws(FileSystemError) -> Int {
    guard let node = handles[handle.number] else {
      throw FileSystemError(operation, handle.path, .system(EBADF))
    }
    return node
  }
}
