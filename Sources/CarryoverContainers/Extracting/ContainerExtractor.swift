import Carryover
package import CarryoverSystem

/// Extracts the files of one app from an archive or a backup into a new folder, which is a container as it was. It
/// creates no links.
package struct ContainerExtractor: Sendable {
  private let fileSystem: any FileSystem
  private let observer: OpeningObserver
  private let freeBytes: @Sendable (String) -> Int64?

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
    guard let wrapper = opened.container.wrapper else { throw ContainerError(opened.container.root, .notWrapped) }
    let destination = try destination(path)
    let inside = wrapper.path == "/" ? "/" : wrapper.path + "/"
    guard !destination.utf8.starts(with: inside.utf8) else { throw ContainerError(destination, .insideWrapper) }
    let sources = ExtractionSources(opened, withState: withState)
    if let free = freeBytes(PathText.parent(destination)), sources.size > free {
      throw ContainerError(destination, .noRoom(needed: sources.size, free: free))
    }
    let container = opened.container
    let report = ExtractionReport(
      destination: destination,
      container: container.kind == .propertyList ? PathText.join(destination, container.name) : destination,
      bundleID: container.bundleID)
    var folder = try ExtractionFolder(at: destination, fileSystem)
    do throws(ContainerError) {
      var run = ExtractionRun(
        fileSystem: fileSystem, observer: observer, archive: wrapper.form == .archive ? wrapper.path : nil,
        report: report)
      try run.write(sources, to: &folder)
      try folder.complete()
      run.report.leftOut.sort { PathText.precedes($0.path, $1.path) }
      return run.report
    } catch {
      try folder.discard(after: error)
      throw error
    }
  }

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

  private func destination(_ path: String) throws(ContainerError) -> String {
    let given = PathText.cleaned(path, workingDirectory: Platform.workingDirectory)
    func unusable(_ error: FileSystemError) -> ContainerError { ContainerError(error.path, .unusablePlace(error)) }
    let located = try converting(try fileSystem.location(of: given), unusable)
    let isThere = try converting(try fileSystem.status(located) != nil, unusable)
    guard !isThere, !path.isEmpty else { throw ContainerError(given, .occupied) }
    return located
  }
}

struct ExtractionRun {
  let fileSystem: any FileSystem
  let observer: OpeningObserver
  /// The archive with the files or with the backup; nil for a backup on the disk.
  let archive: String?
  var report: ExtractionReport

  /// Writes every file. Files that have to be read from the archive again come last.
  mutating func write(_ sources: ExtractionSources, to folder: inout ExtractionFolder) throws(ContainerError) {
    let total = sources.entries.count
    for (index, entry) in sources.entries.enumerated() {
      try tell(index, total)
      switch entry.source {
      case .folder: try folder.addFolder(entry.path)
      case .bytes(let bytes):
        let handle = try folder.addFile(entry.path)
        try folder.write(bytes, to: handle)
        try folder.finish(handle)
        count(bytes.count)
      case .file(let path, let size): try copy(path, size, to: entry.path, in: &folder, index, total)
      case .archive: break
      case .leftOut(let reason): leaveOut(entry.path, reason)
      }
    }
    if let archive, !sources.archived.isEmpty { try stream(sources, from: archive, to: &folder) }
    try tell(total, total)
  }

  /// Copies a file of known size. A file with another size is skipped: it has changed since the container was opened,
  /// and may not fit on the disk.
  mutating func copy(
    _ source: String, _ size: Int64, to path: String, in folder: inout ExtractionFolder, _ index: Int, _ total: Int
  ) throws(ContainerError) {
    let handle = try folder.addFile(path)
    let size = Int(clamping: size)
    var done = 0
    while true {
      try tell(index, total)
      let part: [UInt8]
      do throws(FileSystemError) {
        // After the last byte, one more is requested, to detect a longer file.
        part = try fileSystem.read(source, from: done, count: min(Self.partSize, max(1, size - done)))
      } catch {
        try folder.abandon(handle)
        return leaveOut(path, .unreadable(error.cause))
      }
      guard part.isEmpty == (done == size) else {
        try folder.abandon(handle)
        return leaveOut(path, .unreadable("its size changed while it was read"))
      }
      if part.isEmpty { break }
      try folder.write(part, to: handle)
      done += part.count
    }
    try folder.finish(handle)
    count(size)
  }

  func tell(_ done: Int, _ total: Int) throws(ContainerError) {
    try observer.report(OpeningProgress(.extracting, done: done, total: total), at: report.destination)
  }

  mutating func count(_ bytes: Int) {
    report.files += 1
    report.bytes += bytes
  }

  mutating func leaveOut(_ path: String, _ reason: ExtractionReport.Reason) {
    report.leftOut.append(ExtractionReport.LeftOut(path: path, reason: reason))
  }

  private static let partSize = 4 << 20

  /// Writes the files that are not in memory, in the order of the archive.
  mutating func stream(
    _ sources: ExtractionSources, from archive: String, to folder: inout ExtractionFolder
  ) throws(ContainerError) {
    let places = sources.archived
    var waiting = places
    let total = sources.entries.count
    var current: (path: String, handle: OpenFile, size: Int)?
    try ArchiveReader.stream(
      archiveAt: archive, as: sources.version, selecting: { places[$0] != nil }, observer: quiet
    ) { (part) throws(ContainerError) in
      try tell(total - waiting.count, total)
      switch part {
      case .file(let path):
        guard let place = waiting[path] else { break }
        current = (path, try folder.addFile(place.path), 0)
      case .bytes(let bytes):
        guard let file = current else { break }
        try folder.write(bytes, to: file.handle)
        current?.size += bytes.count
      case .end:
        guard let file = current else { break }
        try folder.finish(file.handle)
        count(file.size)
        waiting[file.path] = nil
        current = nil
      case .copy(let path, let original):
        guard let place = waiting.removeValue(forKey: StringByBytes(path)), let written = places[original] else {
          break
        }
        let source = PathText.join(folder.staging, written.path)
        try copy(source, place.size, to: place.path, in: &folder, total - waiting.count, total)
      }
    }
    for (path, place) in waiting.sorted(by: { $0.key < $1.key }) {
      leaveOut(place.path, .unreadable("the archive has no content of \(DisplayText.quoted(path.text))"))
    }
  }

  /// Cancels the reading of the archive with the extraction, but reports no progress of its own.
  private var quiet: OpeningObserver {
    let observer = observer
    let last = OpeningProgress(.extracting, done: report.files)
    return OpeningObserver { _ in observer.goesOn(last) }
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

  init(at destination: String, _ fileSystem: any FileSystem) throws(ContainerError) {
    self.fileSystem = fileSystem
    self.destination = destination
    staging = try converting(try Self.make(beside: destination, fileSystem), Self.notWritten)
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

  func write(_ bytes: [UInt8], to handle: OpenFile) throws(ContainerError) {
    try writing(handle.path, try fileSystem.write(bytes, to: handle))
  }

  func finish(_ handle: OpenFile) throws(ContainerError) {
    do throws(FileSystemError) {
      try fileSystem.synchronize(handle)
    } catch {
      try? fileSystem.close(handle)
      throw Self.notWritten(error)
    }
    try writing(handle.path, try fileSystem.close(handle))
  }

  mutating func abandon(_ handle: OpenFile) throws(ContainerError) {
    try? fileSystem.close(handle)
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

  private static func make(beside destination: String, _ fileSystem: any FileSystem) throws(FileSystemError) -> String {
    var number = 1
    while true {
      let name = "\(PathText.stagingPrefix)\(number).tmp"
      let path = PathText.join(PathText.parent(destination), name)
      do throws(FileSystemError) {
        try fileSystem.makeDirectory(path, mode: 0o700)
        return path
      } catch {
        // An interrupted extraction has left its folder, or another one is running.
        guard error.reason.isExistence, number < 1_000 else { throw error }
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
