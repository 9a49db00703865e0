import Carryover
import Foundation
import PropertyLists

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

    /// Puts the copy back if the file was emptied or written in part. To be called before the suite is opened.
    func recover() {
      Self.lock.lock()
      defer { Self.lock.unlock() }
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

    /// Has the suite written, under the protection of a copy.
    /// - Returns: whether it was written.
    func write(_ synchronize: () -> Bool) -> Bool {
      Self.lock.lock()
      defer { Self.lock.unlock() }
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

    private func copy(of path: String) -> String { path + ".carryover-copy" }

    private static func bytes(of path: String) -> [UInt8]? {
      try? POSIXFileSystem().read(path, limit: 64 << 20).bytes
    }
  #else
    init(suite: String?) {}
    func recover() {}
    func write(_ synchronize: () -> Bool) -> Bool { synchronize() }
  #endif
}
