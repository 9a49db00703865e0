#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An advisory lock between processes and between their threads, for files that an app and its extensions change.
///
/// It uses `flock` on an empty file that it never removes. The system releases the lock when the process ends, even if
/// it is killed. Only the owner can open the file. A symbolic link in its place is an error.
///
/// A closure that waits for a thread which waits for the same lock waits forever.
package struct LockFile: Sendable {
  /// The threads of this process that have locks, by file, because several paths can lead to the same file.
  private static let holders = Locked<[File: pthread_t]>([:])

  private let path: String
  private let fileSystem: any FileSystem

  /// - Parameters:
  ///   - path: the path of the lock file. Its folder must exist when ``withLock(_:)`` runs.
  ///   - fileSystem: the file system that the file is on.
  package init(_ path: String, fileSystem: any FileSystem = POSIXFileSystem()) {
    self.path = path
    self.fileSystem = fileSystem
  }

  /// Waits for the lock, runs a closure and releases the lock.
  /// - Throws: before the closure runs: the system's error, `notRegular` if something else is in the file's place, or
  ///   `EDEADLK` if this thread holds the lock already.
  package func withLock<Result>(_ body: () -> Result) throws(FileSystemError) -> Result {
    // A thread that waits for its own lock waits forever.
    if let file, Self.isHeldHere(file) {
      throw FileSystemError(.lock, path, .system(SystemErrorNumber.deadlock.number))
    }
    let handle = try fileSystem.lock(path, mode: 0o600, waiting: true)
    defer { try? fileSystem.close(handle) }
    let file = file
    if let file { Self.holders.withLock { $0[file] = pthread_self() } }
    defer { if let file { Self.holders.withLock { $0[file] = nil } } }
    return body()
  }

  /// The identity of the file at the path; nil if there is none, or if the file system gives files no numbers.
  private var file: File? {
    guard let status = try? fileSystem.status(path), status.number != 0 else { return nil }
    return File(device: status.device, number: status.number)
  }

  private static func isHeldHere(_ file: File) -> Bool {
    guard let thread = holders.withLock({ $0[file] }) else { return false }
    return pthread_equal(thread, pthread_self()) != 0
  }

  private struct File: Hashable {
    var device: UInt64
    var number: UInt64
  }
}
