import CarryoverSystem

/// Paths inside a folder that somebody else has filled.
enum ContainerPath {
  /// The components of a relative path.
  /// - Throws: `unsafePath` for one that is absolute, empty, or has a component that is empty, `.`, `..` or holds a null
  ///   byte, at which the system would cut it off.
  static func components(_ path: String) throws(RunError) -> [String] {
    let components = FilePath.components(path, omittingEmpty: false)
    for component in components {
      guard !component.isEmpty, component != ".", component != "..", !component.utf8.contains(0) else {
        throw .unsafePath(path, .malformed)
      }
    }
    return components
  }

  /// A path on this machine for one relative to a folder, after a look at every folder on the way: none may be a link.
  ///
  /// This look is there to refuse such a container with a sentence of its own, before anything is written. Somebody who
  /// can write to the container may still put a link there between the look and the use of the path; what keeps the use
  /// inside is the file system, which a run confines to the container (``FileSystem/confined(to:)``).
  static func resolve(
    _ path: String, in root: String, _ fileSystem: some FileSystem
  ) throws(RunError) -> ResolvedPath {
    let components = try components(path)
    var absolute = root
    var missing: [String] = []
    var relative: [String] = []
    for component in components.dropLast() {
      absolute += "/" + component
      relative.append(component)
      switch try status(absolute, for: path, fileSystem)?.kind {
      case nil: missing.append(relative.joined(separator: "/"))
      case .directory: break
      case .symbolicLink: throw .unsafePath(path, .throughLink)
      default: throw .unsafePath(path, .wrongKind)
      }
    }
    let folder = absolute
    absolute += "/" + (components.last ?? "")
    let status = missing.isEmpty ? try status(absolute, for: path, fileSystem) : nil
    switch status?.kind {
    case nil, .regular: break
    case .symbolicLink: throw .unsafePath(path, .isLink)
    default: throw .unsafePath(path, .wrongKind)
    }
    return ResolvedPath(
      relative: path, absolute: absolute, folder: folder, name: components.last ?? "", missingFolders: missing,
      status: status)
  }

  private static func status(
    _ path: String, for relative: String, _ fileSystem: some FileSystem
  ) throws(RunError) -> FileStatus? {
    do {
      return try fileSystem.status(path)
    } catch {
      if case .unsafe(let problem) = error.reason { throw .unsafePath(relative, problem) }
      throw .file(error, .nothingChanged)
    }
  }
}

/// A path that was looked at, component by component.
struct ResolvedPath {
  /// The path relative to the container's root.
  var relative: String
  /// The path on this machine.
  var absolute: String
  /// The folder it stands in, on this machine.
  var folder: String
  /// The last component.
  var name: String
  /// The folders on the way that are not there, relative to the root, outermost first.
  var missingFolders: [String]
  /// The attributes of the file; nil where there is none.
  var status: FileStatus?
}
