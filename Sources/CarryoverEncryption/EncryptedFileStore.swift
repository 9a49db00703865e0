public import Carryover
import Crypto

/// A folder of encrypted files: AES-256-GCM, with a key from a provider. Whoever reads the files learns how long each value
/// is and how many there are; the names of the files tell the names of the values.
///
/// A file is replaced atomically and brought to the disk before a write returns. Bytes that are damaged, were changed or
/// are encrypted with another key are never taken for missing, and never overwritten by a read.
public struct EncryptedFileStore: DataStore {
  private let files: any DataStore
  private let keys: any KeyProvider

  /// A store in a folder, which is made with the first write if it is not there.
  public init(folder: String, keys: any KeyProvider, fileSystem: any FileSystem = POSIXFileSystem()) {
    self.init(in: FileDataStore(folder: folder, fileSystem: fileSystem), keys: keys)
  }

  /// Encrypts what goes into another store.
  public init(in store: any DataStore, keys: any KeyProvider) {
    files = store
    self.keys = keys
  }

  /// The store's path.
  public var label: String { files.label }

  /// The bytes under a name, authenticated.
  public func data(for name: String) throws(DataStoreError) -> [UInt8]? {
    guard let sealed = try files.data(for: name) else { return nil }
    let key = try key(.read, name)
    do {
      return try EncryptedBytes.open(sealed, name: name, key: key)
    } catch {
      throw failure(.read, name, error)
    }
  }

  /// Encrypts bytes and puts them under a name. Bytes that are there and cannot be opened with this key are not replaced.
  public func set(_ data: [UInt8], for name: String) throws(DataStoreError) {
    let key = try key(.write, name)
    if let sealed = try files.data(for: name) {
      do {
        _ = try EncryptedBytes.open(sealed, name: name, key: key)
      } catch {
        throw failure(.write, name, error)
      }
    }
    let sealed: [UInt8]
    do {
      sealed = try EncryptedBytes.seal(data, name: name, key: key)
    } catch {
      throw failure(.write, name, error)
    }
    try files.set(sealed, for: name)
  }

  /// Removes a name's file, whatever it holds.
  public func remove(_ name: String) throws(DataStoreError) { try files.remove(name) }

  /// The names whose files are in the folder.
  public func names() throws(DataStoreError) -> [String] { try files.names() }

  private func key(_ operation: DataStoreError.Operation, _ name: String) throws(DataStoreError) -> SymmetricKey {
    do {
      return try keys.key()
    } catch {
      throw DataStoreError(operation, name, in: label, .keyUnavailable, cause: error)
    }
  }

  private func failure(
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

/// Encryption for single values of a router, wherever they are kept: AES-256-GCM in the form of ``EncryptedFileStore``.
public struct EncryptedValues: DataProtection {
  private let keys: any KeyProvider

  /// A protection with a key from a provider.
  public init(keys: any KeyProvider) { self.keys = keys }

  /// Encrypts bytes for a name.
  public func protect(_ data: [UInt8], name: String) throws -> [UInt8] {
    try EncryptedBytes.seal(data, name: name, key: keys.key())
  }

  /// Opens bytes that were encrypted for a name.
  /// - Throws: ``EncryptionError`` for bytes that cannot be opened, and what the provider throws.
  public func unprotect(_ data: [UInt8], name: String) throws -> [UInt8] {
    do {
      return try EncryptedBytes.open(data, name: name, key: keys.key())
    } catch let failure as EncryptedBytes.Failure {
      throw EncryptionError(failure)
    }
  }
}

/// Why a protected value could not be opened.
public enum EncryptionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It was encrypted with another key.
  case wrongKey
  /// It was changed after it was encrypted, or stands under another name.
  case tampered
  /// It is not as long as its header says.
  case cutOff
  /// It is no encrypted value of a known form.
  case unrecognised
  /// The key is not of 256 bits.
  case badKey

  init(_ failure: EncryptedBytes.Failure) {
    self =
      switch failure {
      case .wrongKey: .wrongKey
      case .tampered: .tampered
      case .cutOff: .cutOff
      case .unrecognised, .newerFormat: .unrecognised
      case .badKey: .badKey
      }
  }

  /// What is wrong, in a few words.
  public var description: String {
    switch self {
    case .wrongKey: "it was encrypted with another key"
    case .tampered: "it was changed after it was encrypted, or stands under another name"
    case .cutOff: "it is not as long as its header says"
    case .unrecognised: "it is no encrypted value of a known form"
    case .badKey: "the key is not of 256 bits"
    }
  }
}
