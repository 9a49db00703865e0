/// The files of one container that a run may touch: its stores, and what a recipe could make beside them.
///
/// A journal or a record may come from anybody. Whatever it names, nothing outside of this is made, replaced or removed.
struct RunScope {
  /// The container's root on this machine.
  let root: String
  private let kind: ContainerKind
  private let name: String
  private let dataFolder: String
  private let bundleID: String?
  private let stores: Set<String>

  init(_ container: Container) {
    root = container.root
    kind = container.kind
    name = container.name
    dataFolder = container.dataFolder
    bundleID = container.bundleID
    stores = Set(container.stores.map(\.path))
  }

  /// Whether a run may touch the file at a path relative to the root.
  func allows(_ path: String) -> Bool {
    guard let components = try? ContainerPath.components(path), let last = components.last,
      !components.contains(where: { $0.hasPrefix(".") })
    else { return false }
    return stores.contains(path) || (kind == .propertyList ? isCompanion(components) : isStore(components, last))
  }

  /// Where the file at a path is, every folder on the way looked at.
  /// - Throws: `outsideStores`, `unsafePath` or `file`.
  func resolve(_ path: String, _ fileSystem: any FileSystem) throws(MigrationError) -> ResolvedPath {
    guard allows(path) else { throw .outsideStores(path) }
    return try ContainerPath.resolve(path, in: root, fileSystem)
  }

  /// The same for something in a folder that was made for a file, and may be missing again.
  func resolve(
    folder: String, onTheWayTo path: String, _ fileSystem: any FileSystem
  ) throws(MigrationError) -> ResolvedPath {
    guard allows(path), path.utf8.starts(with: (folder + "/").utf8) else { throw .outsideStores(path) }
    return try ContainerPath.resolve(folder + "/x", in: root, fileSystem)
  }

  /// Makes sure that a list of files is one that a run could have.
  /// - Throws: `outsideStores`.
  func check(_ paths: [String]) throws(MigrationError) {
    for path in paths where !allows(path) { throw .outsideStores(path) }
  }

  /// The list itself, or a file beside it that belongs to the same app by its name.
  private func isCompanion(_ components: [String]) -> Bool {
    guard components.count == 1 else { return false }
    if components == [name] || Self.legacyNames.contains(components[0]) { return true }
    guard let bundleID else { return !SuiteName.readings(ofFileName: components[0]).isEmpty }
    return components == [bundleID + Self.ending]
      || SuiteName.readings(ofFileName: components[0]).contains { $0.bundleID == bundleID }
  }

  /// A property list in one of the folders that hold an app's stores.
  private func isStore(_ components: [String], _ last: String) -> Bool {
    guard last.hasSuffix(Self.ending) else { return false }
    let folder = dataFolder.split(separator: "/").map(String.init)
    guard components.starts(with: folder) else { return false }
    let inside = Array(components.dropFirst(folder.count).dropLast())
    return Self.folders.contains(inside) || inside.starts(with: Self.support)
  }

  private static let ending = ".plist"
  /// The names of the files that the built-in recipes read, which a cleanup may have removed.
  private static let legacyNames = Set(
    Recipe.builtIn.flatMap(\.sources).flatMap { source -> [String] in
      if case .file(let paths) = source { paths.map(FilePath.name) } else { [] }
    })
  private static let folders = [["Library"], ["Library", "Preferences"], ["Library", "Caches"]]
  private static let support = ["Library", "Application Support"]
}
