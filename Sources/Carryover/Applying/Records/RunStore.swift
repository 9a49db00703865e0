import CarryoverSystem
import PropertyLists

/// The state folder of a container: its lock, and a folder for each run with the files before and after it.
///
/// A container comes from somewhere else, and so may its state folder: nothing here follows a link or trusts a name.
struct RunStore {
  let fileSystem: any FileSystem
  /// The state folder's path on this machine.
  let path: String
  /// What this user's documents are sealed with; nil where the user has no key yet, so that none is theirs.
  let seal: StateSeal?

  var lock: String { path + "/lock" }
  var runs: String { path + "/runs" }
  var journal: String { path + "/journal.json" }

  /// A run's folder.
  func folder(_ id: RunID) -> String { runs + "/" + id.text }

  /// A run's record.
  func recordPath(_ id: RunID) -> String { folder(id) + "/record.json" }

  /// Where a run keeps a file as it was before or after it.
  func copy(_ side: Side, _ name: String, of id: RunID) -> String { folder(id) + "/" + side.rawValue + "/" + name }

  /// The two folders of a run.
  enum Side: String, CaseIterable { case before, after }

  /// The runs, newest first; empty where there is no state folder.
  /// - Parameter limited: whether to refuse more than a container may have.
  /// - Throws: `tooManyRuns`.
  func ids(limited: Bool = true) throws(RunError) -> [RunID] {
    guard try isThere(), try isFolder(runs) else { return [] }
    let ids = try RunError.early(fileSystem.list(runs)).compactMap { RunID($0) }.sorted(by: >)
    guard !limited || ids.count <= Self.mostRuns else { throw .tooManyRuns(path: runs, limit: Self.mostRuns) }
    return ids
  }

  /// The record of a run that this user's Carryover made; nil for any other, also for one that cannot be read.
  func ownRecord(_ id: RunID) throws(RunError) -> RunRecord? {
    do {
      return try recordUnlessForeign(id)
    } catch {
      switch error {
      // What cannot be read cannot be proved to be the user's own.
      case .damagedRecord, .newerRecord: return nil
      default: throw error
      }
    }
  }

  /// The newest run that this user's Carryover made.
  func newestOwn() throws(RunError) -> RunRecord? {
    for id in try ids() {
      if let record = try ownRecord(id) { return record }
    }
    return nil
  }

  /// The record of a run that may be the user's own; nil for one that certainly is not, which is told before its content
  /// is looked at.
  /// - Throws: `damagedRecord` and `newerRecord` for a record that may be the user's own and cannot be read.
  func recordUnlessForeign(_ id: RunID) throws(RunError) -> RunRecord? {
    let folder = try Self.status(of: folder(id), fileSystem)
    guard folder?.kind == .directory, folder?.user == fileSystem.user, let (image, path) = try recordFile(id),
      image.status.user == fileSystem.user
    else { return nil }
    let reader = try RecordReader(image.bytes, path: path)
    guard foreignReason(of: reader.root, image) == nil else { return nil }
    return try record(id, reader, nil)
  }

  /// A run's record; nil where it was not written, which is before the run changed anything.
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
      // A record is replaced as a whole and never grows or shrinks: with another length, the reading failed.
      guard image.status.size == Int64(image.bytes.count) else {
        throw FileSystemError(.read, path, .system(SystemErrorNumber.inputOutput.number))
      }
      return (image, path)
    } catch {
      switch error.reason {
      case let reason where reason.isDenied && isClosed(id):
        throw .damagedRecord(path: path, reason: error.description)
      case .tooLarge, .notRegular: throw .damagedRecord(path: path, reason: error.description)
      default: throw .file(error, .nothingChanged)
      }
    }
  }

  /// Whether the owner or the permission bits of a run's folder or record keep this user out. Where they do not, the
  /// system refused for a reason of its own, which tells nothing of the run and may be gone the next time.
  func isClosed(_ id: RunID) -> Bool {
    [(folder(id), UInt32(0o100)), (recordPath(id), 0o400)].contains { path, needed in
      guard let status = try? fileSystem.status(path) else { return false }
      return status.user != fileSystem.user || status.mode & needed == 0
    }
  }

  private func record(
    _ id: RunID, _ reader: RecordReader, _ foreign: ForeignReason?
  ) throws(RunError) -> RunRecord {
    var record = try RunRecord(reader)
    guard record.id == id else { throw .damagedRecord(path: reader.path, reason: "It is the record of another run.") }
    record.foreign = foreign
    return record
  }

  /// Why a document of the state folder is not this user's own; nil where it is.
  func foreignReason(of document: JSONValue, _ image: FileImage) -> ForeignReason? {
    StateSeal.foreignReason(of: document, ownedBy: image.status.user, fileSystem.user, seal)
  }

  /// The bytes of a document of the state folder, sealed.
  func sealed(_ document: JSONValue) -> [UInt8] {
    Array(((seal?.sealed(document) ?? document).text(pretty: true) + "\n").utf8)
  }

  /// Makes sure that a record that was just written will count as the user's own.
  /// - Throws: `ownerNotShown`.
  func requireOwned(_ id: RunID) throws(RunError) {
    let path = recordPath(id)
    guard let user = try Self.status(of: path, fileSystem)?.user, user != fileSystem.user else { return }
    throw .ownerNotShown(path: path, user: user)
  }

  /// Puts a run's record in the place of what it said before.
  func write(_ record: RunRecord, _ files: inout DurableFiles) throws(FileSystemError) {
    try files.replace(recordPath(record.id), with: sealed(record.document))
  }

  /// A file as it was before or after a run.
  /// - Throws: `damagedBackup` where the bytes are not those that were recorded.
  func state(_ side: Side, _ state: RecordedState, of id: RunID) throws(RunError) -> FileState {
    guard case .file(let name, let attributes, let digest) = state else { return .absent }
    _ = try isFolder(folder(id) + "/" + side.rawValue)
    let path = copy(side, name, of: id)
    let bytes: [UInt8]
    do {
      // The size is the record's word, and memory is ours.
      bytes = try fileSystem.read(path, limit: min(digest.size, DurableFiles.largestFile)).bytes
    } catch {
      if case .tooLarge = error.reason { throw .damagedBackup(path: path) }
      throw .file(error, .nothingChanged)
    }
    guard state.matches(bytes) else { throw .damagedBackup(path: path) }
    return .file(bytes: bytes, attributes: attributes)
  }

  /// What is at a path; nil for nothing.
  static func status(of path: String, _ fileSystem: any FileSystem) throws(RunError) -> FileStatus? {
    try RunError.early(fileSystem.status(path))
  }

  /// Whether there is a state folder that can be looked into: another user's that is closed tells nothing.
  func isThere() throws(RunError) -> Bool { try isFolder(path) && closedOwner == nil }

  /// Whose the state folder is, where it is another user's and closed to this one.
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

  /// Whether a folder is there.
  /// - Throws: `unsafePath` for a link or anything else in its place.
  func isFolder(_ path: String) throws(RunError) -> Bool { try Self.isFolder(path, fileSystem) }

  /// The same where there is no store yet.
  static func isFolder(_ path: String, _ fileSystem: any FileSystem) throws(RunError) -> Bool {
    switch try status(of: path, fileSystem)?.kind {
    case nil: return false
    case .directory: return true
    case .symbolicLink: throw .unsafePath(path, .isLink)
    default: throw .unsafePath(path, .wrongKind)
    }
  }

  /// The longest record or journal that is read, in bytes.
  static let largestRecord = 4 << 20
  /// What of it is left for the seal and for what is noted of a run later, in bytes.
  static let roomForSeal = 8 << 10
  /// How many files a run may be about.
  static let mostFiles = 64
  /// How many runs a container may have.
  static let mostRuns = 4096
}
