#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

private final class Mutex: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init(isRecursive: Bool = false) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    if isRecursive { pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE)) }
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  func withLock<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body()
  }
}

/// A value that one thread at a time can access.
package final class Locked<Value>: @unchecked Sendable {
  private let mutex = Mutex()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result, Failure>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
    try mutex.withLock { () throws(Failure) in try body(&value) }
  }
}

/// A lock that its owner thread can acquire again: an observer of a write, such as one of `UserDefaults`, may use the
/// same store in its callback.
package final class RecursiveLock: Sendable {
  private let mutex = Mutex(isRecursive: true)

  package init() {}

  package func withLock<Result>(_ body: () -> Result) -> Result { mutex.withLock(body) }
}

/// An advisory lock between processes and between their threads, for files that an app and its extensions change.
///
/// It uses `flock` on an empty file that it never removes, in a folder that exists. The system releases the lock when the process ends, even if
/// it is killed. Only the owner can open the file. A symbolic link in its place is an error.
///
/// A closure that waits for a thread which waits for the same lock waits forever.
package struct LockFile: Sendable {
  /// The threads of this process that have locks, by file, because several paths can lead to the same file.
  private static let holders = Locked<[File: pthread_t]>([:])

  private let path: String
  private let fileSystem: any FileSystem

  package init(_ path: String, fileSystem: any FileSystem = POSIXFileSystem()) {
    self.path = path
    self.fileSystem = fileSystem
  }

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
