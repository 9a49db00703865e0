public import CarryoverStorage
package import CarryoverSystem
import Crypto
import Foundation

/// A store of encrypted files in a folder: AES-256-GCM, with a key from a ``KeyProvider``. The encryption hides neither
/// the number of values nor their names and lengths.
///
/// A write replaces the file atomically and is on the disk when it returns. Bytes that cannot be opened, because they
/// are damaged, were changed or need another key, are an error: they are never treated as missing, and never
/// overwritten. The app can then provide the right key, call ``setAside(_:)``, or remove the value with `remove(_:)`.
///
/// Several threads and processes may write at the same time; the last write of a name wins as a whole. Nonces are
/// random, so a key is safe for a few billion writes. ``rekey(from:)`` re-encrypts all values with another key.
public struct EncryptedFileStore: ByteStore, ForwardingStore {
  let sealed: SealedStore
  package var base: any ByteStore { sealed }

  /// A store in a folder. The first write creates the folder if it does not exist.
  public init(folder: String, keys: any KeyProvider) { self.init(in: FileDataStore(folder: folder), keys: keys) }

  package init(folder: String, keys: any KeyProvider, fileSystem: any FileSystem) {
    self.init(in: FileDataStore(folder: folder, fileSystem: fileSystem), keys: keys)
  }

  /// A store that encrypts each value before it writes the value to another store.
  public init(in store: any ByteStore, keys: any KeyProvider) { sealed = SealedStore(files: store, keys: keys) }

  /// Re-encrypts every value from a former key to this store's key. Each value is replaced atomically; an error in one
  /// does not stop the others. After a crash, call it again. Keep the former key until a call returns no errors and no
  /// file is set aside.
  ///
  /// Before each write, it checks whether the value has changed meanwhile. A change between this check and the write is
  /// lost, so call it before other code writes to the store, for example when the app starts.
  /// - Returns: one error for each value that was not re-encrypted. These values are unchanged.
  /// - Throws: `DataStoreError` if a key is not available or the names cannot be read. Nothing is written then.
  public func rekey(from former: any KeyProvider) throws(DataStoreError) -> [DataStoreError] {
    try sealed.rekey(from: former)
  }

  /// Renames a value that cannot be opened, without changing its bytes, so that its name can be written again. With the
  /// right key, ``putBack(_:)`` restores it.
  /// - Returns: the new name; nil if there is no value under the name.
  /// - Throws: `DataStoreError`. The value then still has its old name.
  @discardableResult
  public func setAside(_ name: String) throws(DataStoreError) -> String? {
    guard let bytes = try sealed.files.data(for: name) else { return nil }
    let aside = AsideName.make(name, of: bytes)
    try move(bytes, from: name, to: aside)
    return aside
  }

  /// Renames a value that was set aside to its old name.
  /// - Parameter aside: the name that ``setAside(_:)`` returned.
  /// - Returns: the old name; nil if there is no such value.
  /// - Throws: `DataStoreError`; `occupied` if the old name now has another value. Both values are unchanged then.
  @discardableResult
  public func putBack(_ aside: String) throws(DataStoreError) -> String? {
    guard let name = AsideName.name(of: aside), let bytes = try sealed.files.data(for: aside) else { return nil }
    if let present = try sealed.files.data(for: name), present != bytes {
      throw DataStoreError(.write, name, in: label, .occupied)
    }
    try move(bytes, from: aside, to: name)
    return name
  }

  /// The names of the values that are set aside, sorted by their UTF-8 bytes.
  /// - Throws: `DataStoreError` if the names cannot be read.
  public func setAsideNames() throws(DataStoreError) -> [String] { try sealed.files.names().filter(AsideName.isOne) }

  /// Copies, verifies, then removes. A crash leaves both copies; the next call finishes the move.
  private func move(_ bytes: [UInt8], from old: String, to new: String) throws(DataStoreError) {
    try sealed.files.set(bytes, for: new)
    guard try sealed.files.data(for: new) == bytes else { throw DataStoreError(.write, new, in: label, .verification) }
    try sealed.files.remove(old)
  }
}

struct SealedStore: ByteStore {
  let files: any ByteStore
  let keys: any KeyProvider

  var label: String { files.label }

  /// The identity of the folder: with another key, it is still the same files.
  var identity: DataStoreIdentity? { files.identity }

  func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    try checkName(name, .read)
    guard let sealed = try files.data(for: name) else { return nil }
    let key = try key(.read, name)
    return try failing(.read, name, of: sealed) { try EncryptedBytes.open(sealed, name: name, key: key) }
  }

  /// Encrypts bytes and stores them under a name. Existing bytes that this key cannot open are not replaced. Names that
  /// ``EncryptedFileStore/setAside(_:)`` creates are refused.
  func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    try checkName(name, .write)
    let key = try key(.write, name)
    if let sealed = try files.data(for: name) {
      _ = try failing(.write, name, of: sealed) { try EncryptedBytes.open(sealed, name: name, key: key) }
    }
    try files.set(try sealed(data, name, key), for: name)
  }

  /// Encrypts bytes and stores them under a name that has none. Existing bytes stay, even if they cannot be opened.
  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    try checkName(name, .write)
    return try files.setIfAbsent(try sealed(data, name, try key(.write, name)), for: name)
  }

  func withLock<Result>(for name: String, _ body: () -> Result) -> Result { files.withLock(for: name, body) }

  /// Removes the file of a name, even if it cannot be opened.
  func remove(_ name: String) throws(DataStoreError) { try files.remove(name) }

  /// The names of the files in the folder, except those that are set aside.
  func names() throws(DataStoreError) -> [String] { try files.names().filter { !AsideName.isOne($0) } }

  private func sealed(_ data: [UInt8], _ name: String, _ key: SymmetricKey) throws(DataStoreError) -> [UInt8] {
    try failing(.write, name) { try EncryptedBytes.seal(data, name: name, key: key) }
  }

  private func checkName(_ name: String, _ operation: DataStoreError.Operation) throws(DataStoreError) {
    if AsideName.isOne(name) { throw DataStoreError(operation, name, in: label, .badName(.reserved)) }
  }

  func key(_ operation: DataStoreError.Operation, _ name: String?) throws(DataStoreError) -> SymmetricKey {
    try converting(try keys.key()) { DataStoreError(operation, name, in: label, .keyUnavailable, cause: $0) }
  }

  /// - Parameter bytes: the encrypted bytes, which state their format.
  private func failing<Result>(
    _ operation: DataStoreError.Operation, _ name: String, of bytes: [UInt8] = [], _ body: () throws -> Result
  ) throws(DataStoreError) -> Result {
    do {
      return try body()
    } catch {
      let reason: DataStoreError.Reason =
        switch error as? EncryptionError {
        case .unrecognised: .unrecognised
        case .newerFormat:
          .newerFormat(
            found: bytes.dropFirst(EncryptedBytes.versionIndex).first.map(Int.init) ?? 0,
            known: Int(EncryptedBytes.version))
        case .cutOff: .cutOff
        case .wrongKey: .wrongKey
        case .tampered: .tampered
        case .badKey: .keyUnavailable
        case nil: .failed
        }
      throw DataStoreError(operation, name, in: label, reason, cause: reason == .failed ? error : nil)
    }
  }

  fileprivate func rekey(from former: any KeyProvider) throws(DataStoreError) -> [DataStoreError] {
    let old = try SealedStore(files: files, keys: former).key(.read, nil)
    let new = try key(.write, nil)
    var failures: [DataStoreError] = []
    for name in try names() {
      do throws(DataStoreError) {
        try rekey(name, from: old, to: new)
      } catch {
        failures.append(error)
      }
    }
    return failures
  }

  private func rekey(_ name: String, from old: SymmetricKey, to new: SymmetricKey) throws(DataStoreError) {
    for _ in 0..<Self.attempts {
      guard let sealed = try files.data(for: name) else { return }
      if (try? EncryptedBytes.open(sealed, name: name, key: new)) != nil { return }
      let resealed = try failing(.read, name, of: sealed) {
        try EncryptedBytes.seal(EncryptedBytes.open(sealed, name: name, key: old), name: name, key: new)
      }
      // Another process may have written a newer value.
      guard try files.data(for: name) == sealed else { continue }
      return try files.set(resealed, for: name)
    }
    throw DataStoreError(.write, name, in: label, .occupied)
  }

  private static let attempts = 16
}

/// The name of a value that was set aside: the old name, a suffix and a hash of the bytes. The same bytes get the same
/// name, and other bytes are never replaced.
enum AsideName {
  private static let mark = ".set-aside-"
  private static let digits = 16

  static func make(_ name: String, of bytes: [UInt8]) -> String {
    name + mark + Array(SHA256.hash(data: bytes).prefix(digits / 2)).hexadecimal
  }

  static func name(of aside: String) -> String? {
    let utf8 = Array(aside.utf8)
    let end = utf8.count - digits
    let start = end - mark.utf8.count
    guard start > 0, utf8[start..<end].elementsEqual(mark.utf8),
      [UInt8](hexadecimal: String(decoding: utf8[end...], as: UTF8.self)) != nil
    else { return nil }
    return String(decoding: utf8[..<start], as: UTF8.self)
  }

  static func isOne(_ name: String) -> Bool { self.name(of: name) != nil }
}
