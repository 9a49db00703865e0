public import PropertyLists

/// Saved plans as files: recognised by their content, and written so that a file is the old one or the new one.
public struct SavedPlanFile: Sendable {
  private let fileSystem: any FileSystem

  /// Saved plans in a file system.
  public init(fileSystem: any FileSystem) { self.fileSystem = fileSystem }

  /// The saved plan at a path; nil where something else stands, or nothing, or what cannot be looked at.
  /// - Throws: `damaged` for a plan that cannot be read, or of a later schema.
  public func read(_ path: String) throws(SavedPlanError) -> SavedPlan? {
    guard (try? fileSystem.status(path))??.kind == .regular,
      let image = try? fileSystem.read(path, limit: SavedPlan.largest), SavedPlan.isSavedPlan(image.bytes)
    else { return nil }
    return try SavedPlan(json: image.bytes, path: path)
  }

  /// Writes a document made by `SavedPlan.json`, readable by its owner alone, through a temporary beside it.
  ///
  /// A saved plan that is there is replaced; nothing else is, and no link is followed.
  /// - Throws: `occupied` where something else stands at the path, `notSavable` for a document that could not be read
  ///   again, or `file`.
  public func write(_ document: JSONValue, to path: String) throws(SavedPlanError) {
    let bytes = Array((document.text(pretty: true) + "\n").utf8)
    do throws(PlanDamage) {
      _ = try SavedPlan(reading: bytes)
    } catch {
      throw .notSavable(path: path, error)
    }
    let isThere = try isReplaceable(path)
    do throws(FileSystemError) {
      try place(bytes, at: path, isThere ? .replacing : .exclusive)
    } catch {
      // Nobody knows the temporary's name.
      throw .file(FileSystemError(error.operation, path, error.reason))
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

  private func place(_ bytes: [UInt8], at path: String, _ mode: RenameMode) throws(FileSystemError) {
    let folder = DurableFiles.folder(of: path)
    var files = DurableFiles(fileSystem)
    let temporary = try temporary(in: folder)
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
    try files.synchronizeFolder(folder)
  }

  /// A name that is free. What an interrupted command left under one stays: it may be another one at work.
  private func temporary(in folder: String) throws(FileSystemError) -> String {
    let stem = folder == "/" ? "/.carryover-plan-" : folder + "/.carryover-plan-"
    for number in 1..<100 where try fileSystem.status(stem + "\(number).tmp") == nil { return stem + "\(number).tmp" }
    return stem + "100.tmp"
  }
}
