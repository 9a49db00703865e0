public import CarryoverStorage
import Crypto

/// The result of a key change.
package struct Rekeying: Sendable {
  /// The names of the values that were re-encrypted with the new key.
  package var rekeyed: [String] = []
  /// The names of the values that already had the new key.
  package var current: [String] = []
  /// The names of files that were set aside. They are unchanged and may need the former key.
  package var setAside: [String] = []
  /// The errors of the values that were not re-encrypted.
  package var failures: [DataStoreError] = []
}

extension EncryptedFileStore {
  /// Re-encrypts every value from a former key to this store's key. Each value is replaced atomically; an error in one
  /// does not stop the others. After a crash, call it again. Keep the former key until a call returns no errors and no
  /// file is set aside.
  ///
  /// Before each write, it checks whether the value has changed meanwhile. A change between this check and the write is
  /// lost, so call it before other code writes to the store, for example when the app starts.
  /// - Returns: one error for each value that was not re-encrypted. These values are unchanged.
  /// - Throws: `DataStoreError` if a key is not available or the names cannot be read. Nothing is written then.
  public func rekey(from former: any KeyProvider) throws(DataStoreError) -> [DataStoreError] {
    try rekeying(from: former).failures
  }

  /// Re-encrypts every value, and returns the result for each name.
  package func rekeying(from former: any KeyProvider) throws(DataStoreError) -> Rekeying {
    try sealed.rekeying(from: former)
  }
}

extension SealedStore {
  /// Re-encrypts every value from a former key to this store's key.
  func rekeying(from former: any KeyProvider) throws(DataStoreError) -> Rekeying {
    let old = try SealedStore(files: files, keys: former).key(.read, nil)
    let new = try key(.write, nil)
    var rekeying = Rekeying()
    for name in try files.names() {
      if AsideName.isOne(name) {
        rekeying.setAside.append(name)
        continue
      }
      do throws(DataStoreError) {
        switch try rekey(name, from: old, to: new) {
        case .none: break
        case .rekeyed: rekeying.rekeyed.append(name)
        case .current: rekeying.current.append(name)
        }
      } catch {
        rekeying.failures.append(error)
      }
    }
    return rekeying
  }

  private enum Rekeyed {
    case none, rekeyed, current
  }

  private func rekey(_ name: String, from old: SymmetricKey, to new: SymmetricKey) throws(DataStoreError) -> Rekeyed {
    for _ in 0..<Self.attempts {
      guard let sealed = try files.data(for: name) else { return .none }
      if (try? EncryptedBytes.open(sealed, name: name, key: new)) != nil { return .current }
      let resealed: [UInt8]
      do {
        resealed = try EncryptedBytes.seal(
          EncryptedBytes.open(sealed, name: name, key: old), name: name, key: new)
      } catch {
        throw failure(.read, name, error)
      }
      // Another process may have written a newer value.
      guard try files.data(for: name) == sealed else { continue }
      try files.set(resealed, for: name)
      return .rekeyed
    }
    throw DataStoreError(.write, name, in: label, .occupied)
  }

  /// How often a value that others keep changing is tried.
  private static let attempts = 16
}
