package import CarryoverSystem
import PropertyLists

/// The secret with which one user's Carryover seals what it writes into state folders, so that it can tell its own state
/// from state that came with a container.
package struct StateKey: Hashable, Sendable {
  let bytes: [UInt8]

  /// How long a key is, in bytes.
  package static let length = 32

  /// A key from random bytes that nobody else has; nil unless there are 32 of them.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
  }

  /// Names the key without giving it away: 16 hexadecimal digits.
  package var id: String { Array(SHA256.digest(Array("carryover.key-id/1".utf8) + bytes).prefix(8)).hexadecimal }
}

extension StateKey: CustomStringConvertible, CustomReflectable {
  /// The key's id; the key itself is never printed.
  package var description: String { "state key \(id)" }
  /// The key's id alone.
  package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// Where the key comes from.
package protocol StateKeySource: Sendable {
  /// The key; nil where none was made yet. Makes none.
  func existing() throws(StateKeyError) -> StateKey?
  /// The key, made now where there is none yet.
  func obtain() throws(StateKeyError) -> StateKey
}

/// A key that an app keeps itself, such as in its keychain.
extension StateKey: StateKeySource {
  /// The key itself.
  package func existing() -> StateKey? { self }
  /// The key itself.
  package func obtain() -> StateKey { self }
}

/// Why there is no key that could be used, as data. Nothing can be written into a container then.
package enum StateKeyError: Error, Hashable, Sendable {
  /// Nobody said where the key is to be.
  case noPlace
  /// Others can read or change the file: its permission bits.
  case notPrivate(path: String, mode: UInt32)
  /// The file belongs to another user.
  case otherOwner(path: String, user: UInt32)
  /// The file is not a key.
  case damaged(path: String)
  /// A file operation failed.
  case file(FileSystemError)
}

extension StateKeyError: CustomStringConvertible {
  /// What is wrong and what to do, in whole sentences. Safe to print.
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
