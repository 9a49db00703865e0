import Foundation

/// What was set in a suite and is not on the disk yet, with what stood there before.
final class DefaultsChanges: @unchecked Sendable {
  private let lock = NSLock()
  private var formers: [String: Any?] = [:]

  /// - Parameter former: what stands there; only the first for a key counts.
  func note(_ key: String, former: Any?) {
    lock.withLock { if formers[key] == nil { formers[key] = .some(former) } }
  }

  /// All changes; there are none afterwards.
  func take() -> [String: Any?] {
    lock.withLock {
      defer { formers = [:] }
      return formers
    }
  }
}

extension UserDefaults {
  /// Puts an object under a key, or takes the key away.
  func put(_ object: Any?, forKey key: String) {
    if let object { set(object, forKey: key) } else { removeObject(forKey: key) }
  }
}
