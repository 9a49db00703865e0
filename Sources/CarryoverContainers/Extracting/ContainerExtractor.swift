import Carryover
package import CarryoverSystem

/// Takes the files of one app out of an archive or a backup, into a new folder.
///
/// The folder is a container as it was: an app's data folder, a package from Xcode, or a property list with what lies
/// beside it. Links are never made. The archive or backup is only read.
package struct ContainerExtractor: Sendable {
  private let fileSystem: any FileSystem
  private let observer: OpeningObserver
  private let freeBytes: @Sendable (String) -> Int64?

  /// An extractor that writes through a file system.
  /// - Parameter observer: is told how many files are written, and can end the work.
  package init(fileSystem: any FileSystem, observer: OpeningObserver = .none) {
    self.init(fileSystem: fileSystem, observer: observer, freeBytes: Platform.freeBytes)
  }

  /// - Parameter freeBytes: tells how much room there is on the disk of a folder; nil where that is not known.
  init(
    fileSystem: any FileSystem, observer: OpeningObserver = .none, freeBytes: @escaping @Sendable (String) -> Int64?
  ) {
    self.fileSystem = fileSystem
    self.observer = observer
    self.freeBytes = freeBytes
  }

  /// Makes a folder with the container's files: files readable by their owner alone, on the disk when this returns.
  /// - Parameters:
  ///   - path: the folder to make; nothing may stand there.
  ///   - withState: whether state folders of Carryover's that came along are taken too: records, backups and decisions
  ///     of whoever made the archive. The report names those that are left out.
  /// - Throws: `ExtractionError`, with nothing left but what it names.
  package func extract(
    _ opened: OpenedContainer, to path: String, withState: Bool = false
  ) throws(ExtractionError) -> ExtractionReport {
    guard let wrapper = opened.container.wrapper else { throw .notWrapped(opened.container.root) }
    let destination = try destination(path, outside: wrapper)
    let sources = ExtractionSources(opened, withState: withState)
    if let free = freeBytes(PathText.parent(destination)), sources.size > free {
      throw .noRoom(destination, needed: sources.size, free: free)
    }
    var folder = try ExtractionFolder(at: destination, fileSystem)
    do throws(ExtractionError) {
      var run = ExtractionRun(
        fileSystem: fileSystem, observer: observer, archive: wrapper.form == .archive ? wrapper.path : nil,
        report: ExtractionReport(destination: destination, bundleID: opened.container.bundleID))
      try run.write(sources, to: &folder)
      try folder.complete()
      run.report.leftOut.sort { PathText.precedes($0.path, $1.path) }
      return run.report
    } catch {
      try folder.discard(after: error)
      throw error
    }
  }

  /// The one spelling of the destination.
  private func destination(_ path: String, outside wrapper: ContainerWrapper) throws(ExtractionError) -> String {
    let given = PathText.cleaned(path, workingDirectory: Platform.workingDirectory)
    let located: String
    let isThere: Bool
    do throws(FileSystemError) {
      located = try fileSystem.location(of: given)
      isThere = try fileSystem.status(located) != nil
    } catch {
      throw .place(error)
    }
    guard !isThere, !path.isEmpty else { throw .occupied(given) }
    let inside = wrapper.path == "/" ? "/" : wrapper.path + "/"
    guard !located.utf8.starts(with: inside.utf8) else { throw .inside(given) }
    return located
  }
}

/// The work of taking files out.
struct ExtractionRun {
  let fileSystem: any FileSystem
  let observer: OpeningObserver
  /// The archive that the files are in, or the backup is; nil for a backup on the disk.
  let archive: String?
  var report: ExtractionReport

  /// Writes every file. Those that have to be read from the archive once more come last.
  mutating func write(_ sources: ExtractionSources, to folder: inout ExtractionFolder) throws(ExtractionError) {
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

  /// Copies a file that has a known size. One that has another by now is left out: it is not what was to be taken out,
  /// and there may be no room for it.
  mutating func copy(
    _ source: String, _ size: Int64, to path: String, in folder: inout ExtractionFolder, _ index: Int, _ total: Int
  ) throws(ExtractionError) {
    let handle = try folder.addFile(path)
    let size = Int(clamping: size)
    var done = 0
    while true {
      try tell(index, total)
      let part: [UInt8]
      do throws(FileSystemError) {
        // After the last byte one more is asked for, which tells whether there is more.
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

  func tell(_ done: Int, _ total: Int) throws(ExtractionError) {
    do throws(ContainerError) {
      try observer.report(OpeningProgress(.extracting, done: done, total: total), at: report.destination)
    } catch {
      throw .container(error)
    }
  }

  mutating func count(_ bytes: Int) {
    report.files += 1
    report.bytes += bytes
  }

  mutating func leaveOut(_ path: String, _ reason: ExtractionReport.Reason) {
    report.leftOut.append(ExtractionReport.LeftOut(path: path, reason: reason))
  }

  private static let partSize = 4 << 20
}
