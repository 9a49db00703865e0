import Foundation

/// The values that a suite itself contains. `UserDefaults` also returns registered defaults, launch arguments and the
/// system's values for keys that the suite does not contain. None of these are stored.
struct OwnDefaults: @unchecked Sendable {
  // UserDefaults is documented as thread-safe, but not marked so on Linux.
  private let defaults: UserDefaults
  private let domain: String

  /// - Parameter suite: the suite's name.
  init(_ defaults: UserDefaults, suite: String) {
    self.defaults = defaults
    domain = defaults === UserDefaults.standard ? Self.ownDomain : suite
  }

  /// The object in the suite; nil if there is none.
  ///
  /// The suite's own values can only be read all together, which is slow. That is done only if the object may come from
  /// another domain.
  subscript(key: String) -> Any? {
    guard let object = defaults.object(forKey: key) else { return nil }
    return Self.equals(object, others()(key)) ? defaults.persistentDomain(forName: domain)?[key] : object
  }

  /// All objects in the suite whose keys the closure accepts.
  func all(where isWanted: (String) -> Bool) -> [String: Any] {
    let readable = defaults.dictionaryRepresentation().filter { isWanted($0.key) }
    let other = others()
    let anothers = readable.filter { Self.equals($0.value, other($0.key)) }
    guard !anothers.isEmpty else { return readable }
    let alone = defaults.persistentDomain(forName: domain) ?? [:]
    var own = readable
    for key in anothers.keys { own[key] = alone[key] }
    return own
  }

  private static func equals(_ object: Any, _ other: Any?) -> Bool {
    guard let other else { return false }
    return NSArray(array: [object]).isEqual(NSArray(array: [other]))
  }

  #if os(Linux)
    /// The app's own domain, under the name that always stands for it.
    private static let ownDomain = "kCFPreferencesCurrentApplication"
    /// An empty suite, which returns what every suite returns.
    nonisolated(unsafe) private static let empty = UserDefaults(suiteName: "carryover.empty")

    /// The value of a key that is not in the suite.
    private func others() -> (String) -> Any? { { Self.empty?.object(forKey: $0) } }
  #else
    private static let ownDomain = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName

    /// The value of a key that is not in the suite.
    private func others() -> (String) -> Any? {
      var all = defaults.persistentDomain(forName: UserDefaults.globalDomain) ?? [:]
      for name in defaults.volatileDomainNames { all.merge(defaults.volatileDomain(forName: name)) { _, new in new } }
      return { all[$0] }
    }
  #endif
}
