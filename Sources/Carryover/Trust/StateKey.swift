package import CarryoverSystem
import PropertyLists

/// The secret that seals everything a user's Carryover writes to state folders. It distinguishes the user's own state
/// from state that came with a container.
package struct StateKey: Hashable, Sendable {
  let bytes: [UInt8]

  /// The length of a key, in bytes.
  package static let length = 32

  /// A key from secret random bytes; nil unless there are 32 of them.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// Identifies the key without revealing it: 16 hexadecimal digits.
  package var id: String { Array(SHA256.digest(Array("carryover.key-id/1".utf8) + bytes).prefix(8)).hexadecimal }
}

extension StateKey: CustomStringConvertible, CustomReflectable {
  /// The key's id; the key itself is never printed.
  package var description: String { "state key \(id)" }
  /// Only the key's id.
  package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// The source of the key.
package protocol StateKeySource: Sendable {
  /// The key; nil if there is none yet. Does not create one.
  func existing() throws(StateKeyError) -> StateKey?
  /// The key. Creates one if there is none.
  func obtain() throws(StateKeyError) -> StateKey
}

/// A key that an app stores itself, for example in its keychain.
extension StateKey: StateKeySource {
  /// The key itself.
  package func existing() -> StateKey? { self }
  /// The key itself.
  package func obtain() -> StateKey { self }
}

/// The reason that there is no usable key. Nothing can be written to a container then.
package enum StateKeyError: Error, Hashable, Sendable {
  /// No place for the key is known.
  case noPlace
  /// Other users can read or change the file: its permission bits.
  case notPrivate(path: String, mode: UInt32)
  /// The file belongs to another user.
  case otherOwner(path: String, user: UInt32)
  /// The file is not a key.
  case damaged(path: String)
  /// A file operation failed.
  case file(FileSystemError)
}

extension StateKeyError: CustomStringConvertible {
  /// The problem and what to do, in whole sentences. Names are escaped for display.
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
    case .damaged(let path):
      "\(DisplayText.quoted(path)) is not a key. Move it away, and Carryover makes a new one."
    case .file(let error): "The key that seals Carryover's records cannot be used. \(error.description)"
    }
  }
}
