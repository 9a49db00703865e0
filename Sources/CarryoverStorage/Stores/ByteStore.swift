import CarryoverSystem
public import PropertyLists

/// A store of named bytes: a model's JSON, a router's value, a backup. `UserDefaults`, a keychain, a folder of files
/// and a folder of encrypted files are all such stores.
///
/// A write replaces all the bytes of one name: after a crash, the store has the old bytes or the new ones. Each store
/// documents how durable a write is when it returns.
///
/// Names are compared byte by byte: two spellings that look the same are two names.
public protocol ByteStore: Sendable {
  /// The store's name in errors and reports, such as a path or a suite's name.
  var label: String { get }

  /// The store's identity, equal for stores that share their bytes; nil if it is unknown. By default, an object is
  /// identical only to itself, and a value has no identity.
  var identity: DataStoreIdentity? { get }

  /// The bytes under a name; nil if there are none.
  /// - Throws: ``DataStoreError`` if there may be bytes that cannot be read.
  func data(for name: String) throws(DataStoreError) -> [UInt8]?

  /// Stores bytes under a name, and replaces existing ones.
  /// - Throws: ``DataStoreError``. The name then has either all of its old bytes or all of the new ones: a new file may
  ///   already be in place when its folder cannot be flushed to the disk. Read the bytes if that matters.
  func set(_ data: [UInt8], for name: String) throws(DataStoreError)

  /// Stores bytes under a name that has none. By default, this reads and then writes, so it may replace bytes that
  /// another process stores in between; a store that can do both atomically should.
  /// - Returns: true if the bytes were stored; false if the name has bytes, which stay.
  /// - Throws: ``DataStoreError``, as ``set(_:for:)`` does.
  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool

  /// Runs a closure while no other thread or process runs one for the same name, and lets it read what they have
  /// stored. By default, this only runs the closure: a store that has such a lock, or forwards to one, implements it. A
  /// store whose lock cannot be used, for example in a read-only folder, runs the closure without it.
  ///
  /// The system releases the lock of a process that ends. On one thread, a closure may be inside another. A closure that
  /// waits for another thread which waits for the same lock never ends.
  func withLock<Result>(for name: String, _ body: () -> Result) -> Result

  /// The whole number under a name, such as the version of data beside it; nil if there is none. By default, it is
  /// decimal text. A store that has numbers, or forwards to one, implements this and `setInteger(_:for:)`.
  /// - Throws: ``DataStoreError``, with `notInteger` if the value is not an integer.
  func integer(for name: String) throws(DataStoreError) -> Int?

  /// Stores a whole number under a name, as `integer(for:)` reads it.
  /// - Throws: ``DataStoreError``, as ``set(_:for:)`` does.
  func setInteger(_ number: Int, for name: String) throws(DataStoreError)

  /// Removes a name and its bytes; does nothing if there are none.
  /// - Throws: ``DataStoreError``. The bytes are then either all there or all removed.
  func remove(_ name: String) throws(DataStoreError)

  /// The names in the store, sorted byte by byte.
  /// - Throws: ``DataStoreError`` if they cannot be listed.
  func names() throws(DataStoreError) -> [String]
}

extension ByteStore {
  /// The identity of an object; nil for a value.
  public var identity: DataStoreIdentity? {
    type(of: self) is AnyObject.Type ? DataStoreIdentity(object: self as AnyObject) : nil
  }

  /// Only runs the closure.
  public func withLock<Result>(for name: String, _ body: () -> Result) -> Result { body() }

  /// Reads decimal text; throws `notInteger` for anything else.
  public func integer(for name: String) throws(DataStoreError) -> Int? {
    guard let bytes = try data(for: name) else { return nil }
    guard let number = Int(String(decoding: bytes, as: UTF8.self)) else {
      throw DataStoreError(.read, name, in: label, .notInteger)
    }
    return number
  }

  /// Writes decimal text.
  public func setInteger(_ number: Int, for name: String) throws(DataStoreError) {
    try set(Array(String(number).utf8), for: name)
  }

  /// Reads and then writes, which is not atomic.
  public func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    guard try self.data(for: name) == nil else { return false }
    try set(data, for: name)
    return true
  }

  func checkName(_ name: String, _ operation: DataStoreError.Operation) throws(DataStoreError) {
    if name.isEmpty { throw DataStoreError(operation, name, in: label, .badName(.empty)) }
  }
}

/// A store that forwards every call to another, so that a public store declares only its initializers.
package protocol ForwardingStore: ByteStore {
  var base: any ByteStore { get }
}

extension ForwardingStore {
  /// The base store's label.
  public var label: String { base.label }
  /// The base store's identity.
  public var identity: DataStoreIdentity? { base.identity }
  /// Reads bytes from the base store.
  public func data(for name: String) throws(DataStoreError) -> [UInt8]? { try base.data(for: name) }
  /// Stores bytes in the base store.
  public func set(_ data: [UInt8], for name: String) throws(DataStoreError) { try base.set(data, for: name) }
  /// Stores bytes in the base store, if the name has none.
  public func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    try base.setIfAbsent(data, for: name)
  }
  /// Runs a closure under the base store's lock.
  public func withLock<Result>(for name: String, _ body: () -> Result) -> Result { base.withLock(for: name, body) }
  /// Reads a whole number from the base store.
  public func integer(for name: String) throws(DataStoreError) -> Int? { try base.integer(for: name) }
  /// Stores a whole number in the base store.
  public func setInteger(_ number: Int, for name: String) throws(DataStoreError) {
    try base.setInteger(number, for: name)
  }
  /// Removes a name from the base store.
  public func remove(_ name: String) throws(DataStoreError) { try base.remove(name) }
  /// The base store's names.
  public func names() throws(DataStoreError) -> [String] { try base.names() }
}

/// The identity of a store. Stores with one identity share their bytes: each reads what another stores under a name.
public struct DataStoreIdentity: Hashable, Sendable {
  private let object: ObjectIdentifier?
  private let place: [StringByBytes]

  /// The identity of an object, as long as it exists.
  package init(object: AnyObject) {
    self.object = ObjectIdentifier(object)
    place = []
  }

  /// Creates an identity from a kind of store and one store of that kind, such as a folder's path.
  public init(_ kind: String, _ place: String) {
    object = nil
    self.place = [StringByBytes(kind), StringByBytes(place)]
  }
}

/// Protects bytes, so that others can neither read nor change them: encryption with its own key.
public protocol DataProtection: Sendable {
  /// Protects bytes for a name, so that they cannot be moved to another.
  /// - Throws: an error if the bytes cannot be protected.
  func protect(_ data: [UInt8], name: String) throws -> [UInt8]
  /// Removes the protection.
  /// - Throws: an error if the bytes were changed, or were protected for another name.
  func unprotect(_ data: [UInt8], name: String) throws -> [UInt8]
  /// Whether bytes have the format of this protection, even if they are damaged or need another key. It distinguishes
  /// them from bytes that were never protected.
  func isProtected(_ data: [UInt8]) -> Bool
}

/// A store in memory, for tests and previews. Copies share their bytes.
public struct MemoryDataStore: ByteStore, ForwardingStore {
  package let base: any ByteStore

  /// Creates a store that contains some data.
  public init(_ contents: [String: [UInt8]] = [:], label: String = "memory") {
    base = MemoryBytes(contents, label: label)
  }
}

private final class MemoryBytes: ByteStore {
  let label: String
  private let contents: Locked<[StringByBytes: [UInt8]]>

  init(_ contents: [String: [UInt8]], label: String) {
    self.label = label
    self.contents = Locked(
      Dictionary(contents.map { (StringByBytes($0.key), $0.value) }, uniquingKeysWith: { first, _ in first }))
  }

  func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    try checkName(name, .read)
    return contents.withLock { $0[StringByBytes(name)] }
  }

  func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    try checkName(name, .write)
    contents.withLock { $0[StringByBytes(name)] = data }
  }

  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    try checkName(name, .write)
    return contents.withLock { contents in
      let key = StringByBytes(name)
      guard contents[key] == nil else { return false }
      contents[key] = data
      return true
    }
  }

  func remove(_ name: String) throws(DataStoreError) {
    try checkName(name, .remove)
    contents.withLock { $0[StringByBytes(name)] = nil }
  }

  func names() throws(DataStoreError) -> [String] { contents.withLock { Array($0.keys) }.map(\.text).sortedByBytes() }
}

/// Represents a name in the names of notes and backups beside it. A store may limit a name's length and escape every
/// byte of it, so a checksum replaces a long name.
package enum NameStem {
  package static func of(_ name: String) -> String {
    name.utf8.count <= longest ? name : Checksum.text(Array(name.utf8))
  }

  private static let longest = 64
}

/// A problem with a value or its bytes, in words without the value. It is the cause of an error with a type of its own.
package struct StorageProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

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
  public init(_ operation: Operation, _ name: String?, in store: String, _ reason: Reason, cause: (any Error)? = nil) {
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
    case .cutOff, .tampered, .unrecognised: "set it aside, and restore it from a backup; nothing was overwritten"
    case .occupied: "remove one of the two, or set it aside; nothing was overwritten"
    case .newerFormat: "update the app; nothing was overwritten"
    }
  }
}
