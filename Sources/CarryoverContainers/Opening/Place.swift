import Carryover
import CarryoverSystem

/// Where a path leads, and the file system through which it is reached: this machine's, or one with the files of an
/// archive or of an app in a backup in it.
struct Place {
  /// The file system through which the path is read.
  var fileSystem: any FileSystem
  /// The path in its one spelling.
  var path: String
  /// The trees on the way, outermost first.
  var layers: [Layer] = []

  /// An archive or an app of a backup that a path leads through.
  struct Layer {
    var form: ContainerWrapper.Form
    /// The archive's path, or the backup's.
    var path: String
    /// The files, where they stand.
    var tree: TreeFileSystem
  }

  /// What stands on the disk and is only read; nil where no archive and no backup is on the way.
  var wrapper: ContainerWrapper? { layers.first.map { ContainerWrapper($0.form, path: $0.path) } }

  /// Whether the innermost of what the path leads through is an archive.
  var isInArchive: Bool { layers.last?.form == .archive }

  /// Another path, reached the same way.
  func at(_ path: String) -> Place {
    var place = self
    place.path = path
    return place
  }

  /// The same with the files of an archive or an app in the place of a path, which it then leads to.
  func entering(_ tree: FileTree, at mount: String, _ form: ContainerWrapper.Form, path: String) -> Place {
    let mounted = TreeFileSystem(base: fileSystem, mount: mount, tree: tree)
    return Place(
      fileSystem: mounted, path: mount, layers: layers + [Layer(form: form, path: path, tree: mounted)])
  }
}
