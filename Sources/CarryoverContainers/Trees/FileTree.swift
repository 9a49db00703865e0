import Carryover
import CarryoverSystem

/// The files of an archive, or of an app in a backup, by path, relative to the tree's root, whose path is empty. Paths
/// have no empty, `.` or `..` components.
struct FileTree: Sendable {
  enum Node: Sendable {
    case folder(Set<String>)
    case file(File)
    /// A symbolic link, which is never followed.
    case link(target: String)
  }

  struct File: Sendable {
    var size: Int64
    var content: Content
  }

  enum Content: Sendable {
    case bytes([UInt8])
    /// In a file of the underlying file system.
    case file(String)
    case unavailable(FileSystemError.Reason)
  }

  var archive: SourceFile.Version?
  var notices: [String] = []
  private var nodes: [String: Node] = ["": .folder([])]

  func node(_ path: String) -> Node? { nodes[path] }

  var entries: [(path: String, node: Node)] { entries(below: "") }

  /// The items below a folder, sorted by path.
  func entries(below folder: String) -> [(path: String, node: Node)] {
    var found: [(path: String, node: Node)] = []
    var folders = [folder]
    while let folder = folders.popLast() {
      guard case .folder(let names)? = nodes[folder] else { continue }
      for name in names {
        // Uses the item's own path: equal strings may have different bytes.
        guard let place = nodes.index(forKey: PathText.join(folder, name)) else { continue }
        found.append((nodes[place].key, nodes[place].value))
        folders.append(nodes[place].key)
      }
    }
    return found.sorted { PathText.precedes($0.path, $1.path) }
  }

  /// Adds an item at a path, and its parent folders. A folder may be added twice.
  /// - Returns: false, without a change, if there is an item at the path or a parent is not a folder.
  mutating func add(_ path: String, _ node: Node) -> Bool {
    switch (nodes[path], node) {
    case (nil, _): break
    case (.folder?, .folder): return true
    default: return false
    }
    let folder = FilePath.name(of: path) == path ? "" : PathText.parent(path)
    if nodes[folder] == nil, !add(folder, .folder([])) { return false }
    // Removed before it changes: otherwise, each change would copy all names of the folder.
    guard case .folder? = nodes[folder], case .folder(var names)? = nodes.updateValue(.folder([]), forKey: folder)
    else { return false }
    names.insert(FilePath.name(of: path))
    nodes[folder] = .folder(names)
    nodes[path] = node
    return true
  }

  mutating func replace(_ path: String, _ file: File) {
    if case .file? = nodes[path] { nodes[path] = .file(file) }
  }
}

/// A file system with a tree of files mounted at a path, so that archives and backups are read like containers on the
/// disk. The tree is read-only. All other paths belong to the underlying file system.
struct TreeFileSystem: FileSystemLayer {
  /// The underlying file system, which also has the files that a tree refers to.
  let base: any FileSystem
  let mount: String
  let tree: FileTree

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    guard let place = place(of: path) else { return try base.read(path, limit: limit) }
    guard let node = tree.node(place) else { throw FileSystemError(.read, path, Self.nothing) }
    guard case .file(let file) = node else { throw FileSystemError(.read, path, .notRegular(node.kind)) }
    let bytes: [UInt8]
    switch file.content {
    case .bytes(let held): bytes = held
    case .file(let below):
      bytes = try converting(try base.read(below, limit: limit).bytes, Self.naming(path))
    case .unavailable(let reason): throw FileSystemError(.read, path, reason)
    }
    guard bytes.count <= limit else { throw FileSystemError(.read, path, .tooLarge(limit: limit)) }
    return FileImage(bytes: bytes, status: status(of: node))
  }

  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    guard let place = place(of: path) else { return try base.read(path, from: offset, count: count) }
    guard case .file(let file)? = tree.node(place), case .file(let below) = file.content else {
      return Array(try read(path, limit: .max).bytes.dropFirst(max(0, offset)).prefix(max(0, count)))
    }
    return try converting(try base.read(below, from: offset, count: count), Self.naming(path))
  }

  func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    guard let place = place(of: path) else { return try base.status(path) }
    return tree.node(place).map(status)
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    guard let place = place(of: path) else { return try base.list(path) }
    switch tree.node(place) {
    case .folder(let names): return names.sorted(by: PathText.precedes)
    case nil: throw FileSystemError(.list, path, Self.nothing)
    default: throw FileSystemError(.list, path, .system(SystemErrorNumber.notFolder.number))
    }
  }

  func resolve(_ path: String) throws(FileSystemError) -> String {
    guard let place = place(of: path) else { return try base.resolve(path) }
    guard tree.node(place) != nil else { throw FileSystemError(.inspect, path, Self.nothing) }
    return PathText.join(mount, place)
  }

  // A handle always belongs to the underlying file system, because nothing in the tree is opened for writing.
  func check(_ path: String, _ operation: FileSystemError.Operation) throws(FileSystemError) {
    guard place(of: path) == nil else { throw FileSystemError(operation, path, .readOnlyTree) }
  }

  /// Makes an error name the path in the tree.
  private static func naming(_ path: String) -> (FileSystemError) -> FileSystemError {
    { FileSystemError(.read, path, $0.reason) }
  }

  private static let nothing = FileSystemError.Reason.system(SystemErrorNumber.noEntry.number)

  private func place(of path: String) -> String? {
    guard path.utf8.starts(with: mount.utf8) else { return nil }
    let rest = path.utf8.dropFirst(mount.utf8.count)
    guard rest.isEmpty || rest.first == FilePath.slash else { return nil }
    return FilePath.components(String(Substring(rest))).joined(separator: "/")
  }

  private func status(of node: FileTree.Node) -> FileStatus {
    var size: Int64 = 0
    if case .file(let file) = node { size = file.size }
    return FileStatus(
      kind: node.kind, mode: node.kind == .directory ? 0o500 : 0o400, user: base.user, group: 0, size: size, links: 1)
  }
}

extension FileTree.Node {
  var kind: FileKind {
    switch self {
    case .folder: .directory
    case .file: .regular
    case .link: .symbolicLink
    }
  }
}
