import Carryover
import CarryoverSystem

/// Files that are not files on the disk, by path: those of an archive, or of an app in a backup.
///
/// Paths are relative to the tree's root, whose path is empty. They have no empty, `.` or `..` components.
struct FileTree: Sendable {
  /// An item at a path.
  enum Node: Sendable {
    /// A folder, with the names of its items.
    case folder(Set<String>)
    /// A regular file.
    case file(File)
    /// A symbolic link, which is never followed.
    case link(target: String)
  }

  /// A regular file.
  struct File: Sendable {
    /// The size in bytes, as the archive or the backup states it.
    var size: Int64
    /// The source of the bytes.
    var content: Content
  }

  /// The source of a file's bytes.
  enum Content: Sendable {
    /// In memory.
    case bytes([UInt8])
    /// In a file of the underlying file system.
    case file(String)
    /// Not available, for this reason.
    case unavailable(FileSystemError.Reason)
  }

  /// The state of the tree's archive file; nil if the tree is not from an archive.
  var archive: SourceFile.Version?
  /// Notices about the archive or the backup, each as a sentence.
  var notices: [String] = []
  private var nodes: [String: Node] = ["": .folder([])]

  /// A tree that contains only its root.
  init() {}

  /// The item at a path; nil if there is none.
  func node(_ path: String) -> Node? { nodes[path] }

  /// All items except the root, sorted by path.
  var entries: [(path: String, node: Node)] {
    nodes.filter { !$0.key.isEmpty }.map { (path: $0.key, node: $0.value) }
      .sorted { PathText.precedes($0.path, $1.path) }
  }

  /// Adds an item at a path, and its parent folders.
  /// - Returns: false, without a change, if there is already an item at the path or a parent is not a folder. A folder
  ///   may be added twice.
  mutating func add(_ path: String, _ node: Node) -> Bool {
    switch (nodes[path], node) {
    case (nil, _): break
    case (.folder?, .folder): return true
    default: return false
    }
    let folder = PathText.lastComponent(path) == path ? "" : PathText.parent(path)
    if nodes[folder] == nil, !add(folder, .folder([])) { return false }
    // Removed before it changes: otherwise, each change would copy all names of the folder.
    guard case .folder? = nodes[folder], case .folder(var names)? = nodes.updateValue(.folder([]), forKey: folder)
    else {
      return false
    }
    names.insert(PathText.lastComponent(path))
    nodes[folder] = .folder(names)
    nodes[path] = node
    return true
  }

  /// Replaces the file at a path, if there is one.
  mutating func replace(_ path: String, _ file: File) {
    if case .file? = nodes[path] { nodes[path] = .file(file) }
  }
}
