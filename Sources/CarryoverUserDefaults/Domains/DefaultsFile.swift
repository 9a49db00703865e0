import Carryover
import Foundation
import PropertyLists

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file behind a suite, where Foundation writes it itself.
///
/// On Apple's systems a daemon replaces it atomically. On Linux Foundation empties it before it writes, so a process that
/// is killed between would lose every value of the suite. So a copy stands beside it meanwhile, and is put back before the
/// suite is opened again.
struct DefaultsFile: Sendable {
  #if os(Linux)
    private let path: String?
    /// One suite at a time: nobody may open one, or make another copy of it, while it is written.
    private static let lock = NSLock()

    /// - Parameter suite: the suite; nil is the app's own.
    init(suite: String?) {
      let environment = ProcessInfo.processInfo.environment
      let name = suite ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
      let configuration = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
      path = name.contains("/") ? nil : configuration.map { "\($0)/\(name).plist" }
    }

    /// Opens the suite, once the copy is put back where the file was emptied or written in part.
    func opened<Suite>(_ body: () -> Suite) -> Suite {
      guard let path, [path, copy(of: path)].contains(where: FileManager.default.fileExists) else { return body() }
      return locked {
        recover()
        return body()
      }
    }

    /// Has the suite written, under the protection of a copy.
    /// - Returns: whether it was written.
    func write(_ synchronize: () -> Bool) -> Bool {
      locked {
        // Another process may have been killed since this one opened the suite.
        recover()
        guard let path, let bytes = Self.bytes(of: path), !bytes.isEmpty else { return synchronize() }
        let copy = JSONFile(copy(of: path))
        do {
          try copy.save(bytes: bytes)
        } catch {
          // Nothing is written that could be lost halfway.
          return false
        }
        guard synchronize() else { return false }
        try? copy.remove()
        return true
      }
    }

    private func recover() {
      guard let path, let copy = Self.bytes(of: copy(of: path)) else { return }
      if Self.bytes(of: path).flatMap({ try? PropertyListDocument(bytes: $0) })?.dictionary == nil {
        do {
          try JSONFile(path).save(bytes: copy)
        } catch {
          // The copy stays, for the next start.
          return
        }
      }
      try? JSONFile(self.copy(of: path)).remove()
    }

    /// One thread of one process at a time. A process that ends, however it does, gives its turn up; where there can be no
    /// lock file, only the threads of this one take turns.
    private func locked<Result>(_ body: () -> Result) -> Result {
      Self.lock.lock()
      defer { Self.lock.unlock() }
      let descriptor = path.map { open($0 + ".carryover-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
      guard let descriptor, descriptor >= 0 else { return body() }
      defer { close(descriptor) }
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      return body()
    }

    private func copy(of path: String) -> String { path + ".carryover-copy" }

    private static func bytes(of path: String) -> [UInt8]? {
      try? POSIXFileSystem().read(path, limit: 64 << 20).bytes
    }
  #else
    init(suite: String?) {}
    func opened<Suite>(_ body: () -> Suite) -> Suite { body() }
    func write(_ synchronize: () -> Bool) -> Bool { synchronize() }
  #endif
}
