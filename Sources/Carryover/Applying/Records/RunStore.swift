import CarryoverSystem
import PropertyLists

/// The state folder of a container: its lock, and a folder for each run with the files before and after it.
///
/// A container is untrusted, and so is its state folder: no link is followed and no name is trusted here.
struct RunStore {
  let fileSystem: any FileSystem
  let path: String
  /// The seal of this user's documents; nil if the user has no key yet, so that no document is the user's own.
  let seal: StateSeal?

  var lock: String { path + "/lock" }
  var runs: String { path + "/runs" }
  var journal: String { path + "/journal.json" }
  func folder(_ id: RunID) -> String { runs + "/" + id.text }
  func backup(of id: RunID) -> String { folder(id) + "/" + Side.before.rawValue }
  func recordPath(_ id: RunID) -> String { folder(id) + "/record.json" }
  func copy(_ side: Side, _ name: String, of id: RunID) -> String { folder(id) + "/" + side.rawValue + "/" + name }

  enum Side: String, CaseIterable { case before, after }

  /// The ids of the runs, newest first; empty if there is no state folder.
  func ids(limited: Bool = true) throws(RunError) -> [RunID] {
    guard try isThere(), try isFolder(runs) else { return [] }
    let ids = try RunError.attempt(fileSystem.list(runs)).compactMap { RunID($0) }.sorted(by: >)
    guard !limited || ids.count <= Self.mostRuns else { throw .tooManyRuns(path: runs, limit: Self.mostRuns) }
    return ids
  }

  /// The record of a run, if this user's Carryover wrote it; nil for any other or an unreadable one.
  func ownRecord(_ id: RunID) throws(RunError) -> RunRecord? {
    do {
      return try recordUnlessForeign(id)
    } catch {
      // A record that cannot be read cannot be proved to be the user's own.
      guard error.isOfRecord else { throw error }
      return nil
    }
  }

  func newestOwn() throws(RunError) -> RunRecord? {
    for id in try ids() {
      if let record = try ownRecord(id) { return record }
    }
    return nil
  }

  /// The record of a run that may be the user's own; nil for one that certainly is not, which is decided without
  /// reading its content.
  func recordUnlessForeign(_ id: RunID) throws(RunError) -> RunRecord? {
    let folder = try Self.status(of: folder(id), fileSystem)
    guard folder?.kind == .directory, folder?.user == fileSystem.user, let (image, path) = try recordFile(id),
      image.status.user == fileSystem.user
    else { return nil }
    let reader = try RecordReader(image.bytes, path: path)
    guard foreignReason(of: reader.root, image) == nil else { return nil }
    return try record(id, reader, nil)
  }

  func record(_ id: RunID) throws(RunError) -> RunRecord? {
    guard let (image, path) = try recordFile(id) else { return nil }
    let reader = try RecordReader(image.bytes, path: path)
    return try record(id, reader, foreignReason(of: reader.root, image))
  }

  private func recordFile(_ id: RunID) throws(RunError) -> (image: FileImage, path: String)? {
    guard try isFolder(folder(id)) else { return nil }
    let path = recordPath(id)
    do throws(FileSystemError) {
      guard try fileSystem.status(path) != nil else { return nil }
      let image = try fileSystem.read(path, limit: Self.largestRecord)
      // A record is only replaced as a whole. If its length differs, reading failed.
      guard image.status.size == Int64(image.bytes.count) else {
        throw FileSystemError(.read, path, .system(SystemErrorNumber.inputOutput.number))
      }
      return (image, path)
    } catch {
      switch error.reason {
      case let reason where reason.isDenied && isClosed(id): throw .damagedRecord(path: path, reason: error.description)
      case .tooLarge, .notRegular: throw .damagedRecord(path: path, reason: error.description)
      default: throw .file(error, .nothingChanged)
      }
    }
  }

  /// Whether the owner or the permission bits of a run's folder or record deny access to this user. If they do not, the
  /// system refused for another reason, which may be temporary.
  func isClosed(_ id: RunID) -> Bool {
    [(folder(id), UInt32(0o100)), (recordPath(id), 0o400)].contains { path, needed in
      guard let status = try? fileSystem.status(path) else { return false }
      return status.user != fileSystem.user || status.mode & needed == 0
    }
  }

  private func record(_ id: RunID, _ reader: RecordReader, _ foreign: ForeignReason?) throws(RunError) -> RunRecord {
    var record = try RunRecord(reader)
    guard record.id == id else {
      throw .damagedRecord(path: recordPath(id), reason: "It is the record of another run.")
    }
    record.foreign = foreign
    return record
  }

  func foreignReason(of document: JSONValue, _ image: FileImage) -> ForeignReason? {
    StateSeal.foreignReason(of: document, ownedBy: image.status.user, fileSystem.user, seal)
  }

  func sealed(_ document: JSONValue) -> [UInt8] {
    Array(((seal?.sealed(document) ?? document).text(pretty: true) + "\n").utf8)
  }

  func requireOwned(_ id: RunID) throws(RunError) {
    let path = recordPath(id)
    guard let user = try Self.status(of: path, fileSystem)?.user, user != fileSystem.user else { return }
    throw .ownerNotShown(path: path, user: user)
  }

  func write(_ record: RunRecord, _ files: inout DurableFiles) throws(FileSystemError) {
    try files.replace(recordPath(record.id), with: sealed(record.document))
  }

  func state(_ side: Side, _ state: RecordedState, of id: RunID) throws(RunError) -> FileState {
    guard case .file(let name, let attributes, let digest) = state else { return .absent }
    _ = try isFolder(folder(id) + "/" + side.rawValue)
    let path = copy(side, name, of: id)
    let bytes: [UInt8]
    do {
      // The recorded size is not trusted, so the read has its own limit.
      bytes = try fileSystem.read(path, limit: min(digest.size, DurableFiles.largestFile)).bytes
    } catch {
      if case .tooLarge = error.reason { throw .damagedBackup(path: path) }
      throw .file(error, .nothingChanged)
    }
    guard state.matches(bytes) else { throw .damagedBackup(path: path) }
    return .file(bytes: bytes, attributes: attributes)
  }

  static func status(of path: String, _ fileSystem: any FileSystem) throws(RunError) -> FileStatus? {
    try RunError.attempt(fileSystem.status(path))
  }

  /// Whether there is a readable state folder. Another user's closed folder does not count.
  func isThere() throws(RunError) -> Bool { try isFolder(path) && closedOwner == nil }

  /// The owner of the state folder, if it is another user and denies access; nil otherwise.
  var closedOwner: UInt32? {
    guard let status = try? fileSystem.status(path), status.kind == .directory, status.user != fileSystem.user else {
      return nil
    }
    do {
      _ = try fileSystem.list(path)
      return nil
    } catch {
      return error.reason.isDenied ? status.user : nil
    }
  }

  func isFolder(_ path: String) throws(RunError) -> Bool { try Self.isFolder(path, fileSystem) }

  static func isFolder(_ path: String, _ fileSystem: any FileSystem) throws(RunError) -> Bool {
    switch try status(of: path, fileSystem)?.kind {
    case nil: return false
    case .directory: return true
    case .symbolicLink: throw .unsafePath(path, .isLink)
    default: throw .unsafePath(path, .wrongKind)
    }
  }

  static let largestRecord = 4 << 20
  /// The part of it that is reserved for the seal and for later additions, in bytes.
  static let roomForSeal = 8 << 10
  static let mostFiles = 64
  static let mostRuns = 4096
}

struct StateLock {
  let store: RunStore
  private let handle: OpenFile
  private let madeState: Bool
  private let madeRuns: Bool

  /// Acquires the lock without waiting, and creates the state folder if necessary.
  /// - Throws: `busy` with the holder's process id, or the reason that the folder cannot be used. Nothing is left
  ///   behind then.
  static func take(_ store: RunStore, _ files: DurableFiles) throws(RunError) -> StateLock {
    let madeState = try makeFolder(store.path, files)
    let handle: OpenFile
    do {
      handle = try files.fileSystem.lock(store.lock, mode: 0o600)
    } catch {
      if madeState { try? files.fileSystem.removeDirectory(store.path) }
      if case .busy(let holder) = error.reason { throw .busy(state: store.path, holder: holder) }
      throw .file(error, .nothingChanged)
    }
    do {
      let madeRuns = try makeFolder(store.runs, files)
      return StateLock(store: store, handle: handle, madeState: madeState, madeRuns: madeRuns)
    } catch {
      StateLock(store: store, handle: handle, madeState: madeState, madeRuns: false).release(files, keeping: false)
      throw error
    }
  }

  /// - Parameter keeping: false after a run that changed nothing: an empty folder is removed.
  func release(_ files: DurableFiles, keeping: Bool) {
    let fileSystem = files.fileSystem
    if !keeping && madeRuns { try? fileSystem.removeDirectory(store.runs) }
    let empty = !keeping && madeState && (try? fileSystem.list(store.path)) == ["lock"]
    // The file is removed under the lock: a process that opened it earlier notices that it is no longer the lock.
    if empty { try? fileSystem.remove(store.lock) }
    try? fileSystem.close(handle)
    if empty { try? fileSystem.removeDirectory(store.path) }
  }

  /// Creates a folder that only this user can access. A run flushes its name to the disk.
  /// - Returns: whether the folder is new.
  private static func makeFolder(_ path: String, _ files: DurableFiles) throws(RunError) -> Bool {
    if try RunStore.isFolder(path, files.fileSystem) { return false }
    do {
      try files.fileSystem.makeDirectory(path, mode: 0o700)
    } catch {
      // Another process was faster; the lock decides.
      if error.reason == .system(SystemErrorNumber.exists.number), try RunStore.isFolder(path, files.fileSystem) {
        return false
      }
      throw .file(error, .nothingChanged)
    }
    return true
  }
}
