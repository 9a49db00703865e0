import Carryover
import CarryoverSystem

/// Files that do not stand on the disk as files, by path: an archive's, or those of one app in a backup.
///
/// Paths are relative to the tree's root, whose own is empty; they have no empty, `.` and `..` components.
struct FileTree: Sendable {
  /// What stands at a path.
  enum Node: Sendable {
    /// A folder, with the names in it.
    case folder(Set<String>)
    /// A regular file.
    case file(File)
    /// A symbolic link, which nobody follows.
    case link(target: String)
  }

  /// A regular file.
  struct File: Sendable {
    /// Its size in bytes, as the archive or the backup says.
    var size: Int64
    /// Where its bytes are.
    var content: Content
  }

  /// Where the bytes of a file are.
  enum Content: Sendable {
    /// Here.
    case bytes([UInt8])
    /// In a file of the file system below.
    case file(String)
    /// Nowhere.
    case unavailable(FileSystemError.Reason)
  }

  /// The state of the archive's file that the tree is of; nil where it is of no archive.
  var archive: SourceFile.Version?
  private var nodes: [String: Node] = ["": .folder([])]

  /// A tree with nothing but its root.
  init() {}

  /// What stands at a path; nil where nothing does.
  func node(_ path: String) -> Node? { nodes[path] }

  /// Every path but the root's, with what stands there, by path.
  var entries: [(path: String, node: Node)] {
    nodes.filter { !$0.key.isEmpty }.map { (path: $0.key, node: $0.value) }
      .sorted { PathText.precedes($0.path, $1.path) }
  }

  /// Adds what stands at a path, with the folders on the way.
  /// - Returns: false where something stands there already, or no folder stands on the way; nothing was changed. A folder
  ///   may be added twice.
  mutating func add(_ path: String, _ node: Node) -> Bool {
    switch (nodes[path], node) {
    case (nil, _): break
    case (.folder?, .folder): return true
    default: return false
    }
    let folder = PathText.lastComponent(path) == path ? "" : PathText.parent(path)
    if nodes[folder] == nil, !add(folder, .folder([])) { return false }
    // Taken out before it changes: a copy of the names for each of them would make large folders slow.
    guard case .folder? = nodes[folder], case .folder(var names)? = nodes.updateValue(.folder([]), forKey: folder)
    else {
      return false
    }
    names.insert(PathText.lastComponent(path))
    nodes[folder] = .folder(names)
    nodes[path] = node
    return true
  }

  /// Puts a file in the place of one that stands at a path; nothing happens where none does.
  mutating func replace(_ path: String, _ file: File) {
    if case .file? = nodes[path] { nodes[path] = .file(file) }
  }
}
