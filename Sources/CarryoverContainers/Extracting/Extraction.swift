import Carryover
import CarryoverSystem

/// Extracts containers of one archive or backup, each into its own new folder. The files of an archive that are not in
/// memory are read in one more pass, for all containers.
package struct Extraction {
  private let extractor: ContainerExtractor
  private let withState: Bool
  private var runs: [ExtractionRun] = []
  private var archive: (path: String, version: SourceFile.Version?)?
  /// The bytes that the pass through the archive will write.
  private var reserved: Int64 = 0

  init(_ extractor: ContainerExtractor, withState: Bool) {
    self.extractor = extractor
    self.withState = withState
  }

  /// Creates a folder with the container's files that are in memory or on the disk. It is complete if these are all.
  /// - Throws: `ContainerError`. Everything that was created for this container is removed, except what the error names.
  package mutating func add(_ opened: OpenedContainer, to path: String) throws(ContainerError) {
    guard let wrapper = opened.container.wrapper else { throw ContainerError(opened.container.root, .notWrapped) }
    let destination = try extractor.destination(path)
    let inside = wrapper.path == "/" ? "/" : wrapper.path + "/"
    guard !destination.utf8.starts(with: inside.utf8) else { throw ContainerError(destination, .insideWrapper) }
    let sources = ExtractionSources(opened, withState: withState)
    if let free = extractor.freeBytes(PathText.parent(destination)), sources.size > free - reserved {
      throw ContainerError(destination, .noRoom(needed: sources.size, free: max(0, free - reserved)))
    }
    let container = opened.container
    let report = ExtractionReport(
      destination: destination,
      container: container.kind == .propertyList ? PathText.join(destination, container.name) : destination,
      bundleID: container.bundleID)
    // The temporary folders of all containers are there at once.
    let folder = try ExtractionFolder(at: destination, number: runs.count + 1, extractor.fileSystem)
    var run = ExtractionRun(
      fileSystem: extractor.fileSystem, observer: extractor.observer, folder: folder, report: report, sources)
    run.write(sources)
    if run.waiting.isEmpty { run.finish() }
    if case .failure(let error)? = run.result { throw error }
    if wrapper.form == .archive { archive = (wrapper.path, sources.version) }
    reserved += run.archived.values.reduce(0) { $0 + $1.size }
    runs.append(run)
  }

  /// Completes the folders.
  /// - Returns: the results, in the order in which the containers were added. Everything that was created for one that
  ///   failed is removed, except what its error names.
  package mutating func finish() -> [Result<ExtractionReport, ContainerError>] {
    if let archive { while !stream(archive.path, archive.version) {} }
    return runs.indices.map { index in runs[index].finish() }
  }

  /// Reads the archive once. An entry that cannot be read harms only its own containers.
  /// - Returns: false if the archive has to be read again for the others.
  private mutating func stream(_ path: String, _ version: SourceFile.Version?) -> Bool {
    var owners: [StringByBytes: [Int]] = [:]
    var (done, total) = (0, 0)
    let pending = runs.indices.filter { runs[$0].result == nil }
    for index in pending {
      for path in runs[index].archived.keys { owners[path, default: []].append(index) }
      total += runs[index].total
      done += runs[index].total - runs[index].waiting.count
    }
    guard !owners.isEmpty else { return true }
    let observer = extractor.observer
    let start = OpeningProgress(.extracting, done: done, total: total)
    // Cancels the reading with the extraction, but reports no progress of its own.
    let quiet = OpeningObserver { _ in observer.goesOn(start) }
    var receivers: [Int] = []
    do throws(ContainerError) {
      try ArchiveReader.stream(
        archiveAt: path, as: version, selecting: { owners[$0] != nil }, observer: quiet
      ) { (part) throws(ContainerError) in
        try observer.report(OpeningProgress(.extracting, done: done, total: total), at: path)
        switch part {
        case .file(let path), .copy(let path, _):
          receivers = owners[path, default: []].filter { runs[$0].result == nil && runs[$0].waiting[path] != nil }
        case .bytes, .end: break
        }
        for index in receivers { runs[index].receive(part) }
        switch part {
        case .file, .bytes: break
        case .copy, .end:
          done += receivers.count
          receivers = []
        }
      }
      return true
    } catch {
      let harmed = error.kind == .cancelled ? [] : receivers.filter { runs[$0].result == nil }
      for index in harmed.isEmpty ? pending : harmed { runs[index].fail(error) }
      return harmed.isEmpty
    }
  }
}

/// Writes one container into its new folder.
struct ExtractionRun {
  let fileSystem: any FileSystem
  let observer: OpeningObserver
  /// The files that have to be read from the archive again, by their paths in it.
  let archived: [StringByBytes: ExtractionSources.Entry]
  /// Those that are not written yet.
  private(set) var waiting: [StringByBytes: ExtractionSources.Entry]
  /// The number of items.
  let total: Int
  /// Nil until the folder is complete, or removed.
  private(set) var result: Result<ExtractionReport, ContainerError>?
  private var folder: ExtractionFolder
  private var report: ExtractionReport
  private var current: (path: String, handle: OpenFile, size: Int)?

  init(
    fileSystem: any FileSystem, observer: OpeningObserver, folder: ExtractionFolder, report: ExtractionReport,
    _ sources: ExtractionSources
  ) {
    (self.fileSystem, self.observer, self.folder, self.report) = (fileSystem, observer, folder, report)
    archived = sources.archived
    waiting = archived
    total = sources.entries.count
  }

  /// Writes every file that is not to be read from the archive.
  mutating func write(_ sources: ExtractionSources) {
    do throws(ContainerError) {
      for (index, entry) in sources.entries.enumerated() {
        try tell(index)
        switch entry.source {
        case .folder: try folder.addFolder(entry.path)
        case .bytes(let bytes):
          let handle = try folder.addFile(entry.path)
          try folder.write(bytes, to: handle)
          try folder.finish(handle)
          count(bytes.count)
        case .file(let path, let size): try copy(path, size, to: entry.path, index)
        case .archive: break
        case .leftOut(let reason): leaveOut(entry.path, reason)
        }
      }
      if waiting.isEmpty { try tell(total) }
    } catch {
      fail(error)
    }
  }

  /// Writes the next part of a file that is waiting.
  mutating func receive(_ part: ArchivePart) {
    guard result == nil else { return }
    do throws(ContainerError) { try write(part) } catch { fail(error) }
  }

  private mutating func write(_ part: ArchivePart) throws(ContainerError) {
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
      // Closes the file even if it fails.
      current = nil
      try folder.finish(file.handle)
      count(file.size)
      waiting[file.path] = nil
    case .copy(let path, let original):
      // The original may be a file of another container.
      guard let place = waiting[path], let written = archived[original] else { break }
      waiting[path] = nil
      try copy(PathText.join(folder.staging, written.path), place.size, to: place.path, total - waiting.count)
    }
  }

  /// Removes what was created.
  mutating func fail(_ error: ContainerError) {
    guard result == nil else { return }
    if let file = current { folder.close(file.handle) }
    current = nil
    do throws(ContainerError) {
      try folder.discard(after: error)
      result = .failure(error)
    } catch {
      result = .failure(error)
    }
  }

  /// Gives the folder its name.
  @discardableResult
  mutating func finish() -> Result<ExtractionReport, ContainerError> {
    if let result { return result }
    for (path, place) in waiting.sorted(by: { $0.key < $1.key }) {
      leaveOut(place.path, .unreadable("the archive has no content of \(DisplayText.quoted(path.text))"))
    }
    do throws(ContainerError) {
      try folder.complete()
    } catch {
      fail(error)
    }
    report.leftOut.sort { PathText.precedes($0.path, $1.path) }
    let result = self.result ?? .success(report)
    self.result = result
    return result
  }

  /// Copies a file of known size. A file with another size is skipped: it has changed since the container was opened,
  /// and may not fit on the disk.
  private mutating func copy(
    _ source: String, _ size: Int64, to path: String, _ index: Int
  ) throws(ContainerError) {
    let handle = try folder.addFile(path)
    let size = Int(clamping: size)
    var done = 0
    while true {
      try tell(index)
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

  private func tell(_ done: Int) throws(ContainerError) {
    try observer.report(OpeningProgress(.extracting, done: done, total: total), at: report.destination)
  }

  private mutating func count(_ bytes: Int) {
    report.files += 1
    report.bytes += bytes
  }

  private mutating func leaveOut(_ path: String, _ reason: ExtractionReport.Reason) {
    report.leftOut.append(ExtractionReport.LeftOut(path: path, reason: reason))
  }

  private static let partSize = 4 << 20
}
