import CarryoverStorage
import CarryoverSystem
import Foundation

/// The file of a suite, on systems where Foundation itself writes it. On Linux, Foundation empties the file before it
/// writes: if the process is killed then, or the disk is full, every value is lost. Therefore a copy is beside the file
/// during a write, and is restored before the suite is opened or written again. Only a readable file is copied.
struct DefaultsFile: Sendable {
  #if os(Linux)
    private let path: String
    private let name: String
    private let asides = Locked<[String]>([])
    private static let fileSystem = POSIXFileSystem()
    private static let limit = 64 << 20
    /// Held while a suite is opened, copied or written.
    private static let lock = NSLock()

    private enum State {
      case missing
      /// The values, and the bytes that they were read from.
      case values(PropertyListDictionary, [UInt8])
      /// Bytes that cannot be read; empty if the file was emptied.
      case damaged([UInt8])
    }

    /// - Parameter suite: the suite; nil is the app's own.
    init(suite: String?) throws(DefaultsDomainError) {
      name = suite ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
      guard Self.isFileName(name) else { throw .badName(name) }
      path = "\(Self.folder(ProcessInfo.processInfo.environment))/\(name).plist"
    }

    var setAside: [String] { asides.withLock { $0 } }

    /// Foundation's folder of suites. A relative `XDG_CONFIG_HOME` is ignored; without `HOME`, it is `/.config`.
    static func folder(_ environment: [String: String]) -> String {
      if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder }
      return (environment["HOME"] ?? "") + "/.config"
    }

    /// - Throws: ``DefaultsDomainError/notRestored(_:)`` if the copy of an emptied or partly written file cannot be
    ///   restored. The suite is not opened then, because the next write would lose the values in the copy.
    func opened<Suite>(_ body: () -> Suite) throws(DefaultsDomainError) -> Suite {
      guard [path, copy.path].contains(where: FileManager.default.fileExists) else { return body() }
      let opened = locked {
        Result<Suite, DefaultsDomainError> { () throws(DefaultsDomainError) in
          do {
            try putBack()
          } catch {
            throw .notRestored(name)
          }
          return body()
        }
      }
      return try opened.get()
    }

    /// Has the system write the suite while a copy protects it. A damaged file without a copy is set aside first.
    /// - Parameter holds: whether the file's values are the ones to be written. Foundation writes every suite of the
    ///   process at once and only returns whether all were written.
    func write(holds: (PropertyListDictionary) -> Bool, _ synchronize: () -> Bool) -> Bool {
      locked { isWritten(holds, synchronize) }
    }

    private func isWritten(_ holds: (PropertyListDictionary) -> Bool, _ synchronize: () -> Bool) -> Bool {
      do {
        // Another process may have been killed since this one opened the suite.
        try putBack()
        switch try state(of: path) {
        case .missing: break
        case .values(_, let bytes): try copy.save(bytes: bytes)
        case .damaged(let bytes):
          if !bytes.isEmpty {
            let aside = try JSONFile(realPath, limit: Self.limit).setAside()
            asides.withLock { $0.append(aside) }
          }
        }
      } catch {
        // Do not write: an interruption could lose values.
        return false
      }
      if synchronize() || isWritten(holds) {
        try? copy.remove()
        return true
      }
      // Restore a partly written file from the copy at once. If that fails, the copy stays for later.
      try? putBack()
      return false
    }

    /// Whether the file on the disk contains the values anyway.
    private func isWritten(_ holds: (PropertyListDictionary) -> Bool) -> Bool {
      switch try? state(of: path) {
      case .values(let values, _): holds(values) && (try? Self.fileSystem.synchronizeFile(realPath)) != nil
      // Foundation may remove the file of an empty suite.
      case .missing: holds(PropertyListDictionary(entries: []))
      case .damaged, nil: false
      }
    }

    /// Replaces a damaged file with the copy; otherwise removes the copy. A rename needs no disk space.
    private func putBack() throws {
      let copied = try state(of: copy.path)
      if case .missing = copied { return }
      if case .values = try state(of: path) { return try copy.remove() }
      // A damaged copy has no values; it stays for inspection.
      guard case .values = copied else { return }
      try Self.fileSystem.rename(copy.path, to: realPath, .replacing)
      try Self.fileSystem.synchronizeDirectory((realPath as NSString).deletingLastPathComponent)
    }

    /// Runs the closure while no other thread or process runs one; without a lock file, no thread of this process.
    private func locked<Result>(_ body: () -> Result) -> Result {
      Self.lock.lock()
      defer { Self.lock.unlock() }
      do {
        return try LockFile(path + ".carryover-lock").withLock(body)
      } catch {
        return body()
      }
    }

    /// Runs a closure while no other process runs one for the same name in the suite, if there can be a lock file.
    /// - Parameter refresh: reads what the others have written.
    func withLock<Result>(for name: String, refresh: () -> Void, body: () -> Result) -> Result {
      do throws(FileSystemError) {
        var files = DurableFiles(Self.fileSystem)
        try files.makeFolders((path as NSString).deletingLastPathComponent)
        // Not the lock of the writes, which a thread may wait for while it keeps others from writing.
        return try LockFile("\(path).\(Checksum.text(Array(name.utf8))).carryover-lock").withLock {
          refresh()
          return body()
        }
      } catch {
        return body()
      }
    }

    private func state(of path: String) throws -> State {
      guard let bytes = try JSONFile(path == self.path ? realPath : path, limit: Self.limit).readBytes() else {
        return .missing
      }
      guard let values = (try? PropertyListDocument(bytes: bytes))?.dictionary else { return .damaged(bytes) }
      return .values(values, bytes)
    }

    private var copy: JSONFile { JSONFile(realPath + ".carryover-copy", limit: Self.limit) }

    private var realPath: String { (try? Self.fileSystem.resolve(path)) ?? path }

    private static func isFileName(_ name: String) -> Bool {
      let own = ["NSGlobalDomain", "kCFPreferencesAnyApplication", "kCFPreferencesCurrentApplication"]
      return !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 } && !name.allSatisfy { $0 == "." }
        && name.utf8.count <= DefaultsDomainError.longestName && !own.contains(name)
    }
  #else
    var setAside: [String] { [] }
    init(suite: String?) throws(DefaultsDomainError) {}
    func opened<Suite>(_ body: () -> Suite) throws(DefaultsDomainError) -> Suite { body() }
    func write(holds: (PropertyListDictionary) -> Bool, _ synchronize: () -> Bool) -> Bool { synchronize() }
    func withLock<Result>(for name: String, refresh: () -> Void, body: () -> Result) -> Result { body() }
  #endif
}
