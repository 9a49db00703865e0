public import CarryoverStorage
import Crypto

/// How a change of keys ended.
package struct Rekeying: Sendable {
  /// The names that were brought to the new key.
  package var rekeyed: [String] = []
  /// The names that had it already.
  package var current: [String] = []
  /// What was set aside, which stays as it is and may be the former key's.
  package var setAside: [String] = []
  /// What stands as it did, and why.
  package var failures: [DataStoreError] = []
}

extension EncryptedFileStore {
  /// Brings every name from a former key to this store's. Each is replaced atomically, and one that fails does not stop the
  /// others; after a crash, call it again. Until it has ended without failures and nothing is set aside any longer, keep the
  /// former key.
  ///
  /// A value that comes while this is at work is looked for once more before each write. Only one that comes in that very
  /// moment can be lost, so call it before others write, such as at the app's start.
  /// - Returns: the errors of the values that were not re-encrypted, which are unchanged.
  /// - Throws: `DataStoreError` where there is no key or the names cannot be had; nothing was written.
  public func rekey(from former: any KeyProvider) throws(DataStoreError) -> [DataStoreError] {
    try rekeying(from: former).failures
  }

  /// What came of each name.
  package func rekeying(from former: any KeyProvider) throws(DataStoreError) -> Rekeying {
    try sealed.rekeying(from: former)
  }
}

extension SealedStore {
  /// Brings every name from a former key to this store's.
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
      // Somebody may have written meanwhile; theirs is newer.
      guard try files.data(for: name) == sealed else { continue }
      try files.set(resealed, for: name)
      return .rekeyed
    }
    throw DataStoreError(.write, name, in: label, .occupied)
  }

  /// How often a name is looked at that others write again and again.
  private static let attempts = 16
}
