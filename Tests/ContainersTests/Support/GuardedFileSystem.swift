import Carryover
import CarryoverSystem

/// The live file system, with chosen paths denied, that writes nothing and remembers what it was asked.
///
/// Denied paths fail for every user: the superuser, whom the system lets read anything, included.
final class GuardedFileSystem: FileSystem {
  private let live = POSIXFileSystem()
  private let denied: Set<String>
  private let log = Locked<[String]>([])
  private let afterReading: @Sendable (String) -> Void

  /// - Parameter afterReading: what somebody does right after a file was read.
  init(denying denied: Set<String> = [], afterReading: @escaping @Sendable (String) -> Void = { _ in }) {
    self.denied = denied
    self.afterReading = afterReading
  }

  var read: [String] { log.withLock { $0 } }

  var user: UInt32 { live.user }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage {
    log.withLock { $0.append(path) }
    try check(.read, path)
    defer { afterReading(path) }
    return try live.read(path, limit: limit)
  }

  func read(_ path: String, from offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try check(.read, path)
    return try live.read(path, from: offset, count: count)
  }

  func status(_ path: String) throws(FileSystemError) -> FileStatus? { try live.status(path) }
  func resolve(_ path: String) throws(FileSystemError) -> String { try live.resolve(path) }

  func list(_ path: String) throws(FileSystemError) -> [String] {
    try check(.list, path)
    return try live.list(path)
  }

  private func check(_ operation: FileSystemError.Operation, _ path: String) throws(FileSystemError) {
    if denied.contains(path) { throw FileSystemError(operation, path, .system(Self.accessDenied)) }
  }

  private func refuse(_ operation: FileSystemError.Operation, _ path: String) -> FileSystemError {
    FileSystemError(operation, path, .system(Self.readOnly))
  }

  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile { throw refuse(.create, path) }
  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) { throw refuse(.write, handle.path) }
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    throw refuse(.setOwner, handle.path)
  }
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) { throw refuse(.setMode, handle.path) }
  func synchronize(_ handle: OpenFile) throws(FileSystemError) { throw refuse(.synchronize, handle.path) }
  func close(_ handle: OpenFile) throws(FileSystemError) { throw refuse(.close, handle.path) }
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    throw refuse(.rename, source)
  }
  func remove(_ path: String) throws(FileSystemError) { throw refuse(.remove, path) }
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) { throw refuse(.makeDirectory, path) }
  func removeDirectory(_ path: String) throws(FileSystemError) { throw refuse(.removeDirectory, path) }
  func synchronizeFile(_ path: String) throws(FileSystemError) { throw refuse(.synchronize, path) }
  func synchronizeDirectory(_ path: String) throws(FileSystemError) { throw refuse(.synchronize, path) }
  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    throw refuse(.lock, path)
  }

  private static let accessDenied: Int32 = 13
  private static let readOnly: Int32 = 30
}
