import CarryoverSystem

/// Paths in a folder with untrusted content.
enum ContainerPath {
  /// The components of a relative path.
  /// - Throws: `unsafePath` if the path is absolute or empty, or has a component that is empty, `.` or `..`, or
  ///   contains a null byte, at which the system would truncate it.
  static func components(_ path: String) throws(RunError) -> [String] {
    let components = FilePath.components(path, omittingEmpty: false)
    for component in components {
      guard !component.isEmpty, component != ".", component != "..", !component.utf8.contains(0) else {
        throw .unsafePath(path, .malformed)
      }
    }
    return components
  }

  /// The path on this machine for a path relative to a folder. Checks every folder on the way: none may be a link.
  ///
  /// This check refuses such a container with a clear message, before anything is written. It is not a protection:
  /// another process may create a link between the check and the use of the path. The file system protects the use,
  /// because a run confines it to the container (``FileSystem/confined(to:)``).
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

/// A path whose components were checked.
struct ResolvedPath {
  /// The path relative to the container's root.
  var relative: String
  /// The path on this machine.
  var absolute: String
  /// The file's folder, on this machine.
  var folder: String
  /// The last component.
  var name: String
  /// The missing folders on the path, relative to the root, outermost first.
  var missingFolders: [String]
  /// The attributes of the file; nil if it does not exist.
  var status: FileStatus?
}
