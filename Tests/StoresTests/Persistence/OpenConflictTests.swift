@Suite("Conflicts that a release leaves to a later one") struct OpenConflictTests {
  private static let fresh: [String: PropertyListValue] = ["anonymous_id": "made by the new SDK"]
  private static let legacy = LegacyValues.restored["anonymous_id"]

  @Test(
    "a conflict left open by one release is resolved by the next one's replaceFreshIdentity, or replace (A13, A19)",
    arguments: [PersistenceConflict.replaceFreshIdentity, .replace])
  func nextRelease(policy: PersistenceConflict) throws {
    // No user id and no traits, so that the identity is a fresh one.
    let values = LegacyValues.objC.merging(["rl_traits": #"{"anonymousId":"x"}"#]) { $1 }
    let app = try PersistenceApp(values, target: Self.fresh)
    #expect(app.migrator().restorePersistence().fields(.conflict) == [.anonymousID])
    for _ in 0..<3 {
      app.restart()
      let again = app.migrator().restorePersistence()
      #expect(again.status == .doneBefore && again.outcomes == [.anonymousID: .conflict] && app.target.writes == 0)
      #expect(again.description.contains("conflict: anonymous_id"))
    }
    app.restart()
    #expect(try app.migrator().readPersistence(onConflict: policy).fields == [.anonymousID])
    let report = app.migrator().restorePersistence(onConflict: policy)
    #expect(report.status == .done && report.outcomes == [.anonymousID: .migrated])
    #expect(app.target.all["anonymous_id"] == Self.legacy)
    try app.target.set("another", for: "anonymous_id")
    app.restart()
    #expect(app.migrator().restorePersistence(onConflict: .replace).status == .doneBefore)
    #expect(app.target.all["anonymous_id"] == "another")
  }

  private static func restoredBeside() throws -> PersistenceApp {
    let app = try PersistenceApp(LegacyValues.objC, target: fresh)
    let report = app.migrator().restorePersistence()
    #expect(report.fields(.conflict) == [.anonymousID] && report.outcomes[.userID] == .migrated)
    app.restart()
    return app
  }

  @Test func `a user id and traits of the first call do not keep the anonymous id from it (A13, A19)`() throws {
    let app = try Self.restoredBeside()
    #expect(try app.migrator().readPersistence(onConflict: .replaceFreshIdentity).fields == [.anonymousID])
    let report = app.migrator().restorePersistence(onConflict: .replaceFreshIdentity)
    #expect(report.status == .done && report.outcomes == [.anonymousID: .migrated])
    #expect(app.restored == LegacyValues.restored)
    app.restart()
    #expect(app.migrator().restorePersistence(onConflict: .replaceFreshIdentity).status == .doneBefore)
  }

  @Test(
    "a user whom the app has logged out or identified since keeps the anonymous id, even if it is still the same (A13, A19)",
    arguments: [
      ["user_id": nil, "traits": nil], ["user_id": nil], ["traits": nil], ["user_id": "u-7", "traits": nil],
      ["user_id": "u-7"], ["traits": #"{"email":"new@b.co"}"#], ["user_id": ""],
      ["user_id": nil, "traits": nil, "anonymous_id": "another"],
    ] as [[String: PropertyListValue?]])
  func changedUser(changes: [String: PropertyListValue?]) throws {
    let app = try Self.restoredBeside()
    for (key, value) in changes {
      if let value { try app.target.set(value, for: key) } else { try app.target.remove(key) }
    }
    let before = app.restored
    for fields in [Set(PersistedField.allCases), [.anonymousID]] {
      app.restart()
      app.migrator().restorePersistence(fields, onConflict: .replaceFreshIdentity)
      #expect(app.restored == before)
    }
  }

  @Test func `a user logged out since stays so, also where the anonymous id is asked for first (A13)`() throws {
    let app = try PersistenceApp(LegacyValues.objC, target: Self.fresh)
    app.migrator().restorePersistence([.userID, .traits])
    for key in ["user_id", "traits"] { try app.target.remove(key) }
    app.restart()
    #expect(app.migrator().restorePersistence(onConflict: .replaceFreshIdentity).fields(.conflict) == [.anonymousID])
    #expect(app.target.all["user_id"] == nil && app.target.all["anonymous_id"] == Self.fresh["anonymous_id"])
  }

  @Test func `a user whom the new SDK had before the first call keeps the anonymous id (A13, A19)`() throws {
    let app = try PersistenceApp(LegacyValues.objC, target: Self.fresh.merging(["user_id": "u-42"]) { $1 })
    #expect(app.migrator().restorePersistence().outcomes[.userID] == .unchanged)
    app.restart()
    app.migrator().restorePersistence(onConflict: .replaceFreshIdentity)
    #expect(app.target.all["anonymous_id"] == Self.fresh["anonymous_id"])
  }

  @Test func `a conflict stays open until it is resolved, also where that call is cut off (A13, A19)`() throws {
    var isDone = false
    for number in 0..<20 where !isDone {
      let app = try PersistenceApp(LegacyValues.objC, target: Self.fresh)
      app.migrator().restorePersistence()
      app.restart(writes: number)
      isDone = app.migrator().restorePersistence(onConflict: .replace).status == .done
      app.restart()
      app.migrator().restorePersistence(onConflict: .replace)
      #expect(app.restored == LegacyValues.restored)
      #expect(app.migrator().restorePersistence(onConflict: .replace).status == .doneBefore)
    }
    #expect(isDone)
  }

  @Test func `another user's id stays without the legacy user's traits; both wait for a later release`() throws {
    let app = try PersistenceApp(LegacyValues.objC, target: ["user_id": "u-7"])
    for _ in 0..<2 {
      #expect(app.migrator().restorePersistence().fields(.conflict) == [.userID, .traits])
      #expect(app.target.all["traits"] == nil)
      app.restart()
    }
    #expect(app.migrator().restorePersistence([.traits], onConflict: .replace).fields(.conflict) == [.traits])
    app.restart()
    #expect(app.migrator().restorePersistence(onConflict: .replace).fields(.migrated) == [.userID, .traits])
    #expect(app.restored == LegacyValues.restored)
  }

  @Test func `nobody who has logged out comes back by a conflict that was left open (A13, A19)`() throws {
    for policy in [PersistenceConflict.keepTarget, .replaceFreshIdentity, .replace] {
      let app = try PersistenceApp(LegacyValues.objC, target: ["user_id": "u-7", "anonymous_id": "first"])
      #expect(app.migrator().restorePersistence().fields(.conflict) == [.userID, .anonymousID, .traits])
      for key in ["user_id", "traits"] { try app.target.remove(key) }
      // What the new SDK makes for whoever comes next.
      try app.target.set("second", for: "anonymous_id")
      app.restart()
      app.migrator().restorePersistence(onConflict: policy)
      app.restart()
      app.migrator().restorePersistence(onConflict: policy)
      #expect(app.target.all["user_id"] == nil && app.target.all["traits"] == nil, "\(policy)")
      #expect(app.target.all["anonymous_id"] == (policy == .replace ? Self.legacy : "second"), "\(policy)")
    }
  }
}

@Suite("What an app is told of a restoration") struct RestorationLogTests {
  private func entries(_ app: PersistenceApp, allowing: Set<FindingCode> = []) -> [PersistenceLogEntry] {
    let noted = Noted<PersistenceLogEntry>()
    PersistentMigrator(
      writeKey: "1xAcmeWriteKey", places: app.places, allowing: allowing, log: { noted.add($0) },
      now: PersistenceApp.now
    ).restorePersistence()
    return noted.all
  }

  @Test func `corrupt traits: the error is logged, traits are skipped, other values are migrated (A15)`() throws {
    let app = try PersistenceApp(LegacyValues.objC.merging(["rl_traits": #"{"email":"a@b.co""#]) { $1 })
    let entries = entries(app)
    let traits = try #require(entries.first { $0.field == .traits })
    #expect(traits.level == .error && traits.codes.contains(.traitsInvalidJSON))
    #expect(traits.message.contains("traits was not restored") && traits.message.contains("traits.invalid-json"))
    #expect(Set(entries.compactMap(\.field)) == [.traits, .userID])
    #expect(app.restored == LegacyValues.restored.filter { !["traits", "user_id"].contains($0.key) })
    #expect(!entries.contains { $0.message.contains("a@b.co") || $0.message.contains("email") })
  }

  @Test(
    "every field that is skipped, in conflict or not written is logged by its name, and no value ever is (A21, A15)")
  func everyField() throws {
    let values = LegacyValues.objC.merging([
      "rl_last_event_time_stamp": 1_863_640_123, "rl_application_build_key": "4.2-beta",
    ]) { $1 }
    let app = try PersistenceApp(values, target: ["anonymous_id": "someone"])
    app.target = MemoryDomain("suite", app.target.all, refusing: ["session_id"])
    let entries = entries(app)
    let levels = Dictionary(entries.compactMap { entry in entry.field.map { ($0, entry.level) } }) { $1 }
    #expect(levels[.lastActivityTime] != nil && levels[.appBuild] != nil)
    #expect(levels[.anonymousID] == .notice && levels[.sessionID] == .error)
    #expect(levels[.userID] == nil && levels[.traits] == nil)
    let text = entries.map(\.message).joined()
    for value in ["1863640123", "4.2-beta", "someone", "9f1c2a7e", "u-42", "1763640000"] {
      #expect(!text.contains(value), "\(value)")
    }
    #expect(entries.contains { $0.field == nil && $0.level == .error })
  }

  @Test func `a value that a logout removed is not said to be missing because of a note about its text (A21)`() throws {
    let spaced = #"{"userId":"u-42", "email":"a@b.co"}"#
    let app = try PersistenceApp(
      LegacyValues.objC.merging(["rl_traits": .string(spaced)]) { $1 }, target: ["user_id": "u-7"])
    #expect(Set(entries(app).map(\.field)) == [.userID, .traits])
    try app.target.remove("user_id")
    app.restart()
    let noted = Noted<PersistenceLogEntry>()
    PersistentMigrator(
      writeKey: "1xAcmeWriteKey", places: app.places, log: { noted.add($0) }, now: PersistenceApp.now
    ).restorePersistence(onConflict: .replace)
    #expect(Set(noted.all.map(\.field)) == [.userID, .traits])
    for entry in noted.all {
      #expect(entry.codes.isEmpty && entry.message.contains("the app has removed or replaced"), "\(entry)")
    }
  }

  @Test func `a conflict that a logout ended is not called kept, and a value's finding is no reason (A21)`() throws {
    // 1.0 gives a note about the text, the number a warning about the id; neither is why they are not restored.
    let traits = #"{"userId":42,"n":1.0}"#
    let app = try PersistenceApp(
      LegacyValues.objC.merging(["rl_traits": .string(traits)]) { $1 }, target: ["user_id": "u-7", "traits": "{}"])
    let kept = entries(app)
    #expect(Set(kept.compactMap(\.field)) == [.userID, .traits])
    for entry in kept {
      #expect(entry.message.contains("the new SDK's value was kept"), "\(entry)")
      #expect(entry.codes.allSatisfy { $0.rawValue.hasPrefix("target.") }, "\(entry)")
    }
    try app.target.remove("user_id")
    try app.target.remove("traits")
    app.restart()
    let ended = entries(app)
    #expect(Set(ended.compactMap(\.field)) == [.userID, .traits])
    for entry in ended {
      #expect(entry.codes.isEmpty && entry.message.contains("the app has removed or replaced"), "\(entry)")
    }
  }

  @Test func `the guide's own call logs, too, and a restoration without anything to say logs nothing (A15)`() throws {
    let app = try PersistenceApp(LegacyValues.objC.merging(["rl_traits": "{broken"]) { $1 })
    let noted = Noted<PersistenceLogEntry>()
    PersistentMigratorFromV1(
      writeKey: "1xAcmeWriteKey", places: app.places, log: { noted.add($0) }, now: PersistenceApp.now
    ).restorePersistence()
    #expect(noted.all.contains { $0.field == .traits && $0.level == .error })
    #expect(entries(try PersistenceApp(LegacyValues.objC)).isEmpty)
    let out = try PersistenceApp(LegacyValues.objC.merging(["rl_opt_status": true]) { $1 })
    #expect(entries(out).map(\.codes) == [[.consentOptedOut]])
  }
}

@Suite("Restoring, tried again") struct RestorationRetryTests {
  private final class Reluctant: DefaultsDomain, @unchecked Sendable {
    private let memory = MemoryDomain("suite")
    private let lock = NSLock()
    private var failures: Int
    private var attempts = 0
    init(failures: Int) { self.failures = failures }
    var label: String { "suite" }
    var synchronizations: Int { lock.withLock { attempts } }
    func value(for key: String) -> PropertyListValue? { memory.value(for: key) }
    func values(where isWanted: (String) -> Bool) -> PropertyListDictionary { memory.values(where: isWanted) }
    func set(_ value: PropertyListValue, for key: String) throws(DefaultsDomainError) {
      try memory.set(value, for: key)
    }
    func remove(_ key: String) throws(DefaultsDomainError) { try memory.remove(key) }
    func synchronize() throws(DefaultsDomainError) {
      let fails = lock.withLock {
        attempts += 1
        failures -= 1
        return failures >= 0
      }
      if fails { throw .notWritten(label) }
    }
  }

  private static func migrator(_ standard: any DefaultsDomain, _ target: any DefaultsDomain) -> PersistentMigrator {
    PersistentMigrator(
      writeKey: "wk",
      places: LegacyPersistence(
        standard: standard, target: target, library: FileManager.default.temporaryDirectory.appending(path: "none"),
        bundleIdentifier: "com.acme.shop"), now: { Date(timeIntervalSince1970: 1_763_640_200) })
  }

  @Test func `what did not reach the disk is not done: the same start may try again, and has it written (A19)`() {
    let target = Reluctant(failures: 1)
    let migrator = Self.migrator(MemoryDomain("standard", ["rl_anonymous_id": "anonymous"]), target)
    guard case .failed = migrator.restorePersistence().status else { return #expect(Bool(false), "not failed") }
    #expect(migrator.restorePersistence().status == .done)
    #expect(target.synchronizations == 2 && target.value(for: "anonymous_id") == "anonymous")
    #expect(migrator.restorePersistence().status == .doneBefore)
  }

  @Test func `one value that nests too deep is left out, and the others are restored (A15, A19)`() {
    var deep: PropertyListValue = "x"
    for _ in 0..<520 { deep = .array([deep]) }
    let target = MemoryDomain("suite")
    let report = Self.migrator(MemoryDomain("standard", ["rl_anonymous_id": "anonymous", "rl_traits": deep]), target)
      .restorePersistence()
    #expect(report.status == .done && target.value(for: "anonymous_id") == "anonymous")
  }

  @Test func `errors escape names for display (A19)`() {
    for error in [DefaultsDomainError.refused("a\n\u{1b}[2J"), .notWritten("a\n\u{1b}[2J"), .badName("a\n\u{1b}[2J")] {
      #expect(error.description.contains(#"“a\n\u{1B}[2J”"#) && !error.description.contains("\n"))
    }
  }
}

@Suite("A restoration of which a part fails") struct RestoreFailureTests {
  @Test func `a field that cannot be written fails by itself, and the next start tries it again (A17, A19)`() throws {
    let app = try PersistenceApp(LegacyValues.objC)
    app.target = MemoryDomain("suite", refusing: ["user_id"])
    let report = app.migrator().restorePersistence()
    #expect(report.status == .failed(.notWritten("suite")))
    #expect(report.fields(.failed) == [.userID] && report.fields(.migrated).count == 7)
    #expect(report.findings.contains { $0.code == .targetExists } == false)
    #expect(app.restored == LegacyValues.restored.filter { $0.key != "user_id" })
    app.restart()
    let next = app.migrator().restorePersistence()
    #expect(next.status == .done && next.fields(.migrated) == [.userID] && next.outcomes.count == 1)
    #expect(app.restored == LegacyValues.restored)
  }

  @Test func `where the mark cannot be written, the report says what was written all the same (A19)`() throws {
    let app = try PersistenceApp(LegacyValues.objC.merging(["rl_external_id": "[]"]) { $1 })
    app.target = MemoryDomain("suite", refusing: [PersistenceApp.markKey])
    let report = app.migrator().restorePersistence()
    #expect(report.status == .failed(.notWritten("suite")))
    #expect(report.fields(.migrated).count == 8 && app.restored == LegacyValues.restored)
    #expect(report.description.contains("failed") && report.description.contains("migrated: anonymous_id"))
    app.restart()
    #expect(app.migrator().restorePersistence().fields(.unchanged).count == 8)
    #expect(app.migrator().restorePersistence().status == .doneBefore)
  }
}
