/// A folder with a file for each name. Files are replaced atomically and brought to the disk before a write returns; file
/// and folder can be read by their owner alone.
///
/// A name becomes a file name by escaping, so that no two names share a file, whatever they hold: every byte but
/// letters, digits, `-`, `_` and a `.` that is not the first becomes `%` and two hexadecimal digits. Upper-case letters
/// are escaped too, since many disks do not tell them from lower-case ones. Data of up to 64 MiB is taken.
public struct FileDataStore: DataStore {
  /// The folder.
  public let folder: String
  private let fileSystem: any FileSystem
  private static let limit = 64 << 20
  /// The longest file name of the file systems in use, in bytes, less what a temporary's name adds.
  private static let longestName = 255 - 4

  /// A store in a folder, which is made with the first write if it is not there. Its parent must exist.
  public init(folder: String, fileSystem: any FileSystem = POSIXFileSystem()) {
    self.folder = folder
    self.fileSystem = fileSystem
  }

  /// The folder's path.
  public var label: String { folder }

  /// The bytes of a name's file.
  public func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    let path = try path(of: name, .read)
    do {
      guard try fileSystem.status(path) != nil else { return nil }
      return try fileSystem.read(path, limit: Self.limit).bytes
    } catch {
      throw failure(.read, name, error)
    }
  }

  /// Replaces a name's file through a temporary that is read back first.
  public func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    let path = try path(of: name, .write)
    guard data.count <= Self.limit else {
      throw DataStoreError(.write, name, in: label, .tooLarge(limit: Self.limit))
    }
    do {
      var files = DurableFiles(fileSystem)
      if try fileSystem.status(folder) == nil {
        try fileSystem.makeDirectory(folder, mode: 0o700)
        try files.synchronizeFolder(DurableFiles.folder(of: folder))
      }
      try files.replace(path, with: data)
    } catch {
      throw failure(.write, name, error)
    }
  }

  /// Removes a name's file.
  public func remove(_ name: String) throws(DataStoreError) {
    let path = try path(of: name, .remove)
    do {
      guard try fileSystem.status(path) != nil else { return }
      try fileSystem.remove(path)
      var files = DurableFiles(fileSystem)
      try files.synchronizeFolder(folder)
    } catch {
      throw failure(.remove, name, error)
    }
  }

  /// The names whose files are in the folder; other files are passed over.
  public func names() throws(DataStoreError) -> [String] {
    do {
      guard try fileSystem.status(folder) != nil else { return [] }
      return try fileSystem.list(folder).compactMap(FileNameEscaping.name)
        .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    } catch {
      throw failure(.list, nil, error)
    }
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

/// Names as file names, one to one.
enum FileNameEscaping {
  private static let digits = Array("0123456789abcdef".utf8)
  private static let ending = ".data"

  static func fileName(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      if isPlain(byte, isFirst: bytes.isEmpty) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self) + ending
  }

  /// The name a file name stands for; nil for one that ``fileName(_:)`` does not make.
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
