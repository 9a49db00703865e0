import Carryover
import CarryoverSystem

/// What opening a container depended on: the state of each path that was looked at. Asking for it again tells whether
/// anything has changed, without reading a file.
struct Footprint: Sendable {
  private struct Mark: Sendable {
    var status: FileStatus?
    /// Whether more than the first bytes of the file were read.
    var isRead: Bool
  }

  private var marks: [StringByBytes: Mark] = [:]
  /// The paths to ask for.
  private var asked: [String] = []
  /// Whether something may have changed although its status has not: see ``StoreMemory``.
  private(set) var isUnsettled = false

  var isEmpty: Bool { asked.isEmpty }

  func hasChanged(_ fileSystem: any FileSystem) -> Bool {
    asked.contains { path in marks[StringByBytes(path)]?.status != (try? fileSystem.status(path)) }
  }

  fileprivate mutating func note(_ path: String, _ status: FileStatus?, isRead: Bool) {
    let path = StringByBytes(path)
    // The first state counts: what was read later may belong to a newer one.
    marks[path] = Mark(status: marks[path].map(\.status) ?? status, isRead: isRead || marks[path]?.isRead == true)
  }

  /// Chooses the paths to ask for: folders, missing files, files that were read, now or earlier, and files that may still
  /// be being written. There may be many others, such as pictures.
  fileprivate mutating func close(after earlier: Footprint?, at now: Moment) {
    for (path, mark) in earlier?.marks ?? [:] where mark.isRead { marks[path]?.isRead = true }
    asked = marks.compactMap { path, mark in
      guard let status = mark.status, status.kind == .regular, !mark.isRead else { return path.text }
      return status.changes.isRecent(at: now) ? path.text : nil
    }
    isUnsettled = asked.contains { path in
      guard let changes = marks[StringByBytes(path)]?.status?.changes, changes != .init() else { return false }
      return !changes.isOld(at: now)
    }
  }
}

/// A file system that notes the footprint of what is read through it.
final class FootprintFileSystem: FileSystemLayer {
  let base: any FileSystem
  private let noted = Locked(Footprint())

  init(_ base: any FileSystem) { self.base = base }

  func footprint(after earlier: Footprint?, at now: Moment) -> Footprint {
    var footprint = noted.withLock { $0 }
    footprint.close(after: earlier, at: now)
    return footprint
  }

  /// Notes a file that is read in another way, such as an archive.
  func depend(on path: String) { note(path, isRead: true) }

  private func note(_ path: String, isRead: Bool = false) {
    let status = try? base.status(path)
    noted.withLock { $0.note(path, status, isRead: isRead) }
  }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    note(path, isRead: true)
    return try base.read(path, limit: limit)
  }

  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    note(path)
    return try base.read(path, from: offset, count: count)
  }

  func status(_ path: String) throws(FileSystemError) -> FileStatus? {
    let status = try base.status(path)
    noted.withLock { $0.note(path, status, isRead: false) }
    return status
  }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    note(path)
    return try base.list(path)
  }
}
