public import CarryoverStorage
package import CarryoverSystem
import Crypto

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

  /// A store in a folder of the given file system.
  package init(folder: String, keys: any KeyProvider, fileSystem: any FileSystem) {
    self.init(in: FileDataStore(folder: folder, fileSystem: fileSystem), keys: keys)
  }

  /// A store that encrypts each value before it writes the value to another store.
  public init(in store: any ByteStore, keys: any KeyProvider) { sealed = SealedStore(files: store, keys: keys) }
}

/// The encrypted values of another store.
struct SealedStore: ByteStore {
  let files: any ByteStore
  let keys: any KeyProvider

  var label: String { files.label }

  /// The identity of the folder: with another key, it is still the same files.
  var identity: DataStoreIdentity? { files.identity }

  /// The decrypted bytes of a name, authenticated.
  func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    try checkName(name, .read)
    guard let sealed = try files.data(for: name) else { return nil }
    let key = try key(.read, name)
    do {
      return try EncryptedBytes.open(sealed, name: name, key: key)
    } catch {
      throw failure(.read, name, error)
    }
  }

  /// Encrypts bytes and stores them under a name. Existing bytes that this key cannot open are not replaced. Names that
  /// ``EncryptedFileStore/setAside(_:)`` creates are refused.
  func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    try checkName(name, .write)
    let key = try key(.write, name)
    if let sealed = try files.data(for: name) {
      do {
        _ = try EncryptedBytes.open(sealed, name: name, key: key)
      } catch {
        throw failure(.write, name, error)
      }
    }
    try write(data, for: name, key)
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

  func write(_ data: [UInt8], for name: String, _ key: SymmetricKey) throws(DataStoreError) {
    try files.set(try sealed(data, name, key), for: name)
  }

  private func sealed(_ data: [UInt8], _ name: String, _ key: SymmetricKey) throws(DataStoreError) -> [UInt8] {
    do {
      return try EncryptedBytes.seal(data, name: name, key: key)
    } catch {
      throw failure(.write, name, error)
    }
  }

  private func checkName(_ name: String, _ operation: DataStoreError.Operation) throws(DataStoreError) {
    if AsideName.isOne(name) { throw DataStoreError(operation, name, in: label, .badName(.reserved)) }
  }

  func key(_ operation: DataStoreError.Operation, _ name: String?) throws(DataStoreError) -> SymmetricKey {
    do {
      return try keys.key()
    } catch {
      throw DataStoreError(operation, name, in: label, .keyUnavailable, cause: error)
    }
  }

  func failure(
    _ operation: DataStoreError.Operation, _ name: String, _ error: any Error
  ) -> DataStoreError {
    let reason: DataStoreError.Reason =
      switch error as? EncryptedBytes.Failure {
      case .unrecognised: .unrecognised
      case .newerFormat(let found): .newerFormat(found: Int(found), known: Int(EncryptedBytes.version))
      case .cutOff: .cutOff
      case .wrongKey: .wrongKey
      case .tampered: .tampered
      case .badKey: .keyUnavailable
      case nil: .failed
      }
    return DataStoreError(operation, name, in: label, reason, cause: reason == .failed ? error : nil)
  }
}
