import Carryover
import CarryoverSystem

/// A new folder that is filled beside its destination, under a temporary name. It gets its final name only when it is
/// complete and on the disk. Until then it can be removed; nothing else is changed.
struct ExtractionFolder {
  private let fileSystem: any FileSystem
  let destination: String
  let staging: String
  private var folders: [String] = []
  private var files: [String] = []

  /// Creates the folder. Only its owner can read it.
  init(at destination: String, _ fileSystem: any FileSystem) throws(ExtractionError) {
    self.fileSystem = fileSystem
    self.destination = destination
    do throws(FileSystemError) {
      staging = try Self.make(beside: destination, fileSystem)
    } catch {
      throw .file(error)
    }
    folders = [staging]
  }

  mutating func addFolder(_ path: String) throws(ExtractionError) {
    let place = PathText.join(staging, path)
    try writing(path, try fileSystem.makeDirectory(place, mode: 0o700))
    folders.append(place)
  }

  mutating func addFile(_ path: String) throws(ExtractionError) -> OpenFile {
    let place = PathText.join(staging, path)
    let handle = try writing(path, try fileSystem.create(place, mode: 0o600))
    files.append(place)
    return handle
  }

  func write(_ bytes: [UInt8], to handle: OpenFile) throws(ExtractionError) {
    try writing(handle.path, try fileSystem.write(bytes, to: handle))
  }

  func finish(_ handle: OpenFile) throws(ExtractionError) {
    do throws(FileSystemError) {
      try fileSystem.synchronize(handle)
    } catch {
      try? fileSystem.close(handle)
      throw .file(error)
    }
    try writing(handle.path, try fileSystem.close(handle))
  }

  /// Removes a file that could not be read to its end.
  mutating func abandon(_ handle: OpenFile) throws(ExtractionError) {
    try? fileSystem.close(handle)
    try writing(handle.path, try fileSystem.remove(handle.path))
    if files.last == handle.path { files.removeLast() }
  }

  /// Writes everything to the disk and renames the folder to its destination.
  func complete() throws(ExtractionError) {
    let parent = PathText.parent(destination)
    do throws(FileSystemError) {
      for folder in folders.reversed() { try fileSystem.synchronizeDirectory(folder) }
      do throws(FileSystemError) {
        try fileSystem.rename(staging, to: destination, .exclusive)
      } catch  where error.reason == .unsupported {
        // A rename replaces neither a file nor a folder that is not empty.
        try fileSystem.rename(staging, to: destination, .replacing)
      }
    } catch {
      throw Self.isExistence(error) ? .occupied(destination) : .file(error)
    }
    do throws(FileSystemError) {
      try fileSystem.synchronizeDirectory(parent)
    } catch {
      try? fileSystem.rename(destination, to: staging, .replacing)
      throw .file(error)
    }
  }

  /// Removes everything that was created, after a failure.
  /// - Throws: `leftBehind` if something could not be removed.
  func discard(after failure: ExtractionError) throws(ExtractionError) {
    do throws(FileSystemError) {
      for file in files.reversed() { try fileSystem.remove(file) }
      for folder in folders.reversed() { try fileSystem.removeDirectory(folder) }
    } catch {
      throw .leftBehind(staging, after: failure)
    }
  }

  private static func make(beside destination: String, _ fileSystem: any FileSystem) throws(FileSystemError) -> String {
    var number = 1
    while true {
      let name = ".carryover-extract-\(number).tmp"
      let path = PathText.join(PathText.parent(destination), name)
      do throws(FileSystemError) {
        try fileSystem.makeDirectory(path, mode: 0o700)
        return path
      } catch {
        // An interrupted extraction has left its folder, or another one is running.
        guard isExistence(error), number < 1_000 else { throw error }
        number += 1
      }
    }
  }

  private func writing<Result>(
    _ path: String, _ body: @autoclosure () throws(FileSystemError) -> Result
  ) throws(ExtractionError) -> Result {
    do throws(FileSystemError) {
      return try body()
    } catch {
      throw Self.isExistence(error) ? .collision(path) : .file(error)
    }
  }

  private static func isExistence(_ error: FileSystemError) -> Bool {
    if case .system(let number) = error.reason { Platform.isExistence(number) } else { false }
  }
}
