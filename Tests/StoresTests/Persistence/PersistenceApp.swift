enum LegacyValues {
  static let traits =
    #"{"anonymousId":"9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b","userId":"u-42","id":"u-42","email":"a@b.co","n":1.0}"#
  static let objC: [String: PropertyListValue] = [
    "rl_anonymous_id": "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b", "rl_traits": .string(traits),
    "rl_session_id": 1_763_640_000, "rl_session_auto_track_status": true, "rl_last_event_time_stamp": 1_763_640_123,
    "rl_application_version_key": "4.2.0", "rl_application_build_key": "420",
  ]
  static let restored: [String: PropertyListValue] = [
    "anonymous_id": "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b", "user_id": "u-42",
    "traits": #"{"email":"a@b.co","n":1.0}"#, "session_id": "1763640000", "is_manual_session": false,
    "last_activity_time": "1763640123000", "rudder.app_version": "4.2.0", "rudder.app_build": 420,
  ]

  /// What the beta SDK 2 leaves; its traits are what a keyed archive makes of a dictionary, or a property list.
  static func beta(archived: Bool = true) throws -> [String: PropertyListValue] {
    [
      "rs_user_id": "u-7", "rs_traits": .data(Array(try betaTraits(archived: archived))),
      "rl_session_id": 1_763_640_050, "rl_session_auto_track_status": false, "rl_session_manual_track_status": true,
      "rl_session_stopped_status": false, "rl_last_event_time_stamp": 1_763_640_150,
      "rs_application_version_key": "5.0.0", "rs_application_build_key": "500",
    ]
  }
  static let betaRestored: [String: PropertyListValue] = [
    "user_id": "u-7", "traits": #"{"email":"ada@example.com"}"#, "session_id": "1763640050", "is_manual_session": true,
    "last_activity_time": "1763640150000", "rudder.app_version": "5.0.0", "rudder.app_build": 500,
  ]

  static func betaTraits(archived: Bool) throws -> Data {
    let traits = ["email": "ada@example.com"]
    return archived
      ? try NSKeyedArchiver.archivedData(withRootObject: traits as NSDictionary, requiringSecureCoding: false)
      : try PropertyListEncoder().encode(traits)
  }
}

final class PersistenceApp {
  static let markKey = "carryover.restored"

  var standard: MemoryDomain
  var target: MemoryDomain
  private let folder = TemporaryFolder()
  var library: URL { folder.url.appending(path: "Library") }

  var restored: [String: PropertyListValue] { target.all.filter { $0.key != Self.markKey } }

  var places: LegacyPersistence {
    LegacyPersistence(standard: standard, target: target, library: library, bundleIdentifier: "com.acme.shop")
  }

  init(_ values: [String: PropertyListValue], target: [String: PropertyListValue] = [:]) throws {
    standard = MemoryDomain("standard", values)
    self.target = MemoryDomain("suite", target)
    try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
  }

  func restart(writes: Int = .max) {
    let budget = MemoryDomain.Budget(writes)
    standard = standard.restarted(budget: budget)
    target = target.restarted(budget: budget)
  }

  func migrator(_ recipe: Recipe? = nil, allowing: Set<FindingCode> = []) -> PersistentMigrator {
    PersistentMigrator(writeKey: "1xAcmeWriteKey", places: places, recipe: recipe, allowing: allowing, now: Self.now)
  }

  static let now: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_763_640_200) }
}

final class MemoryDomain: DefaultsDomain, @unchecked Sendable {
  let label: String
  private let lock = NSLock()
  private var contents: [String: PropertyListValue]
  private var count = 0
  private var listed = 0
  private let budget: Budget
  private let refused: Set<String>
  var observer: ((String) -> Void)?

  /// How many writes are left before everything fails; shared by the domains of one app.
  final class Budget: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int
    init(_ left: Int = .max) { self.left = left }

    func spend() -> Bool {
      lock.withLock {
        guard left > 0 else { return false }
        left -= 1
        return true
      }
    }
  }

  /// - Parameter refused: keys that nothing can be put under.
  init(
    _ label: String, _ contents: [String: PropertyListValue] = [:], budget: Budget = Budget(),
    refusing refused: Set<String> = []
  ) {
    self.refused = refused
    self.label = label
    self.contents = contents
    self.budget = budget
  }

  func restarted(budget: Budget = Budget()) -> MemoryDomain { MemoryDomain(label, all, budget: budget) }

  var all: [String: PropertyListValue] { lock.withLock { contents } }
  var writes: Int { lock.withLock { count } }
  var listings: Int { lock.withLock { listed } }

  func value(for key: String) -> PropertyListValue? { lock.withLock { contents[key] } }

  func values(where isWanted: (String) -> Bool) -> PropertyListDictionary {
    lock.withLock { listed += 1 }
    return PropertyListDictionary(
      entries: all.filter { isWanted($0.key) }.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) })
  }

  func set(_ value: PropertyListValue, for key: String) throws(DefaultsDomainError) {
    guard !refused.contains(key), budget.spend() else { throw .notWritten(label) }
    lock.withLock {
      contents[key] = value
      count += 1
    }
    observer?(key)
  }

  func remove(_ key: String) throws(DefaultsDomainError) {
    guard budget.spend() else { throw .notWritten(label) }
    lock.withLock {
      contents[key] = nil
      count += 1
    }
  }

  func synchronize() throws(DefaultsDomainError) {
    guard budget.spend() else { throw .notWritten(label) }
  }
}
