package import CarryoverSystem
import PropertyLists

/// A folder with a file for each name. Files are replaced atomically and brought to the disk before a write returns; file
/// and folder can be read by their owner alone. Any number of threads and processes may write at once: the last write of a
/// name wins, as a whole.
///
/// A name becomes a file name by escaping, so that no two names share a file, whatever they hold: every byte but
/// letters, digits, `-`, `_` and a `.` that is not the first becomes `%` and two hexadecimal digits. Upper-case letters
/// are escaped too, since many disks do not tell them from lower-case ones. Data of up to 64 MiB is taken.
public struct FileDataStore: ByteStore, ForwardingStore {
  package let base: any ByteStore

  /// A store in a folder, which is made with the first write if it is not there, as are those on the way to it: a new app's
  /// Application Support folder is missing, too.
  public init(folder: String) { self.init(folder: folder, fileSystem: POSIXFileSystem()) }

  /// A store in a folder of a file system's.
  package init(folder: String, fileSystem: any FileSystem) {
    base = FolderOfFiles(folder: folder, fileSystem: fileSystem)
  }
}

/// The files of a folder, by the names that they stand for.
private struct FolderOfFiles: ByteStore {
  let folder: String
  let fileSystem: any FileSystem
  /// Whether what killed processes left was looked for, once for a store and its copies.
  private let isTidied = Locked(false)
  private static let limit = 64 << 20
  /// The longest file name of the file systems in use, in bytes.
  private static let longestName = 255

  var label: String { folder }

  /// The folder, without links and `..` on the way to it; where it is not there yet, where it will be.
  var identity: DataStoreIdentity? {
    DataStoreIdentity("files", (try? fileSystem.resolve(folder)) ?? (try? fileSystem.location(of: folder)) ?? folder)
  }

  func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    let path = try path(of: name, .read)
    do {
      guard try fileSystem.status(path) != nil else { return nil }
      return try fileSystem.read(path, limit: Self.limit).bytes
    } catch  where error.isMissing {
      return nil
    } catch {
      throw failure(.read, name, error)
    }
  }

  /// Replaces a name's file through a temporary that is read back first.
  func set(_ data: [UInt8], for name: String) throws(DataStoreError) { _ = try put(data, name, .replacing) }

  /// Makes a name's file where there is none. Of several that do so at once, whatever process they are in, one does; only
  /// a file system that cannot give a file a name nobody has yet lets the last one win.
  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    try put(data, name, .exclusive)
  }

  /// - Returns: whether the file is there; false where another stands in its place.
  private func put(_ data: [UInt8], _ name: String, _ mode: RenameMode) throws(DataStoreError) -> Bool {
    let path = try path(of: name, .write)
    guard data.count <= Self.limit else {
      throw DataStoreError(.write, name, in: label, .tooLarge(limit: Self.limit))
    }
    do {
      if mode == .exclusive, try fileSystem.status(path) != nil { return false }
      var files = DurableFiles(fileSystem)
      try files.makeFolders(folder)
      tidy()
      do {
        try files.replace(path, with: data, through: folder + "/" + StoreTemporary.new, mode)
      } catch  where mode == .exclusive && error.reason == .unsupported {
        try files.replace(path, with: data, through: folder + "/" + StoreTemporary.new)
      }
      return true
    } catch  where mode == .exclusive && error.isOccupied {
      return false
    } catch {
      throw failure(.write, name, error)
    }
  }

  func remove(_ name: String) throws(DataStoreError) {
    let path = try path(of: name, .remove)
    do {
      guard try fileSystem.status(path) != nil else { return }
      do {
        try fileSystem.remove(path)
      } catch  where error.isMissing {
        return
      }
      var files = DurableFiles(fileSystem)
      try files.synchronizeFolder(folder)
    } catch {
      throw failure(.remove, name, error)
    }
  }

  /// The names whose files are in the folder; other files are passed over.
  func names() throws(DataStoreError) -> [String] {
    do {
      guard try fileSystem.status(folder) != nil else { return [] }
      return try fileSystem.list(folder).compactMap(FileNameEscaping.name).sortedByBytes()
    } catch {
      throw failure(.list, nil, error)
    }
  }

  /// Removes what writes that were killed have left. A failure is none: the next start tries again.
  private func tidy() {
    let isDone = isTidied.withLock { done in
      defer { done = true }
      return done
    }
    if !isDone { StoreTemporary.removeLeftOvers(in: folder, fileSystem) }
  }

  private func path(of name: String, _ operation: DataStoreError.Operation) throws(DataStoreError) -> String {
    try checkName(name, operation)
    let file = FileNameEscaping.fileName(name)
    guard file.utf8.count <= Self.longestName else {
      throw DataStoreError(operation, name, in: label, .badName(.tooLong))
    }
    return folder + "/" + file
  }

  private func failure(
    _ operation: DataStoreError.Operation, _ name: String?, _ error: FileSystemError
  ) -> DataStoreError {
    if case .tooLarge(let limit) = error.reason {
      return DataStoreError(operation, name, in: label, .tooLarge(limit: limit), cause: error)
    }
    return DataStoreError(operation, name, in: label, .failed, cause: error)
  }
}

extension FileSystemError {
  /// Whether something stands where a file was to get its name.
  fileprivate var isOccupied: Bool { operation == .rename && reason == .system(SystemErrorNumber.exists.number) }

  /// Whether nothing stands at the path, or the folder it would stand in is not there.
  var isMissing: Bool { reason == .system(SystemErrorNumber.noEntry.number) }
}
