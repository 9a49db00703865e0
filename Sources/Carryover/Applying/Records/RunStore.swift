/// The state folder of a container: its lock, and a folder for each run with the files before and after it.
///
/// A container comes from somewhere else, and so may its state folder: nothing here follows a link or trusts a name.
struct RunStore {
  let fileSystem: any FileSystem
  /// The state folder's path on this machine.
  let path: String

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
  func ids() throws(MigrationError) -> [RunID] {
    guard try isFolder(path), try isFolder(runs) else { return [] }
    do {
      return try fileSystem.list(runs).compactMap { RunID($0) }.sorted(by: >)
    } catch {
      throw .file(error, .nothingChanged)
    }
  }

  /// A run's record; nil where it was not written, which is before the run changed anything.
  func record(_ id: RunID) throws(MigrationError) -> RunRecord? {
    guard try isFolder(folder(id)) else { return nil }
    let path = recordPath(id)
    let bytes: [UInt8]
    do {
      guard try fileSystem.status(path) != nil else { return nil }
      bytes = try fileSystem.read(path, limit: Self.largestRecord).bytes
    } catch {
      switch error.reason {
      case .tooLarge, .notRegular: throw .damagedRecord(path: path, reason: error.description)
      default: throw .file(error, .nothingChanged)
      }
    }
    let record = try RunRecord(json: bytes, path: path)
    guard record.id == id else { throw .damagedRecord(path: path, reason: "It is the record of another run.") }
    return record
  }

  /// A file as it was before or after a run.
  /// - Throws: `damagedBackup` where the bytes are not those that were recorded.
  func state(_ side: Side, _ state: RecordedState, of id: RunID) throws(MigrationError) -> FileState {
    guard case .file(let name, let attributes, let size, _) = state else { return .absent }
    _ = try isFolder(folder(id) + "/" + side.rawValue)
    let path = copy(side, name, of: id)
    let bytes: [UInt8]
    do {
      // The size is the record's word, and memory is ours.
      bytes = try fileSystem.read(path, limit: min(size, DurableFiles.largestFile)).bytes
    } catch {
      if case .tooLarge = error.reason { throw .damagedBackup(path: path) }
      throw .file(error, .nothingChanged)
    }
    guard state.matches(bytes) else { throw .damagedBackup(path: path) }
    return .file(bytes: bytes, attributes: attributes)
  }

  /// Whether a folder is there.
  /// - Throws: `unsafePath` for a link or anything else in its place.
  func isFolder(_ path: String) throws(MigrationError) -> Bool {
    let status: FileStatus?
    do {
      status = try fileSystem.status(path)
    } catch {
      throw .file(error, .nothingChanged)
    }
    switch status?.kind {
    case nil: return false
    case .directory: return true
    case .symbolicLink: throw .unsafePath(path, .isLink)
    default: throw .unsafePath(path, .wrongKind)
    }
  }

  /// The longest record that is read, in bytes.
  static let largestRecord = 64 << 20
}
