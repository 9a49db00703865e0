import Carryover
import CarryoverSystem

/// The destination of a path, and the file system to reach it: this machine's, or one that includes the files of an
/// archive or of an app in a backup.
struct Place {
  /// The file system to read the path with.
  var fileSystem: any FileSystem
  /// The resolved path.
  var path: String
  /// The trees on the path, outermost first.
  var layers: [Layer] = []

  /// An archive, or an app of a backup, on a path.
  struct Layer {
    var form: ContainerWrapper.Form
    /// The path of the archive or the backup.
    var path: String
    /// The files, mounted at their place.
    var tree: TreeFileSystem
  }

  /// The read-only archive or backup on the disk; nil if there is none on the path.
  var wrapper: ContainerWrapper? { layers.first.map { ContainerWrapper($0.form, path: $0.path) } }

  /// Whether the innermost layer of the path is an archive.
  var isInArchive: Bool { layers.last?.form == .archive }

  /// Notices about the archives and backups on the path, each as a sentence.
  var notices: [String] { layers.flatMap(\.tree.tree.notices) }

  /// Another path in the same file system.
  func at(_ path: String) -> Place {
    var place = self
    place.path = path
    return place
  }

  /// The same place with the files of an archive or an app mounted at a path, which the place then refers to.
  func entering(_ tree: FileTree, at mount: String, _ form: ContainerWrapper.Form, path: String) -> Place {
    let mounted = TreeFileSystem(base: fileSystem, mount: mount, tree: tree)
    return Place(
      fileSystem: mounted, path: mount, layers: layers + [Layer(form: form, path: path, tree: mounted)])
  }
}
