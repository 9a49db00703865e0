import Carryover
import CarryoverSystem

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The live file system, with the processor time that bringing bytes to the disk takes.
struct TimedFileSystem: FileSystem {
  /// What the file system and those that are confined from it have counted together.
  private final class Spent: Sendable {
    let sum = Locked((count: 0, processor: UInt64(0)))
  }

  private let live: any FileSystem
  private let spent: Spent

  init() { self.init(POSIXFileSystem(), Spent()) }

  private init(_ live: any FileSystem, _ spent: Spent) {
    self.live = live
    self.spent = spent
  }

  func confined(to folders: [String]) throws(FileSystemError) -> any FileSystem {
    TimedFileSystem(try live.confined(to: folders), spent)
  }

  /// How many synchronizations there were so far, and the processor time of all in nanoseconds.
  var synchronizations: (count: Int, processor: UInt64) { spent.sum.withLock { $0 } }

  private func timed(_ work: () throws(FileSystemError) -> Void) throws(FileSystemError) {
    let start = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    try work()
    let end = nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    spent.sum.withLock {
      $0.count += 1
      $0.processor += end - start
    }
  }

  func synchronize(_ handle: OpenFile) throws(FileSystemError) {
    try timed { () throws(FileSystemError) in try live.synchronize(handle) }
  }
  func synchronizeFile(_ path: String) throws(FileSystemError) {
    try timed { () throws(FileSystemError) in try live.synchronizeFile(path) }
  }
  func synchronizeDirectory(_ path: String) throws(FileSystemError) {
    try timed { () throws(FileSystemError) in try live.synchronizeDirectory(path) }
  }

  var user: UInt32 { live.user }

  func read(_ path: String, limit: Int) throws(FileSystemError) -> FileImage { try live.read(path, limit: limit) }
  func status(_ path: String) throws(FileSystemError) -> FileStatus? { try live.status(path) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try live.list(path) }
  func resolve(_ path: String) throws(FileSystemError) -> String { try live.resolve(path) }
  func create(_ path: String, mode: UInt32) throws(FileSystemError) -> OpenFile {
    try live.create(path, mode: mode)
  }
  func write(_ bytes: [UInt8], to handle: OpenFile) throws(FileSystemError) { try live.write(bytes, to: handle) }
  func setOwner(_ user: UInt32, _ group: UInt32, of handle: OpenFile) throws(FileSystemError) {
    try live.setOwner(user, group, of: handle)
  }
  func setMode(_ mode: UInt32, of handle: OpenFile) throws(FileSystemError) { try live.setMode(mode, of: handle) }
  func close(_ handle: OpenFile) throws(FileSystemError) { try live.close(handle) }
  func rename(_ source: String, to destination: String, _ mode: RenameMode) throws(FileSystemError) {
    try live.rename(source, to: destination, mode)
  }
  func remove(_ path: String) throws(FileSystemError) { try live.remove(path) }
  func makeDirectory(_ path: String, mode: UInt32) throws(FileSystemError) {
    try live.makeDirectory(path, mode: mode)
  }
  func removeDirectory(_ path: String) throws(FileSystemError) { try live.removeDirectory(path) }
  func lock(_ path: String, mode: UInt32, waiting: Bool) throws(FileSystemError) -> OpenFile {
    try live.lock(path, mode: mode, waiting: waiting)
  }
}
