import Carryover
package import CarryoverSystem

/// Extracts the files of one app from an archive or a backup into a new folder, which is a container as it was. It
/// creates no links.
package struct ContainerExtractor: Sendable {
  let fileSystem: any FileSystem
  let observer: OpeningObserver
  let freeBytes: @Sendable (String) -> Int64?

  /// - Parameter freeBytes: the free space on the disk of a folder, in bytes; nil if it is unknown.
  package init(
    fileSystem: any FileSystem, observer: OpeningObserver = .none,
    freeBytes: (@Sendable (String) -> Int64?)? = nil
  ) {
    self.fileSystem = fileSystem
    self.observer = observer
    self.freeBytes = freeBytes ?? Platform.freeBytes
  }

  /// Creates a folder with the container's files, which only their owner can read. They are then on the disk.
  /// - Parameter withState: whether to extract Carryover's state folders in the archive or backup too: the records,
  ///   backups and decisions of its creator. The report lists those that are not extracted.
  /// - Throws: `ContainerError`. Everything that was created is removed, except what the error names.
  package func extract(
    _ opened: OpenedContainer, to path: String, withState: Bool = false
  ) throws(ContainerError) -> ExtractionReport {
    var extraction = extraction(withState: withState)
    try extraction.add(opened, to: path)
    return try extraction.finish()[0].get()
  }

  /// An extraction of containers of one archive or backup.
  package func extraction(withState: Bool) -> Extraction { Extraction(self, withState: withState) }

  /// Creates a folder that only its owner can read, for the folders of several containers.
  /// - Returns: its real path.
  /// - Throws: `ContainerError`; nothing is written then.
  package func makeFolder(_ path: String) throws(ContainerError) -> String {
    let destination = try destination(path)
    try converting(try fileSystem.makeDirectory(destination, mode: 0o700)) { (error: FileSystemError) in
      ContainerError(destination, error.reason.isExistence ? .occupied : .unusablePlace(error))
    }
    return destination
  }

  func destination(_ path: String) throws(ContainerError) -> String {
    let given = PathText.cleaned(path, workingDirectory: Platform.workingDirectory)
    func unusable(_ error: FileSystemError) -> ContainerError { ContainerError(error.path, .unusablePlace(error)) }
    let located = try converting(try fileSystem.location(of: given), unusable)
    let isThere = try converting(try fileSystem.status(located) != nil, unusable)
    guard !isThere, !path.isEmpty else { throw ContainerError(given, .occupied) }
    return located
  }
}

/// A new folder that is filled beside its destination, under a temporary name. It gets its final name only when it is
/// complete and on the disk. Until then it can be removed; nothing else is changed.
struct ExtractionFolder {
  private let fileSystem: any FileSystem
  let destination: String
  let staging: String
  private var folders: [String] = []
  private var files: [String] = []

  /// - Parameter number: the first number to try in the temporary name.
  init(at destination: String, number: Int, _ fileSystem: any FileSystem) throws(ContainerError) {
    self.fileSystem = fileSystem
    self.destination = destination
    staging = try converting(try Self.make(beside: destination, number, fileSystem), Self.notWritten)
    folders = [staging]
  }

  mutating func addFolder(_ path: String) throws(ContainerError) {
    let place = PathText.join(staging, path)
    try writing(path, try fileSystem.makeDirectory(place, mode: 0o700))
    folders.append(place)
  }

  mutating func addFile(_ path: String) throws(ContainerError) -> OpenFile {
    let place = PathText.join(staging, path)
    let handle = try writing(path, try fileSystem.create(place, mode: 0o600))
    files.append(place)
    return handle
  }

  func close(_ handle: OpenFile) { try? fileSystem.close(handle) }

  func write(_ bytes: [UInt8], to handle: OpenFile) throws(ContainerError) {
    try writing(handle.path, try fileSystem.write(bytes, to: handle))
  }

  func finish(_ handle: OpenFile) throws(ContainerError) {
    do throws(FileSystemError) {
      try fileSystem.synchronize(handle)
    } catch {
      close(handle)
      throw Self.notWritten(error)
    }
    try writing(handle.path, try fileSystem.close(handle))
  }

  mutating func abandon(_ handle: OpenFile) throws(ContainerError) {
    close(handle)
    try writing(handle.path, try fileSystem.remove(handle.path))
    if files.last == handle.path { files.removeLast() }
  }

  func complete() throws(ContainerError) {
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
      throw error.reason.isExistence ? ContainerError(destination, .occupied) : Self.notWritten(error)
    }
    do throws(FileSystemError) {
      try fileSystem.synchronizeDirectory(parent)
    } catch {
      try? fileSystem.rename(destination, to: staging, .replacing)
      throw Self.notWritten(error)
    }
  }

  func discard(after failure: ContainerError) throws(ContainerError) {
    do throws(FileSystemError) {
      for file in files.reversed() { try fileSystem.remove(file) }
      for folder in folders.reversed() { try fileSystem.removeDirectory(folder) }
    } catch {
      throw ContainerError(staging, .leftBehind(after: failure))
    }
  }

  private static func make(
    beside destination: String, _ first: Int, _ fileSystem: any FileSystem
  ) throws(FileSystemError) -> String {
    var number = first
    while true {
      let name = "\(PathText.stagingPrefix)\(number).tmp"
      let path = PathText.join(PathText.parent(destination), name)
      do throws(FileSystemError) {
        try fileSystem.makeDirectory(path, mode: 0o700)
        return path
      } catch {
        // An interrupted extraction has left its folder, or another one is running.
        guard error.reason.isExistence, number < first + 1_000 else { throw error }
        number += 1
      }
    }
  }

  private static func notWritten(_ error: FileSystemError) -> ContainerError {
    ContainerError(error.path, .notWritten(error))
  }

  private func writing<Result>(
    _ path: String, _ body: @autoclosure () throws(FileSystemError) -> Result
  ) throws(ContainerError) -> Result {
    try converting(try body()) {
      $0.reason.isExistence ? ContainerError(path, .collision) : Self.notWritten($0)
    }
  }
}
