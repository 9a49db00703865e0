import Foundation

/// What a suite holds itself. `UserDefaults` reads on where the suite has nothing: among the defaults the app has
/// registered, the arguments it was started with, and those of the whole system. None of that is stored.
struct OwnDefaults: @unchecked Sendable {
  // UserDefaults is documented to be safe on any thread; on Linux it is not marked so.
  private let defaults: UserDefaults
  private let domain: String

  /// - Parameter suite: the suite's name.
  init(_ defaults: UserDefaults, suite: String) {
    self.defaults = defaults
    domain = defaults === UserDefaults.standard ? Self.ownDomain : suite
  }

  /// The object the suite holds; nil where it holds none.
  ///
  /// The suite alone can only be had as a whole, which takes as long as all of its values; so that is asked only where
  /// the object may be another's.
  subscript(key: String) -> Any? {
    guard let object = defaults.object(forKey: key) else { return nil }
    return Self.equals(object, others()(key)) ? defaults.persistentDomain(forName: domain)?[key] : object
  }

  /// Every wanted object the suite holds.
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
    /// The app's own domain, by the name that stands for it whatever the app is called.
    private static let ownDomain = "kCFPreferencesCurrentApplication"
    /// A suite that has nothing, so that it shows what every suite shows.
    nonisolated(unsafe) private static let empty = UserDefaults(suiteName: "carryover.empty")

    /// What a key shows that is not the suite's.
    private func others() -> (String) -> Any? { { Self.empty?.object(forKey: $0) } }
  #else
    private static let ownDomain = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName

    /// What a key shows that is not the suite's.
    private func others() -> (String) -> Any? {
      var all = defaults.persistentDomain(forName: UserDefaults.globalDomain) ?? [:]
      for name in defaults.volatileDomainNames { all.merge(defaults.volatileDomain(forName: name)) { _, new in new } }
      return { all[$0] }
    }
  #endif
}
