import CarryoverSystem
import PropertyLists

/// The locks of the models that are being migrated, between the threads of this process. Each is there while it is used.
enum ModelLocks {
  private struct Model: Hashable {
    var store: DataStoreIdentity
    var name: StringByBytes
  }

  private struct Entry {
    var lock = RecursiveLock()
    var users = 0
  }

  private static let entries = Locked<[Model: Entry]>([:])

  /// Runs a closure while no other thread runs one for the same model. A store without an identity has no lock.
  static func withLock<Result>(_ store: DataStoreIdentity?, _ name: String, _ body: () -> Result) -> Result {
    guard let store else { return body() }
    let model = Model(store: store, name: StringByBytes(name))
    let lock = entries.withLock { entries in
      var entry = entries[model] ?? Entry()
      entry.users += 1
      entries[model] = entry
      return entry.lock
    }
    defer {
      entries.withLock { entries in
        entries[model]?.users -= 1
        if entries[model]?.users == 0 { entries[model] = nil }
      }
    }
    return lock.withLock(body)
  }
}
