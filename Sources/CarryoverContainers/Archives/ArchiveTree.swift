/// The tree of an archive while its entries are added, in any order.
///
/// Two names that differ only in the encoding of their accents are equal, as on the systems that create containers.
struct ArchiveTree {
  private(set) var tree = FileTree()
  private let limits: ArchiveLimits
  private var count = 0
  private var nameBytes = 0

  init(limits: ArchiveLimits) { self.limits = limits }

  /// Adds an entry and its parent folders.
  mutating func add(_ path: String, _ node: FileTree.Node) throws(ArchiveRefusal) {
    // The archive's own root may be listed, but already exists.
    if path.isEmpty { return }
    try addFolders(above: path)
    switch (tree.node(path), node) {
    case (nil, _): try addOne(path, node)
    case (.folder?, .folder): break
    default: throw .repeatedName(path)
    }
  }

  /// Sets the content of a file, which is read after the file was added.
  mutating func fill(_ path: String, _ file: FileTree.File) { tree.replace(path, file) }

  private mutating func addFolders(above path: String) throws(ArchiveRefusal) {
    let parent = PathText.lastComponent(path) == path ? "" : PathText.parent(path)
    if case .folder? = tree.node(parent) { return }
    var folder = ""
    for name in PathText.components(path).dropLast() {
      folder = PathText.join(folder, name)
      switch tree.node(folder) {
      case .folder: break
      case nil: try addOne(folder, .folder([]))
      case .file, .link: throw .insideFile(path, file: folder)
      }
    }
  }

  private mutating func addOne(_ path: String, _ node: FileTree.Node) throws(ArchiveRefusal) {
    count += 1
    nameBytes += path.utf8.count
    guard count <= limits.entries else { throw .tooManyEntries(limit: limits.entries) }
    guard nameBytes <= limits.nameBytes else { throw .tooLongNames(limit: limits.nameBytes) }
    guard tree.add(path, node) else { throw .repeatedName(path) }
  }
}
