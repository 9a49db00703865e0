package import CarryoverSystem
package import PropertyLists

/// Saved plans as files: recognised by their content, and written so that a file is the old one or the new one.
package struct SavedPlanFile: Sendable {
  private let fileSystem: any FileSystem

  /// Saved plans in a file system.
  package init(fileSystem: any FileSystem) { self.fileSystem = fileSystem }

  /// The saved plan, or the plans of several recipes, at a path; nil where something else stands, or nothing, or what cannot be looked at.
  /// - Throws: `damaged` for a plan that cannot be read, or of a later schema.
  package func read(_ path: String) throws(SavedPlanError) -> SavedPlans? {
    guard (try? fileSystem.status(path))??.kind == .regular,
      let image = try? fileSystem.read(path, limit: SavedPlan.largest), SavedPlan.isSavedPlan(image.bytes)
    else { return nil }
    return try SavedPlans(json: image.bytes, path: path)
  }

  /// Makes sure that a plan saved at a path changes nothing that the plan is of: the path may be neither in the
  /// container nor in its state folder, nor the target. A property list by itself has neighbours that are not its own.
  /// - Parameter targets: the paths of the plan's targets, relative to the container's root.
  /// - Throws: `reserved`, or `file` where the path cannot be looked at.
  package func requirePlace(
    _ path: String, outside container: Container, targets: [String]
  ) throws(SavedPlanError) {
    let place: String
    do throws(FileSystemError) {
      place = try fileSystem.location(of: path)
    } catch {
      throw .file(error)
    }
    if isWithin(place, container.stateDirectory) { throw .reserved(path: path, .stateFolder) }
    if container.kind != .propertyList, isWithin(place, container.root) { throw .reserved(path: path, .container) }
    if targets.contains(where: { place == FilePath.join(container.root, $0) }) { throw .reserved(path: path, .target) }
  }

  /// Whether a container is in the folder that a saved plan is in, links and `..` resolved. A plan from a stranger may
  /// name any other container of this machine.
  package func isBeside(_ container: Container, planAt path: String) -> Bool {
    guard let place = try? fileSystem.location(of: path) else { return false }
    return isWithin(container.root, FilePath.folder(of: place))
  }

  /// Whether a place is a folder or in it. A disk that ignores case spells the folder as it is only when it is asked.
  private func isWithin(_ place: String, _ folder: String) -> Bool {
    FilePath.isWithin(place, folder)
      || (try? fileSystem.resolve(folder)).map { FilePath.isWithin(place, $0) } ?? false
  }

  /// Writes a document made by `SavedPlans.json`, readable by its owner alone, through a temporary beside it.
  ///
  /// Nothing but a saved plan is replaced, and no link is followed. What an attempt that was cut off has left of the
  /// temporary is removed first.
  /// - Parameter isReplacing: whether to replace a saved plan that is there.
  /// - Throws: `exists` where a saved plan is there and stays, `occupied` where something else is, `notSavable` for a
  ///   document that could not be read again, or `file`.
  package func write(_ document: JSONValue, to path: String, replacing isReplacing: Bool = true) throws(SavedPlanError)
  {
    let bytes = Array((document.text(pretty: true, visible: true) + "\n").utf8)
    do throws(PlanDamage) {
      _ = try SavedPlans(reading: bytes)
    } catch {
      throw .notSavable(path: path, error)
    }
    let isThere = try isReplaceable(path)
    guard !isThere || isReplacing else { throw .exists(path: path) }
    let temporary = Self.temporary(of: path)
    do throws(FileSystemError) {
      if try fileSystem.status(temporary) != nil { try fileSystem.remove(temporary) }
      try place(bytes, at: path, through: temporary, isThere ? .replacing : .exclusive)
    } catch {
      // Nobody knows the temporary's name, unless what stands there is itself in the way.
      let isInTheWay =
        error.path == temporary
        && (error.operation == .remove || error.reason == .system(SystemErrorNumber.exists.number))
      throw .file(isInTheWay ? error : FileSystemError(error.operation, path, error.reason))
    }
  }

  /// Whether a saved plan stands at a path; false for nothing.
  private func isReplaceable(_ path: String) throws(SavedPlanError) -> Bool {
    do throws(FileSystemError) {
      guard let kind = try fileSystem.status(path)?.kind else { return false }
      if kind == .regular, SavedPlan.isSavedPlan(try fileSystem.read(path, limit: SavedPlan.largest).bytes) {
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

  private func place(
    _ bytes: [UInt8], at path: String, through temporary: String, _ mode: RenameMode
  ) throws(FileSystemError) {
    var files = DurableFiles(fileSystem)
    try files.write(bytes, to: temporary)
    do throws(FileSystemError) {
      guard try files.state(temporary).bytes == bytes else {
        throw FileSystemError(.write, path, .system(SystemErrorNumber.inputOutput.number))
      }
      do throws(FileSystemError) {
        try fileSystem.rename(temporary, to: path, mode)
      } catch  where error.reason == .unsupported {
        try fileSystem.rename(temporary, to: path, .replacing)
      }
    } catch {
      try? fileSystem.remove(temporary)
      throw error
    }
    try files.synchronizeFolder(DurableFiles.folder(of: path))
  }

  /// The name under which a plan waits in the folder of its destination. It follows from the destination's name alone, so
  /// that the next attempt finds it, and is short however long that is.
  static func temporary(of path: String) -> String {
    let name = ".carryover-plan-\(Checksum.text(Array(FilePath.name(of: path).utf8))).tmp"
    return FilePath.join(FilePath.folder(of: path), name)
  }
}
