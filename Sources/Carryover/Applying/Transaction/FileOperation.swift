import CarryoverSystem

/// One step of a run: what stands at a path becomes something else, and nobody else's write is lost on the way.
///
/// The new file is staged beside its destination first. It is put in place by letting the two change places, where the
/// file system can do that, and then looking at what was displaced: a file that somebody else wrote a moment ago goes
/// back. Where it cannot, a write between the last look and the rename is lost.
struct FileOperation {
  let change: FileChange
  /// The files it may touch.
  let scope: RunScope
  let temporary: TemporaryName

  /// The operation that takes this one back. Its temporary has a name of its own: what is found under the one name tells
  /// nothing about the other.
  var reversed: FileOperation {
    FileOperation(change: change.reversed, scope: scope, temporary: temporary.other)
  }

  // MARK: Staging

  /// Writes the new file beside its destination, with its owner and mode, brings it to the disk and reads it back.
  func stage(_ files: inout DurableFiles) throws(RunFailure) {
    guard case .file(let bytes, let attributes) = change.after else { return }
    try makeFolders(&files)
    let destination = try resolve(change.path, files)
    let temporary = path(of: temporary, beside: destination)
    do throws(FileSystemError) {
      // An earlier attempt may have left one, whole or not.
      if try files.fileSystem.status(temporary) != nil { try files.fileSystem.remove(temporary) }
      try files.write(bytes, to: temporary, attributes: attributes, ownerRequired: !change.mayBeOurs)
    } catch  where error.operation == .setOwner && error.reason == .system(SystemErrorNumber.notPermitted.number) {
      throw .ownerNotKept(path: destination.absolute, user: attributes.owner?.user ?? 0)
    } catch {
      throw .file(error)
    }
    guard try state(temporary, files).bytes == bytes else { throw .verification(path: temporary, .bytesDiffer) }
  }

  private func makeFolders(_ files: inout DurableFiles) throws(RunFailure) {
    for folder in change.folders {
      let resolved = try resolveFolder(folder, files)
      guard resolved.missingFolders.last == folder else { continue }
      let parent = DurableFiles.folder(of: resolved.folder)
      do throws(FileSystemError) {
        let mode = try files.fileSystem.status(parent)?.mode ?? 0o700
        try files.fileSystem.makeDirectory(resolved.folder, mode: mode & 0o777)
        try files.synchronizeFolder(parent)
      } catch {
        throw .file(error)
      }
    }
  }

  // MARK: Putting in place

  /// Puts the staged file in place, or removes the one that stands there, and brings the folder to the disk.
  /// - Throws: `changedMeanwhile` where something else stands there than the operation expects; that stays, and nothing
  ///   of ours is there. After any other failure the path holds the old or the new.
  func carryOut(_ files: inout DurableFiles) throws(RunFailure) {
    let destination = try resolve(change.path, files)
    guard try state(destination.absolute, files).bytes == change.before.bytes else {
      throw .changedMeanwhile(path: change.path)
    }
    let temporary = path(of: temporary, beside: destination)
    switch (change.before, change.after) {
    case (.absent, .absent): return
    case (.absent, .file): try place(temporary, destination.absolute, files)
    case (.file, .file): try exchange(temporary, destination.absolute, &files)
    case (.file, .absent): try withdraw(destination.absolute, temporary, &files)
    }
    try step { () throws(FileSystemError) in
      if try files.fileSystem.status(temporary) != nil { try files.fileSystem.remove(temporary) }
    }
    try synchronize(destination.folder, &files)
    try removeFolders(&files)
  }

  private func place(_ temporary: String, _ destination: String, _ files: DurableFiles) throws(RunFailure) {
    do {
      try files.fileSystem.rename(temporary, to: destination, .exclusive)
    } catch {
      switch error.reason {
      case .unsupported:
        try step { () throws(FileSystemError) in
          try files.fileSystem.rename(temporary, to: destination, .replacing)
        }
      case .system(SystemErrorNumber.exists.number): throw .changedMeanwhile(path: change.path)
      default: throw .file(error)
      }
    }
  }

  private func exchange(
    _ temporary: String, _ destination: String, _ files: inout DurableFiles
  ) throws(RunFailure) {
    do {
      try files.fileSystem.rename(temporary, to: destination, .exchanging)
    } catch {
      guard error.reason == .unsupported else { throw .file(error) }
      return try step { () throws(FileSystemError) in
        try files.fileSystem.rename(temporary, to: destination, .replacing)
      }
    }
    if try state(temporary, files).bytes == change.before.bytes { return }
    try giveBack(temporary, destination, &files)
    throw .changedMeanwhile(path: change.path)
  }

  private func withdraw(
    _ destination: String, _ temporary: String, _ files: inout DurableFiles
  ) throws(RunFailure) {
    do {
      try files.fileSystem.rename(destination, to: temporary, .exclusive)
    } catch {
      guard error.reason == .unsupported else { throw .file(error) }
      return try step { () throws(FileSystemError) in try files.fileSystem.remove(destination) }
    }
    if try state(temporary, files).bytes == change.before.bytes { return }
    try giveBack(temporary, destination, &files)
    throw .changedMeanwhile(path: change.path)
  }

  /// Puts a displaced file of somebody else's back. Should they have written again meanwhile, the newest of theirs stays.
  private func giveBack(
    _ temporary: String, _ destination: String, _ files: inout DurableFiles
  ) throws(RunFailure) {
    do throws(FileSystemError) {
      if change.after == .absent {
        // If they have made a new one by now, the one that was displaced is superseded.
        do {
          try files.fileSystem.rename(temporary, to: destination, .exclusive)
        } catch {
          guard error.reason == .system(SystemErrorNumber.exists.number) else { throw error }
          try files.fileSystem.remove(temporary)
        }
      } else {
        // What comes back must be what was put there last. Anything else is a newer write of theirs: found before the two
        // change places, it makes the displaced one superseded; found only afterwards, it goes there next.
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
        // With somebody who writes that fast, both stay, and a person has to look.
        if isSettled { try files.fileSystem.remove(temporary) }
      }
      try files.synchronizeFolder(DurableFiles.folder(of: destination))
    } catch {
      throw .file(error)
    }
  }

  /// Removes the folders that were made for a file that is gone, where nothing else stands in them by now.
  func removeFolders(_ files: inout DurableFiles) throws(RunFailure) {
    guard change.after == .absent else { return }
    for folder in change.folders.reversed() {
      let path = try resolveFolder(folder, files).folder
      do {
        try files.removeFolderIfEmpty(path)
      } catch {
        throw .file(error)
      }
    }
  }
}

extension FileOperation {
  // MARK: Looking

  /// Where a file stands to the operation.
  enum Standing { case before, after, foreign }

  /// Where the file stands now.
  func standing(_ files: DurableFiles) throws(RunFailure) -> Standing {
    let bytes = try state(try destination(files).absolute, files).bytes
    if bytes == change.after.bytes { return .after }
    return bytes == change.before.bytes ? .before : .foreign
  }

  /// Removes what an attempt that was cut off has left under the temporary's name. Where that is a file of somebody
  /// else's, displaced a moment before, it goes back.
  /// - Throws: `changedMeanwhile` in that case.
  func settleTemporary(_ files: inout DurableFiles) throws(RunFailure) {
    let destination = try destination(files)
    guard destination.missingFolders.isEmpty else { return }
    let temporary = path(of: temporary, beside: destination)
    guard case .file(let bytes, _) = try state(temporary, files) else { return }
    let isOurs = [change.before.bytes, change.after.bytes].contains { $0?.starts(with: bytes) ?? false }
    switch try standing(files) {
    case .after where !isOurs && change.before != .absent:
      // It can only have left the place where ours stands now.
      try giveBack(temporary, destination.absolute, &files)
      throw .changedMeanwhile(path: change.path)
    case .foreign where !isOurs: return
    // It was being staged, and a loss of power may have left any bytes of it.
    default: break
    }
    try step { () throws(FileSystemError) in try files.fileSystem.remove(temporary) }
    try synchronize(&files)
  }

  /// Brings the entries of the file's folder to the disk.
  func synchronize(_ files: inout DurableFiles) throws(RunFailure) {
    let destination = try destination(files)
    guard destination.missingFolders.isEmpty else { return }
    try synchronize(destination.folder, &files)
  }

  /// Where the file is, every folder on the way looked at.
  func destination(_ files: DurableFiles) throws(RunFailure) -> ResolvedPath { try resolve(change.path, files) }

  /// What stands at a path.
  func state(_ path: String, _ files: DurableFiles) throws(RunFailure) -> FileState {
    do {
      return try files.state(path)
    } catch {
      throw .file(error)
    }
  }

  private func path(of temporary: TemporaryName, beside destination: ResolvedPath) -> String {
    destination.folder + "/" + temporary.text
  }

  private func synchronize(_ folder: String, _ files: inout DurableFiles) throws(RunFailure) {
    do {
      try files.synchronizeFolder(folder)
    } catch {
      throw .file(error)
    }
  }

  private func resolve(_ path: String, _ files: DurableFiles) throws(RunFailure) -> ResolvedPath {
    do {
      return try scope.resolve(path, files.fileSystem)
    } catch {
      throw .path(error)
    }
  }

  /// A folder on the way to the file.
  private func resolveFolder(_ folder: String, _ files: DurableFiles) throws(RunFailure) -> ResolvedPath {
    do {
      return try scope.resolve(folder: folder, onTheWayTo: change.path, files.fileSystem)
    } catch {
      throw .path(error)
    }
  }

  private func step<Result>(_ body: () throws(FileSystemError) -> Result) throws(RunFailure) -> Result {
    do {
      return try body()
    } catch {
      throw .file(error)
    }
  }
}
