import CarryoverSystem

/// One step of a run: replaces, creates or removes a file, without losing another process's write.
///
/// The new file is first staged beside its destination. If the file system can exchange two files, it does; then the
/// displaced file is checked, and another process's file is restored. Otherwise, a write between the last check and the
/// rename is lost.
struct FileOperation {
  let change: FileChange
  let scope: RunScope
  let temporary: TemporaryName

  /// The operation that rolls this one back. Its temporary file has another name, so the two are never confused.
  var reversed: FileOperation { FileOperation(change: change.reversed, scope: scope, temporary: temporary.other) }

  /// Writes the new file beside its destination, with its owner and mode, flushes it to the disk and reads it back.
  func stage(_ files: inout DurableFiles) throws(RunError) {
    guard case .file(let bytes, let attributes) = change.after else { return }
    try makeFolders(&files)
    let destination = try destination(files)
    let temporary = path(of: temporary, beside: destination)
    do throws(FileSystemError) {
      // An earlier attempt may have left a complete or partial file.
      if try files.fileSystem.status(temporary) != nil { try files.fileSystem.remove(temporary) }
      try files.write(bytes, to: temporary, attributes: attributes, ownerRequired: !change.mayBeOurs)
    } catch  where error.operation == .setOwner && error.reason == .system(SystemErrorNumber.notPermitted.number) {
      throw .ownerNotKept(path: destination.absolute, user: attributes.owner?.user ?? 0)
    } catch {
      throw .file(error, .nothingChanged)
    }
    guard try RunError.attempt(files.state(temporary)).bytes == bytes else {
      throw .verification(path: temporary, .bytesDiffer, .nothingChanged)
    }
  }

  private func makeFolders(_ files: inout DurableFiles) throws(RunError) {
    for folder in change.folders {
      let resolved = try resolveFolder(folder, files)
      guard resolved.missingFolders.last == folder else { continue }
      let parent = FilePath.folder(of: resolved.folder)
      do throws(FileSystemError) {
        let mode = try files.fileSystem.status(parent)?.mode ?? 0o700
        try files.fileSystem.makeDirectory(resolved.folder, mode: mode & 0o777)
        try files.synchronizeFolder(parent)
      } catch {
        throw .file(error, .nothingChanged)
      }
    }
  }

  /// Replaces the file with the staged one, or removes the file, and flushes the folder to the disk.
  /// - Throws: `changedMeanwhile` if the file is not the expected one. It stays, and the staged file is removed. After
  ///   any other error, the path has the old or the new file.
  func carryOut(_ files: inout DurableFiles) throws(RunError) {
    let destination = try destination(files)
    guard try RunError.attempt(files.state(destination.absolute)).bytes == change.before.bytes else {
      throw .changedMeanwhile(path: change.path, .nothingChanged)
    }
    let temporary = path(of: temporary, beside: destination)
    if case (.absent, .absent) = (change.before, change.after) { return }
    try exchange(temporary, destination.absolute, &files)
    if try RunError.attempt(files.fileSystem.status(temporary)) != nil {
      try RunError.attempt(files.fileSystem.remove(temporary))
    }
    try RunError.attempt(files.synchronizeFolder(destination.folder))
    try removeFolders(&files)
  }

  /// Exchanges the staged file and the present one; either may be missing. Then checks the displaced file.
  private func exchange(_ temporary: String, _ destination: String, _ files: inout DurableFiles) throws(RunError) {
    let fileSystem = files.fileSystem
    let (isNew, isRemoved) = (change.before == .absent, change.after == .absent)
    do throws(FileSystemError) {
      if isRemoved {
        try fileSystem.rename(destination, to: temporary, .exclusive)
      } else {
        try fileSystem.rename(temporary, to: destination, isNew ? .exclusive : .exchanging)
      }
    } catch {
      switch error.reason {
      case .unsupported where isRemoved: return try RunError.attempt(fileSystem.remove(destination))
      case .unsupported: return try RunError.attempt(fileSystem.rename(temporary, to: destination, .replacing))
      case .system(SystemErrorNumber.exists.number) where isNew:
        throw .changedMeanwhile(path: change.path, .nothingChanged)
      default: throw .file(error, .nothingChanged)
      }
    }
    if isNew { return }
    if try RunError.attempt(files.state(temporary)).bytes == change.before.bytes { return }
    try giveBack(temporary, destination, &files)
    throw .changedMeanwhile(path: change.path, .nothingChanged)
  }

  /// Restores a displaced file of another process. If that process has written again meanwhile, its newest file stays.
  private func giveBack(_ temporary: String, _ destination: String, _ files: inout DurableFiles) throws(RunError) {
    do throws(FileSystemError) {
      if change.after == .absent {
        // If that process has created a new file, the displaced one is outdated.
        do {
          try files.fileSystem.rename(temporary, to: destination, .exclusive)
        } catch {
          guard error.reason == .system(SystemErrorNumber.exists.number) else { throw error }
          try files.fileSystem.remove(temporary)
        }
      } else {
        // The displaced file must be the one that was put there last. Any other is a newer write: found before the
        // exchange, it makes the displaced one outdated; found afterwards, it is restored next.
        var placed = change.after.bytes
        var held = try files.state(temporary).bytes
        var isSettled = false
        for _ in 0..<64 where !isSettled {
          if try files.state(destination).bytes != placed {
            isSettled = true
          } else {
            try files.fileSystem.rename(temporary, to: destination, .exchanging)
            let displaced = try files.state(temporary).bytes
            isSettled = displaced == placed
            (placed, held) = (held, displaced)
          }
        }
        // If another process writes that fast, both files stay, and the user has to decide.
        if isSettled { try files.fileSystem.remove(temporary) }
      }
      try files.synchronizeFolder(FilePath.folder(of: destination))
    } catch {
      throw .file(error, .nothingChanged)
    }
  }

  private func removeFolders(_ files: inout DurableFiles) throws(RunError) {
    guard change.after == .absent else { return }
    for folder in change.folders.reversed() {
      let path = try resolveFolder(folder, files).folder
      try RunError.attempt(files.removeFolderIfEmpty(path))
    }
  }

  enum Standing { case before, after, foreign }

  func standing(_ files: DurableFiles) throws(RunError) -> Standing {
    let place = try destination(files).absolute
    let bytes = try RunError.attempt(files.state(place)).bytes
    if bytes == change.after.bytes { return .after }
    return bytes == change.before.bytes ? .before : .foreign
  }

  /// Removes the temporary file of an interrupted attempt. If it is another process's displaced file, restores that
  /// file.
  /// - Throws: `changedMeanwhile` in that case.
  func settleTemporary(_ files: inout DurableFiles) throws(RunError) {
    let destination = try destination(files)
    guard destination.missingFolders.isEmpty else { return }
    let temporary = path(of: temporary, beside: destination)
    guard case .file(let bytes, _) = try RunError.attempt(files.state(temporary)) else { return }
    let isOurs = [change.before.bytes, change.after.bytes].contains { $0?.starts(with: bytes) ?? false }
    switch try standing(files) {
    case .after where !isOurs && change.before != .absent:
      // It can only have been displaced from the place that has our file now.
      try giveBack(temporary, destination.absolute, &files)
      throw .changedMeanwhile(path: change.path, .nothingChanged)
    case .foreign where !isOurs: return
    // It was being staged, and a power cut may have left any bytes.
    default: break
    }
    try RunError.attempt(files.fileSystem.remove(temporary))
    try synchronize(&files)
  }

  /// Puts the new file in place, unless it is there already.
  func complete(_ files: inout DurableFiles) throws(RunError) {
    guard try standing(files) == .after else {
      try stage(&files)
      return try carryOut(&files)
    }
    // The folder's entry may not be on the disk yet.
    try synchronize(&files)
    try removeFolders(&files)
  }

  private func synchronize(_ files: inout DurableFiles) throws(RunError) {
    let destination = try destination(files)
    guard destination.missingFolders.isEmpty else { return }
    try RunError.attempt(files.synchronizeFolder(destination.folder))
  }

  func destination(_ files: DurableFiles) throws(RunError) -> ResolvedPath {
    try scope.resolve(change.path, files.fileSystem)
  }

  private func path(of temporary: TemporaryName, beside destination: ResolvedPath) -> String {
    destination.folder + "/" + temporary.text
  }

  private func resolveFolder(_ folder: String, _ files: DurableFiles) throws(RunError) -> ResolvedPath {
    try scope.resolve(folder: folder, onTheWayTo: change.path, files.fileSystem)
  }
}

struct FileChange: Hashable {
  var path: String
  var before: FileState
  var after: FileState
  /// The folders to create for the file or, if the file is removed, to remove if they are empty; outermost first,
  /// relative to the root.
  var folders: [String] = []
  /// Whether a new file may belong to the current user if it cannot be given to its intended owner. An existing file
  /// must keep its owner.
  var mayBeOurs = false
  /// What the new file must contain; nil if only its bytes and its mode are checked.
  var edit: TargetEdit?

  var reversed: FileChange { FileChange(path: path, before: after, after: before, folders: folders) }
}

extension FileChange {
  /// - Throws: `verification` if the edited bytes do not contain what they should.
  init(
    _ edit: TargetEdit, before: FileState, attributes: FileAttributes, folders: [String] = [], mayBeOurs: Bool = false
  ) throws(RunError) {
    if let problem = edit.problem(in: edit.bytes) { throw .verification(path: edit.path, problem, .nothingChanged) }
    self.init(
      path: edit.path, before: before, after: .file(bytes: edit.bytes, attributes: attributes), folders: folders,
      mayBeOurs: mayBeOurs, edit: edit)
  }
}

/// The temporary name of a new file beside its destination, and of the old file after the exchange.
///
/// It depends only on the run's id and the file's number, so that a later command finds it after a crash.
struct TemporaryName: Hashable {
  let run: RunID
  let number: Int
  var isBack = false

  var text: String { ".carryover-\(run.text)-\(number)\(isBack ? "-back" : "").tmp" }
  var other: TemporaryName { TemporaryName(run: run, number: number, isBack: !isBack) }
}
