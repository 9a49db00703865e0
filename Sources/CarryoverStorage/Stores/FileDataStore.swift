package import CarryoverSystem
import PropertyLists

/// A folder with a file for each name. A write replaces the file atomically and flushes it to the disk before it
/// returns. Only the owner can read the files, and the folders that the store creates. Several threads and processes
/// may write at the same time: the last write of a name wins. The lock of a name is an empty file beside it, which stays.
///
/// The file's name is the escaped name, followed by `.data`: every byte except lower-case letters, digits, `-`, `_` and
/// a `.` that is not the first becomes `%` and two hexadecimal digits. Upper-case letters are escaped because many file
/// systems ignore case, so no two names share a file. A file may contain up to 64 MiB.
public struct FileDataStore: ByteStore, ForwardingStore {
  package let base: any ByteStore

  /// Creates a store in a folder. The first write creates the folder and its missing parents: a new app's Application
  /// Support folder does not exist either.
  public init(folder: String) { self.init(folder: folder, fileSystem: POSIXFileSystem()) }

  package init(folder: String, fileSystem: any FileSystem) {
    base = FolderOfFiles(folder: folder, fileSystem: fileSystem)
  }
}

private struct FolderOfFiles: ByteStore {
  let folder: String
  let fileSystem: any FileSystem
  /// Whether the leftovers of killed processes were removed, once for a store and its copies.
  private let isTidied = Locked(false)
  private static let limit = 64 << 20
  /// The longest file name that common file systems accept, in bytes.
  private static let longestName = 255

  var label: String { folder }

  /// The folder's real path, even if the folder does not exist yet.
  var identity: DataStoreIdentity? {
    DataStoreIdentity("files", (try? fileSystem.resolve(folder)) ?? (try? fileSystem.location(of: folder)) ?? folder)
  }

  func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    let path = try path(of: name, .read)
    return try converting(try DurableFiles(fileSystem).bytes(of: path, limit: Self.limit)) {
      (error: FileSystemError) in failure(.read, name, error)
    }
  }

  func set(_ data: [UInt8], for name: String) throws(DataStoreError) { _ = try put(data, name, .replacing) }

  /// Creates a name's file if there is none. If several threads or processes do so at the same time, only one succeeds;
  /// on a file system without exclusive renames, the last one wins.
  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool { try put(data, name, .exclusive) }

  /// - Returns: false if another file has the name.
  private func put(_ data: [UInt8], _ name: String, _ mode: RenameMode) throws(DataStoreError) -> Bool {
    let path = try path(of: name, .write)
    guard data.count <= Self.limit else { throw DataStoreError(.write, name, in: label, .tooLarge(limit: Self.limit)) }
    do {
      if mode == .exclusive, try fileSystem.status(path) != nil { return false }
      var files = DurableFiles(fileSystem)
      try files.makeFolders(folder)
      tidy()
      try files.replace(path, with: data, through: folder + "/" + StoreTemporary.new, mode)
      return true
    } catch  where mode == .exclusive && error.isOccupied {
      return false
    } catch {
      throw failure(.write, name, error)
    }
  }

  func withLock<Result>(for name: String, _ body: () -> Result) -> Result {
    do throws(FileSystemError) {
      var files = DurableFiles(fileSystem)
      try files.makeFolders(folder)
      return try LockFile(folder + "/" + FileNameEscaping.lockName(name), fileSystem: fileSystem).withLock(body)
    } catch {
      return body()
    }
  }

  func remove(_ name: String) throws(DataStoreError) {
    let path = try path(of: name, .remove)
    do {
      var files = DurableFiles(fileSystem)
      try files.removeFile(path)
    } catch {
      throw failure(.remove, name, error)
    }
  }

  func names() throws(DataStoreError) -> [String] {
    do {
      guard try fileSystem.status(folder) != nil else { return [] }
      return try fileSystem.list(folder).compactMap(FileNameEscaping.name).sortedByBytes()
    } catch {
      throw failure(.list, nil, error)
    }
  }

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
  fileprivate var isOccupied: Bool { operation == .rename && reason == .system(SystemErrorNumber.exists.number) }
}

enum FileNameEscaping {
  private static let digits = Array("0123456789abcdef".utf8)
  private static let ending = ".data"

  static func fileName(_ name: String) -> String { escaped(name) + ending }

  /// The file name of a name's lock, which no name has.
  static func lockName(_ name: String) -> String { escaped(NameStem.of(name)) + ".carryover-lock" }

  private static func escaped(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      if isPlain(byte, isFirst: bytes.isEmpty) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The name that a file name encodes; nil if ``fileName(_:)`` does not produce that file name.
  static func name(_ file: String) -> String? {
    guard file.hasSuffix(ending) else { return nil }
    var bytes: [UInt8] = []
    var rest = Array(file.utf8.dropLast(ending.utf8.count))[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digits.firstIndex), let low = rest.popFirst().flatMap(digits.firstIndex)
      else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    let name = String(decoding: bytes, as: UTF8.self)
    return !name.isEmpty && fileName(name) == file ? name : nil
  }

  private static func isPlain(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    case UInt8(ascii: "."): !isFirst
    default: false
    }
  }
}
