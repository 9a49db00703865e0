import CarryoverStorage
import CarryoverSystem
import Foundation
import PropertyLists

/// The file behind a suite, where Foundation writes it itself.
///
/// On Apple's systems a daemon replaces it atomically. On Linux Foundation empties it before it writes, so a process that
/// is killed between, or a full disk, would lose every value of the suite. So a copy stands beside it meanwhile, and is put
/// back before the suite is opened or written again. A copy is only ever made of a file that can be read.
struct DefaultsFile: Sendable {
  #if os(Linux)
    private let path: String
    private let name: String
    private let asides = Locked<[String]>([])
    private static let fileSystem = POSIXFileSystem()
    private static let limit = 64 << 20
    /// One suite at a time: nobody may open one, or make another copy of it, while it is written.
    private static let lock = NSLock()

    /// What stands at a path.
    private enum State {
      case missing
      /// The values, and the bytes they were read from.
      case values(PropertyListDictionary, [UInt8])
      /// Bytes that are no values; none where the file was emptied.
      case damaged([UInt8])
    }

    /// - Parameter suite: the suite; nil is the app's own.
    /// - Throws: ``DefaultsDomainError/badName(_:)`` for a name that would lead to another place than a file of its own.
    init(suite: String?) throws(DefaultsDomainError) {
      name = suite ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
      guard Self.isFileName(name) else { throw .badName(name) }
      path = "\(Self.folder(ProcessInfo.processInfo.environment))/\(name).plist"
    }

    /// Where damaged files were set aside, in the order in which that was done.
    var setAside: [String] { asides.withLock { $0 } }

    /// Where Foundation keeps suites: a relative folder does not count, and without a home it is the root folder's.
    static func folder(_ environment: [String: String]) -> String {
      if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder }
      return (environment["HOME"] ?? "") + "/.config"
    }

    /// Opens the suite, once the copy is put back where the file was emptied or written in part.
    /// - Throws: ``DefaultsDomainError/notRestored(_:)`` where that could not be done; the suite is not opened then, or the
    ///   next write would lose what the copy holds.
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

    /// Has the suite written, under the protection of a copy. A file that is damaged, and that no copy helps, is set aside
    /// first, under a name that ends in `.corrupt-` and its checksum.
    /// - Parameters:
    ///   - holds: whether the values of the file are those that were to be written. Foundation writes every suite of the
    ///     process at once and says only whether all were written.
    ///   - synchronize: has the system write.
    /// - Returns: whether it was written.
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
        // Nothing is written that could be lost halfway.
        return false
      }
      if synchronize() || isWritten(holds) {
        try? copy.remove()
        return true
      }
      // A file that was written in part gives way to the copy at once; where that fails, the copy stays for later.
      try? putBack()
      return false
    }

    /// Whether the file holds the values all the same, on the disk.
    private func isWritten(_ holds: (PropertyListDictionary) -> Bool) -> Bool {
      switch try? state(of: path) {
      case .values(let values, _): holds(values) && (try? Self.fileSystem.synchronizeFile(realPath)) != nil
      // Foundation may take the file of an empty suite away.
      case .missing: holds(PropertyListDictionary(entries: []))
      case .damaged, nil: false
      }
    }

    /// Puts the copy in the file's place where the file is damaged, and takes it away where it is not. A renaming needs no
    /// room on the disk.
    private func putBack() throws {
      let copied = try state(of: copy.path)
      if case .missing = copied { return }
      if case .values = try state(of: path) { return try copy.remove() }
      // Of a damaged copy nothing can be had; it is kept for a look.
      guard case .values = copied else { return }
      try Self.fileSystem.rename(copy.path, to: realPath, .replacing)
      try Self.fileSystem.synchronizeDirectory((realPath as NSString).deletingLastPathComponent)
    }

    /// One thread of one process at a time. A process that ends, however it does, gives its turn up; where there can be no
    /// lock file, only the threads of this one take turns.
    private func locked<Result>(_ body: () -> Result) -> Result {
      Self.lock.lock()
      defer { Self.lock.unlock() }
      do {
        return try LockFile(path + ".carryover-lock").withLock(body)
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

    /// The file itself, where a link leads to it.
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
  #endif
}
