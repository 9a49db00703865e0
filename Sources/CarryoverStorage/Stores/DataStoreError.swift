import CarryoverSystem
public import PropertyLists

/// Why a store's operation failed.
public struct DataStoreError: Error, Sendable, CustomStringConvertible, Described {
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

  package var operation: Operation
  /// The name; nil if the operation was on the whole store.
  public var name: String?
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

  package var words: String {
    let what = name.map { "\(DisplayText.quoted($0)) in \(DisplayText.quoted(store))" } ?? DisplayText.quoted(store)
    let because = cause.map { " (\(ErrorText.withoutValues($0)))" } ?? ""
    return "Could not \(operation.rawValue) \(what): \(explanation)\(because); \(remedy)."
  }

  private var explanation: String {
    switch reason {
    case .failed: "the store failed"
    case .wrongType(let kind): "it is a \(kind), not data"
    case .notInteger: "it is not an integer"
    case .badName(.empty): "a name cannot be empty"
    case .badName(.tooLong): "the name is too long for this store"
    case .badName(.reserved): "the store reserves names of this form"
    case .tooLarge(let limit): "there are more than \(limit) bytes"
    case .readOnly: "the store can only be read"
    case .locked: "the store is locked until the device is unlocked"
    case .keyUnavailable: "the key it is encrypted with is not available"
    case .wrongKey: "it was encrypted with another key"
    case .cutOff: "it is not as long as its header says"
    case .tampered: "it does not authenticate: it was changed after it was encrypted, or comes from another name"
    case .unrecognised: "it is not in the format of this store"
    case .newerFormat(let found, let known): "it is in format \(found), but this version knows formats up to \(known)"
    case .occupied: "it exists already"
    case .verification: "it does not contain what was written"
    }
  }

  private var remedy: String {
    switch reason {
    case .failed, .verification: "try again; if it happens again, check the disk"
    case .wrongType, .notInteger: "check that the name is the one the app used"
    case .badName: "choose another name"
    case .tooLarge: "keep large data in a file of its own"
    case .readOnly: "work on a copy that can be written to"
    case .locked: "try again after the first unlock"
    case .keyUnavailable: "check the key's provider"
    case .wrongKey: "use the key it was written with; nothing was overwritten"
    case .cutOff, .tampered, .unrecognised:
      "set it aside, and restore it from a backup; nothing was overwritten"
    case .occupied: "remove one of the two, or set it aside; nothing was overwritten"
    case .newerFormat: "update the app; nothing was overwritten"
    }
  }
}
