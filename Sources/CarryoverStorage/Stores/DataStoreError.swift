/// Why a store's operation failed.
public struct DataStoreError: Error, Sendable {
  /// The operation that failed.
  public enum Operation: String, Hashable, Sendable {
    case read, write, remove, list
  }

  /// A reason for the failure. Later versions may add cases.
  public enum Reason: Hashable, Sendable {
    /// The system behind the store failed; the cause says why.
    case failed
    /// The value under the name is not bytes; the text says what it is.
    case wrongType(String)
    /// The value under the name is not an integer.
    case notInteger
    /// The name cannot be used in this store.
    case badName(NameDefect)
    /// There are more bytes than the store accepts.
    case tooLarge(limit: Int)
    /// The store is read-only.
    case readOnly
    /// The store is locked until its owner unlocks the device.
    case locked
    /// The key for the encrypted bytes is not available.
    case keyUnavailable
    /// The bytes were encrypted with another key.
    case wrongKey
    /// The number of bytes differs from the number in their header.
    case cutOff
    /// The key is right, but the bytes do not authenticate: they were changed, or moved from another name.
    case tampered
    /// The bytes are not in the store's format: they are damaged, or something else.
    case unrecognised
    /// The bytes are in a later version of the store's format.
    case newerFormat(found: Int, known: Int)
    /// The name already has another value.
    case occupied
    /// The store does not contain what was written.
    case verification
  }

  /// What is wrong with a name.
  public enum NameDefect: String, Hashable, Sendable {
    case empty, tooLong
    /// The store reserves names of this form.
    case reserved
  }

  /// The operation that failed.
  package var operation: Operation
  /// The name; nil if the operation was on the whole store.
  public var name: String?
  /// The store's label.
  package var store: String
  /// The reason for the failure.
  public var reason: Reason
  /// The underlying error, as the system returned it.
  public var cause: (any Error)?

  /// Creates an error of the store with this label. A name of nil means the whole store.
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
