import CarryoverSystem
import PropertyLists

/// The files of a container that a run may change: its stores, and files that a recipe could create beside them.
///
/// A journal or a record may be malicious. Nothing outside of this scope is created, replaced or removed.
struct RunScope {
  let root: String
  private let kind: ContainerKind
  private let names: Set<StringByBytes>
  private let dataFolder: String
  private let bundleIDs: Set<String>
  private let stores: Set<StringByBytes>
  private let suites: [NameTemplate]

  /// - Parameter recorded: the container as the user's own run recorded it. The neighbours of a property list have
  ///   other names, and the bundle identifier may have been an option.
  init(_ container: Container, _ recorded: RecordedContainer? = nil) {
    root = container.root
    kind = container.kind
    names = Set(bytesOf: [container.name, recorded?.name].compactMap { $0 }).union(container.companions)
    dataFolder = container.dataFolder
    bundleIDs = Set([container.bundleID, recorded?.bundleID].compactMap { $0 })
    stores = Set(bytesOf: container.stores.map(\.path))
    suites = container.companionSuites
  }

  func allows(_ path: String) -> Bool {
    guard let components = try? ContainerPath.components(path), let last = components.last,
      !components.contains(where: { $0.utf8.first == UInt8(ascii: ".") })
    else { return false }
    return stores.contains(path) || (kind == .propertyList ? isCompanion(components) : isStore(components, last))
  }

  func resolve(_ path: String, _ fileSystem: any FileSystem) throws(RunError) -> ResolvedPath {
    guard allows(path) else { throw .outsideStores(path) }
    return try ContainerPath.resolve(path, in: root, fileSystem)
  }

  /// Resolves a folder that was created for a file and may be missing again.
  func resolve(folder: String, onTheWayTo path: String, _ fileSystem: any FileSystem) throws(RunError) -> ResolvedPath {
    guard allows(path), path.utf8.starts(with: (folder + "/").utf8) else { throw .outsideStores(path) }
    // A name that no run gives a file or a folder.
    return try ContainerPath.resolve(folder + "/.carryover-none", in: root, fileSystem)
  }

  func check(_ paths: [String]) throws(RunError) {
    for path in paths where !allows(path) { throw .outsideStores(path) }
  }

  /// Whether it is the property list itself, or a file beside it whose name belongs to the same app.
  private func isCompanion(_ components: [String]) -> Bool {
    guard components.count == 1 else { return false }
    let name = components[0]
    if names.contains(name) { return true }
    let owners = suites.flatMap { $0.readings(ofFileName: name) }.compactMap { $0[NameTemplate.bundleID] }
    guard !bundleIDs.isEmpty else { return !owners.isEmpty }
    return owners.contains(where: bundleIDs.contains) || bundleIDs.contains { $0 + NameTemplate.fileExtension == name }
  }

  /// Whether it is a property list in one of the folders with an app's stores, or another file in a folder of an SDK's
  /// own, or one in the folder of caches whose name has no extension. A recipe can write no other file.
  private func isStore(_ components: [String], _ last: String) -> Bool {
    let folder = FilePath.components(dataFolder)
    guard components.starts(with: folder) else { return false }
    let inside = Array(components.dropFirst(folder.count).dropLast())
    guard last.utf8.suffix(Self.ending.utf8.count).elementsEqual(Self.ending.utf8) else {
      return inside.starts(with: Self.support) && inside.count > Self.support.count
        || inside == Self.caches && !last.utf8.contains(UInt8(ascii: "."))
    }
    return Self.folders.contains(inside) || inside.starts(with: Self.support)
  }

  private static let ending = ".plist"
  private static let folders = [["Library"], ["Library", "Preferences"], caches]
  private static let caches = ["Library", "Caches"]
  private static let support = ["Library", "Application Support"]
}

/// Paths in a folder with untrusted content.
enum ContainerPath {
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
  static func resolve(_ path: String, in root: String, _ fileSystem: some FileSystem) throws(RunError) -> ResolvedPath {
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
    return ResolvedPath(absolute: absolute, folder: folder, missingFolders: missing, status: status)
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

struct ResolvedPath {
  var absolute: String
  var folder: String
  /// The missing folders on the path, relative to the root, outermost first.
  var missingFolders: [String]
  var status: FileStatus?

  func state(_ files: DurableFiles) throws(RunError) -> FileState {
    status == nil ? .absent : try RunError.attempt(files.state(absolute))
  }
}
