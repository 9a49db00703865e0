/// Why a data store could not do what it was asked.
public struct DataStoreError: Error, Sendable {
  /// What was asked of the store.
  public enum Operation: String, Hashable, Sendable {
    case read, write, remove, list
  }

  /// Why it could not be done. Later versions may know more reasons.
  public enum Reason: Hashable, Sendable {
    /// The store behind it failed; the cause says how.
    case failed
    /// Something stands under the name that is no bytes: its type, in a word.
    case wrongType(String)
    /// Something stands under the name that is not an integer.
    case notInteger
    /// The name cannot be used in this store.
    case badName(NameDefect)
    /// There are more bytes than the store takes or gives.
    case tooLarge(limit: Int)
    /// The store can only be read.
    case readOnly
    /// The store is locked until its owner unlocks the device.
    case locked
    /// The key the bytes are encrypted with could not be had.
    case keyUnavailable
    /// The bytes were encrypted with another key.
    case wrongKey
    /// The bytes end before their header says they do, or go on behind it.
    case cutOff
    /// The bytes do not authenticate although the key is theirs: they were changed, or moved from another name.
    case tampered
    /// The bytes are not in the store's format: damaged, or something else.
    case unrecognised
    /// The bytes are in a later version of the store's format.
    case newerFormat(found: Int, known: Int)
    /// Something else stands under the name by now.
    case occupied
    /// What was written reads back differently.
    case verification
  }

  /// What is wrong with a name.
  public enum NameDefect: String, Hashable, Sendable {
    case empty, tooLong
    /// The store itself gives names of this form.
    case reserved
  }

  /// What was asked.
  package var operation: Operation
  /// The name it was asked of; nil for all of them.
  public var name: String?
  /// The store's label.
  package var store: String
  /// Why it could not be done.
  public var reason: Reason
  /// The error behind it, as the store's own system gave it.
  public var cause: (any Error)?

  /// An error from its parts.
  public init(
    _ operation: Operation, _ name: String?, in store: String, _ reason: Reason, cause: (any Error)? = nil
  ) {
    self.operation = operation
    self.name = name
    self.store = store
    self.reason = reason
    self.cause = cause
  }
}
