public import Carryover
import Crypto

/// How a change of keys ended.
public struct Rekeying: Sendable {
  /// The names that were brought to the new key.
  public var rekeyed: [String] = []
  /// The names that had it already.
  public var current: [String] = []
  /// What stands as it did, and why.
  public var failures: [DataStoreError] = []
}

extension EncryptedFileStore {
  /// Brings every name from a former key to this store's. Each is replaced atomically, and one that fails does not stop the
  /// others; after a crash, call it again. Until it has ended without failures, keep the former key.
  /// - Throws: `DataStoreError` where there is no key or the names cannot be had; nothing was written.
  public func rekey(from former: any KeyProvider) throws(DataStoreError) -> Rekeying {
    let old = try EncryptedFileStore(in: files, keys: former).key(.read, nil)
    let new = try key(.write, nil)
    var rekeying = Rekeying()
    for name in try names() {
      do throws(DataStoreError) {
        guard let sealed = try files.data(for: name) else { continue }
        if (try? EncryptedBytes.open(sealed, name: name, key: new)) != nil {
          rekeying.current.append(name)
          continue
        }
        let bytes: [UInt8]
        do {
          bytes = try EncryptedBytes.open(sealed, name: name, key: old)
        } catch {
          throw failure(.read, name, error)
        }
        try write(bytes, for: name, new)
        rekeying.rekeyed.append(name)
      } catch {
        rekeying.failures.append(error)
      }
    }
    return rekeying
  }
}
