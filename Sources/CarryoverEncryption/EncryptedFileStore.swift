public import CarryoverStorage
package import CarryoverSystem
import Crypto

/// A folder of encrypted files: AES-256-GCM, with a key from a provider. Whoever reads the files learns how long each value
/// is and how many there are; the names of the files tell the names of the values.
///
/// A file is replaced atomically and brought to the disk before a write returns. Bytes that cannot be opened, since they
/// are damaged, were changed or are encrypted with another key, are never taken for missing and never overwritten. The way
/// out is the app's to choose: give the right key, ``setAside(_:)`` what cannot be opened, or `remove(_:)` it.
///
/// Any number of threads and processes may write at once; the last write of a name wins as a whole. Nonces are random, so a
/// key is good for some billions of writes; ``rekey(from:)`` brings everything to another.
public struct EncryptedFileStore: ByteStore, ForwardingStore {
  let sealed: SealedStore
  package var base: any ByteStore { sealed }

  /// A store in a folder, which is made with the first write if it is not there.
  public init(folder: String, keys: any KeyProvider) { self.init(in: FileDataStore(folder: folder), keys: keys) }

  /// A store in a folder of a file system's.
  package init(folder: String, keys: any KeyProvider, fileSystem: any FileSystem) {
    self.init(in: FileDataStore(folder: folder, fileSystem: fileSystem), keys: keys)
  }

  /// Encrypts what goes into another store.
  public init(in store: any ByteStore, keys: any KeyProvider) { sealed = SealedStore(files: store, keys: keys) }
}

/// What is kept encrypted in another store.
struct SealedStore: ByteStore {
  let files: any ByteStore
  let keys: any KeyProvider

  var label: String { files.label }

  /// That of the folder: without the key it is the same files.
  var identity: DataStoreIdentity? { files.identity }

  /// The bytes under a name, authenticated.
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

  /// Encrypts bytes and puts them under a name. Bytes that are there and cannot be opened with this key are not replaced.
  /// A name that what is set aside gets, as ``setAside(_:)`` returns it, is refused.
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

  /// Encrypts bytes and puts them under a name that has none, be they such as can be opened.
  func setIfAbsent(_ data: [UInt8], for name: String) throws(DataStoreError) -> Bool {
    try checkName(name, .write)
    return try files.setIfAbsent(try sealed(data, name, try key(.write, name)), for: name)
  }

  /// Removes a name's file, whatever it holds.
  func remove(_ name: String) throws(DataStoreError) { try files.remove(name) }

  /// The names whose files are in the folder, without those that were set aside.
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
