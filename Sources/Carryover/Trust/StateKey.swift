package import CarryoverSystem
import PropertyLists

/// The secret that seals everything a user's Carryover writes to state folders. It distinguishes the user's own state
/// from state that came with a container.
package struct StateKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  package static let length = 32

  package static func random() -> [UInt8] { (0..<length).map { _ in .random(in: .min ... .max) } }

  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// Identifies the key without revealing it: 16 hexadecimal digits.
  package var id: String { Array(SHA256.digest(Array("carryover.key-id/1".utf8) + bytes).prefix(8)).hexadecimal }

  package var description: String { "state key \(id)" }
  package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

package protocol StateKeySource: Sendable {
  /// The key; nil if there is none yet. Does not create one.
  func existing() throws(StateKeyError) -> StateKey?
  /// The key. Creates one if there is none.
  func obtain() throws(StateKeyError) -> StateKey
}

/// A key that an app stores itself, for example in its keychain.
extension StateKey: StateKeySource {
  package func existing() -> StateKey? { self }
  package func obtain() -> StateKey { self }
}

/// The reason that there is no usable key. Nothing can be written to a container then.
package enum StateKeyError: Error, Hashable, Sendable, CustomStringConvertible {
  case noPlace
  case notPrivate(path: String, mode: UInt32)
  case otherOwner(path: String, user: UInt32)
  case damaged(path: String)
  case file(FileSystemError)

  package var description: String {
    switch self {
    case .noPlace:
      "Carryover has no place for the key that seals its records. Set XDG_STATE_HOME or HOME to an absolute path."
    case .notPrivate(let path, let mode):
      "Other users can access the key \(DisplayText.quoted(path)): its mode is \(String(mode & 0o777, radix: 8)). "
        + "If nobody else has read it, run chmod 600 on it. Otherwise move it away; Carryover then makes a new key."
    case .otherOwner(let path, let user):
      "The key \(DisplayText.quoted(path)) belongs to user \(user). Run this as that user, or set XDG_STATE_HOME to a "
        + "folder of your own."
    case .damaged(let path): "\(DisplayText.quoted(path)) is not a key. Move it away, and Carryover makes a new one."
    case .file(let error): "The key that seals Carryover's records cannot be used. \(error.description)"
    }
  }
}

/// A user's key in its own file, outside of any container: 64 hexadecimal digits. Only its owner can read it.
package struct StateKeyFile: StateKeySource {
  private let fileSystem: any FileSystem
  private let path: String?
  private let random: @Sendable () -> [UInt8]

  package init(fileSystem: any FileSystem, path: String?, random: @escaping @Sendable () -> [UInt8] = StateKey.random) {
    self.fileSystem = fileSystem
    self.path = path
    self.random = random
  }

  /// The default path of a user's key: `carryover/key` in `XDG_STATE_HOME`, or in `.local/state` of the home folder;
  /// nil if neither is an absolute path.
  package static func path(stateHome: String?, home: String?) -> String? {
    let folders = [stateHome, home.map { $0 + "/.local/state" }]
    return folders.compactMap { $0 }.first { $0.hasPrefix("/") }.map { $0 + "/carryover/key" }
  }

  package func existing() throws(StateKeyError) -> StateKey? {
    guard let path else { return nil }
    let image: FileImage
    do {
      guard try fileSystem.status(path) != nil else { return nil }
      image = try fileSystem.read(path, limit: 1024)
    } catch {
      if case .tooLarge = error.reason { throw .damaged(path: path) }
      throw .file(error)
    }
    guard image.status.user == fileSystem.user else { throw .otherOwner(path: path, user: image.status.user) }
    guard image.status.mode & 0o077 == 0 else { throw .notPrivate(path: path, mode: image.status.mode) }
    let text = String(decoding: image.bytes, as: UTF8.self)
    guard text.last == "\n", let key = [UInt8](hexadecimal: text.dropLast()).flatMap(StateKey.init) else {
      throw .damaged(path: path)
    }
    return key
  }

  /// The key. Creates one if there is none. If two processes do so at the same time, both get the same key.
  package func obtain() throws(StateKeyError) -> StateKey {
    if let key = try existing() { return key }
    guard let path else { throw .noPlace }
    var files = DurableFiles(fileSystem)
    do {
      try files.makeFolders(FilePath.folder(of: path))
      try write(Array((random().hexadecimal + "\n").utf8), to: path, &files)
    } catch {
      throw .file(error)
    }
    guard let key = try existing() else { throw .damaged(path: path) }
    return key
  }

  private func write(_ bytes: [UInt8], to path: String, _ files: inout DurableFiles) throws(FileSystemError) {
    do {
      try files.writeExclusively(bytes, to: path)
    } catch {
      guard error.reason == .unsupported else { throw error }
      // Some file systems have no rename that refuses to replace a file, but can create a file exclusively.
      try files.write(bytes, to: path)
      try files.synchronizeFolder(FilePath.folder(of: path))
    }
  }
}
