import CarryoverSystem
import PropertyLists

/// The changes that roll a run back, file by file.
struct RollbackChanges {
  private(set) var changes: [FileChange] = []
  /// The files that are edited key by key, by path.
  private var edits: [StringByBytes: TargetEdit] = [:]

  /// Computes the new files in memory.
  /// - Throws: `hardLinked`, `notEncodable`, or `verification` if an edit is wrong.
  init(_ basis: RollbackBasis, _ resolution: RollbackResolution) throws(RunError) {
    for (file, planned) in zip(basis.files, resolution.plan.files) {
      let path = file.recorded.path
      let change: FileChange
      if resolution.isWhole(planned) {
        change = FileChange(path: path, before: file.now, after: file.before, folders: file.recorded.folders)
      } else {
        let keys = resolution.restored.filter { $0.id.file.hasSameBytes(as: path) }
          .map { KeyChange(key: $0.id.key, before: $0.current, after: $0.before) }
        guard !keys.isEmpty else { continue }
        change = try edit(file, keys)
      }
      if let links = file.resolved.status?.links, links > 1 { throw .hardLinked(path: path, links: links) }
      changes.append(change)
    }
  }

  /// The problem in a written file; nil if there is none.
  func problem(_ change: FileChange, _ bytes: [UInt8]?) -> VerificationProblem? {
    edits[change.path]?.problem(in: bytes ?? [])
  }

  private mutating func edit(_ file: RollbackBasis.File, _ keys: [KeyChange]) throws(RunError) -> FileChange {
    let path = file.recorded.path
    if file.recorded.before == .absent, Self.isAll(keys, of: file.parsed) {
      return FileChange(path: path, before: file.now, after: .absent, folders: file.recorded.folders)
    }
    let edit = try TargetEdit(
      try keyed(file), path: path, changes: keys, forms: [:], format: file.parsedLeft.file?.format)
    if let problem = edit.problem(in: edit.bytes) { throw .verification(path: path, problem, .nothingChanged) }
    edits[path] = edit
    // A removed file is restored with its earlier attributes.
    let attributes =
      file.now.attributes ?? file.before.attributes ?? file.left.attributes ?? FileAttributes(mode: 0o600, owner: nil)
    return FileChange(
      path: path, before: file.now, after: FileState(bytes: edit.bytes, attributes: attributes),
      folders: file.resolved.missingFolders)
  }

  /// Whether the changes remove every key.
  private static func isAll(_ changes: [KeyChange], of file: ParsedFile) -> Bool {
    let removed = Set(bytesOf: changes.filter { $0.after == nil }.map(\.key))
    return removed.count == changes.count && file.keys.allSatisfy { removed.contains($0) }
  }

  /// The file to edit. For a removed one, an empty file of the earlier format.
  private func keyed(_ file: RollbackBasis.File) throws(RunError) -> KeyedFile? {
    guard file.parsed.file == nil, let format = file.parsedBefore.file?.format else { return file.parsed.file }
    do throws(KeyedFile.Problem) {
      return try KeyedFile(bytes: KeyedFile.encode([:], as: format), path: file.recorded.path)
    } catch {
      throw .notEncodable(path: file.recorded.path, reason: error.reason)
    }
  }
}
