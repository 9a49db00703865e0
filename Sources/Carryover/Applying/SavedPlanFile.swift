package import CarryoverSystem
package import PropertyLists

/// Saved plans as files. They are recognised by their content and replaced atomically.
package struct SavedPlanFile: Sendable {
  private let fileSystem: any FileSystem

  package init(fileSystem: any FileSystem) { self.fileSystem = fileSystem }

  /// The saved plan or plans at a path; nil if there is something else or nothing, or if the path cannot be read.
  package func read(_ path: String) throws(SavedPlanError) -> SavedPlans? {
    guard (try? fileSystem.status(path))??.kind == .regular,
      let image = try? fileSystem.read(path, limit: SavedPlans.largest), SavedPlans.isSavedPlan(image.bytes)
    else { return nil }
    return try SavedPlans(json: image.bytes, path: path)
  }

  /// Checks that a plan saved at a path changes nothing that it is about: the path must be neither in the container nor
  /// in its state folder nor the target. For a single property list, the other files in its folder are allowed.
  package func requirePlace(_ path: String, outside container: Container, targets: [String]) throws(SavedPlanError) {
    let place = try converting(try fileSystem.location(of: path), SavedPlanError.file)
    if isWithin(place, container.stateDirectory) { throw .reserved(path: path, .stateFolder) }
    if container.kind != .propertyList, isWithin(place, container.root) { throw .reserved(path: path, .container) }
    if targets.contains(where: { place == FilePath.join(container.root, $0) }) { throw .reserved(path: path, .target) }
  }

  /// Whether a container is in the folder of a saved plan, with links and `..` resolved. An untrusted plan may name any
  /// other container on this machine.
  package func isBeside(_ container: Container, planAt path: String) -> Bool {
    guard let place = try? fileSystem.location(of: path) else { return false }
    return isWithin(container.root, FilePath.folder(of: place))
  }

  /// Whether a path is a folder or inside it. On a disk that ignores case, only the system knows the real spelling.
  private func isWithin(_ place: String, _ folder: String) -> Bool {
    FilePath.isWithin(place, folder)
      || (try? fileSystem.resolve(folder)).map { FilePath.isWithin(place, $0) } ?? false
  }

  /// Writes a document made by `SavedPlans.json`, through a temporary file beside it. Only its owner can read it.
  ///
  /// It replaces only a saved plan and follows no link. The temporary file of an interrupted attempt is removed first.
  package func write(_ document: JSONValue, to path: String, replacing isReplacing: Bool = true) throws(SavedPlanError)
  {
    let bytes = Array((document.text(pretty: true, visible: true) + "\n").utf8)
    _ = try converting(try SavedPlans(reading: bytes)) { (damage: DocumentDamage) in
      SavedPlanError.notSavable(path: path, damage)
    }
    let isThere = try isReplaceable(path)
    guard !isThere || isReplacing else { throw .exists(path: path) }
    let temporary = Self.temporary(of: path)
    var files = DurableFiles(fileSystem)
    do throws(FileSystemError) {
      try files.replace(path, with: bytes, through: temporary, isThere ? .replacing : .exclusive)
    } catch {
      // The user does not know the temporary file's name, unless the item there is itself the obstacle.
      let isInTheWay =
        error.path == temporary
        && (error.operation == .remove || error.reason == .system(SystemErrorNumber.exists.number))
      throw .file(isInTheWay ? error : FileSystemError(error.operation, path, error.reason))
    }
  }

  /// Whether there is a saved plan at a path; false if there is nothing.
  private func isReplaceable(_ path: String) throws(SavedPlanError) -> Bool {
    do throws(FileSystemError) {
      guard let kind = try fileSystem.status(path)?.kind else { return false }
      if kind == .regular, SavedPlans.isSavedPlan(try fileSystem.read(path, limit: SavedPlans.largest).bytes) {
        return true
      }
      throw FileSystemError(.inspect, path, .notRegular(kind))
    } catch {
      switch error.reason {
      case .notRegular(let kind): throw .occupied(path: path, kind)
      case .tooLarge: throw .occupied(path: path, .regular)
      default: throw .file(error)
      }
    }
  }

  /// The name of a plan's temporary file, in the folder of its destination. It depends only on the destination's name,
  /// so the next attempt finds it, and is short for any length.
  static func temporary(of path: String) -> String {
    let name = ".carryover-plan-\(Checksum.text(Array(FilePath.name(of: path).utf8))).tmp"
    return FilePath.join(FilePath.folder(of: path), name)
  }
}

extension SavedPlans {
  /// The new plan, with each part made by ``SavedPlan/plan(_:by:settled:removed:allowing:)``.
  package func plan(
    _ container: Container, by recipes: [Recipe], settled: (String, Recipe) throws -> [StringByBytes: SettledField],
    removed: [KeyPlace: PropertyListValue], allowing allowed: Set<FindingCode>
  ) throws -> Plan {
    var plans: [Plan] = []
    for (saved, recipe) in zip(all, recipes) {
      plans.append(
        try saved.plan(
          container, by: recipe, settled: saved.target.map { try settled($0, recipe) } ?? [:], removed: removed,
          allowing: allowed))
    }
    guard let first = plans.first else { throw SavedPlanError.unknownRecipe(self.first.recipe) }
    return try Plan(first, and: Array(plans.dropFirst()))
  }
}
