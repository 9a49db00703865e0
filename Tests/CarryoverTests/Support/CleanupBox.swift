import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverVendors
import PropertyLists

/// A container on a file system in memory, opened anew each time it is asked for.
struct CleanupBox {
  static let root = "/box"
  static let filePath = "AppData/Library/rsDefaultsPersistence.plist"
  static let cachesPath = "AppData/Library/Caches/rsDefaultsPersistence.plist"

  let fileSystem: MemoryFileSystem
  let paths: [String]

  /// Puts the stores of an app there; no two modes are the same.
  init(_ app: LegacyApp, user: UInt32 = 501, also stores: [(String, PropertyListDictionary)] = []) throws {
    fileSystem = MemoryFileSystem(user: user)
    var app = app
    for (path, dictionary) in stores {
      let bytes = try PropertyListDocument.encode(.dictionary(dictionary), as: .xml)
      app.otherStores.append(Store(path: path, content: .document(try PropertyListDocument(bytes: bytes))))
    }
    let modes: [UInt32] = [0o600, 0o640, 0o644, 0o664]
    let container = try app.container()
    for (index, store) in container.stores.enumerated() {
      guard case .document(let document) = store.content else { continue }
      fileSystem.put(Self.root + "/" + store.path, document.bytes, mode: modes[index % modes.count])
    }
    paths = [LegacyApp.standardPath, Self.filePath, Self.cachesPath, LegacyApp.targetPath]
  }

  init(copying other: CleanupBox) {
    fileSystem = MemoryFileSystem(copying: other.fileSystem)
    paths = other.paths
  }

  var container: Container {
    let stores = paths.compactMap { path in
      fileSystem.bytes(Self.root + "/" + path).flatMap { try? PropertyListDocument(bytes: $0) }
        .map { Store(path: path, content: .document($0)) }
    }
    return Container(
      kind: .xcappdata, root: Self.root, dataFolder: "AppData", bundleID: "com.acme.shop", stores: stores,
      stateDirectory: Self.root + "/.carryover")
  }

  var migrator: Migrator { SampleBox.migrator(fileSystem) }

  func options() throws -> PlannerOptions {
    PlannerOptions(
      parameters: [PlannerOptions.writeKeyParameter: LegacyApp.writeKey],
      settled: try migrator.settled(in: container, target: LegacyApp.targetPath),
      removed: try migrator.removedByCleanups(in: container))
  }

  func plan() throws -> Plan {
    Planner(.rudderStackObjC).plan(container, now: LegacyApp.now, options: try options())
  }

  func cleanupPlan() throws -> CleanupPlan {
    Planner(.rudderStackObjC).cleanupPlan(container, now: LegacyApp.now, options: try options())
  }

  @discardableResult
  func apply(_ decisions: Decisions = [:]) throws -> RunReport {
    try migrator.apply(try plan(), decisions: decisions, in: container)
  }

  @discardableResult
  func cleanup(only: Set<KeyPlace>? = nil) throws -> RunReport {
    try migrator.cleanup(try cleanupPlan(), only: only, in: container)
  }

  /// The container's files with bytes and modes; the state folder is left out.
  var tree: [String: TreeEntry] { fileSystem.tree(Self.root, excluding: ".carryover") }

  /// The keys of a store as it is now; nil where it is not there.
  func keys(_ path: String) -> [String]? { container.store(path)?.dictionary?.keys }

  func put(_ path: String, _ dictionary: PropertyListDictionary) throws {
    let bytes = try PropertyListDocument.encode(.dictionary(dictionary), as: .binary)
    fileSystem.put(Self.root + "/" + path, bytes, mode: 0o600)
  }
}
