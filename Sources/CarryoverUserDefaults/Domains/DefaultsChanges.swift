import Foundation

/// The changes to a suite that are not on the disk yet, with the former values.
final class DefaultsChanges: @unchecked Sendable {
  private let lock = NSLock()
  private var formers: [String: Any?] = [:]

  /// - Parameter former: the value before the change. Only the first one for a key counts.
  func note(_ key: String, former: Any?) {
    lock.withLock { if formers[key] == nil { formers[key] = .some(former) } }
  }

  /// Returns all changes and forgets them.
  func take() -> [String: Any?] {
    lock.withLock {
      defer { formers = [:] }
      return formers
    }
  }
}

extension UserDefaults {
  /// Sets an object for a key; nil removes the key.
  func put(_ object: Any?, forKey key: String) {
    if let object { set(object, forKey: key) } else { removeObject(forKey: key) }
  }
}
