import Carryover
import CarryoverUserDefaults
import Foundation
import PropertyLists
import Testing

@Suite("Restoring what the legacy SDK left in a running app")
struct PersistentMigratorTests {
  private static let traits =
    #"{"anonymousId":"9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b","userId":"u-42","id":"u-42","email":"a@b.co","n":1.0}"#
  private static let legacy: [String: PropertyListValue] = [
    "rl_anonymous_id": "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b", "rl_traits": .string(traits),
    "rl_session_id": 1_763_640_000, "rl_session_auto_track_status": true, "rl_last_event_time_stamp": 1_763_640_123,
    "rl_application_version_key": "4.2.0", "rl_application_build_key": "420",
  ]
  private static let expected: [String: PropertyListValue] = [
    "anonymous_id": "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b", "user_id": "u-42",
    "traits": #"{"email":"a@b.co","n":1.0}"#, "session_id": "1763640000", "is_manual_session": false,
    "last_activity_time": "1763640123000", "rudder.app_version": "4.2.0", "rudder.app_build": 420,
  ]
  private static let markKey = "carryover.restored.1xAcmeWriteKey"

  /// One app: its defaults, the new SDK's suite, and a Library folder of its own.
  private final class App {
    var standard: MemoryDomain
    var target: MemoryDomain
    let library: URL

    init(_ values: [String: PropertyListValue], target: [String: PropertyListValue] = [:]) throws {
      standard = MemoryDomain("standard", values)
      self.target = MemoryDomain("suite", target)
      library = FileManager.default.temporaryDirectory.appending(path: "carryover-app-\(UUID().uuidString)/Library")
      try FileManager.default.createDirectory(at: library, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: library.deletingLastPathComponent()) }

    func restart(writes: Int = .max) {
      let budget = MemoryDomain.Budget(writes)
      standard = standard.restarted(budget: budget)
      target = target.restarted(budget: budget)
    }

    func migrator(allowing: Set<FindingCode> = []) -> PersistentMigrator {
      PersistentMigrator(
        writeKey: "1xAcmeWriteKey",
        places: LegacyPersistence(
          standard: standard, target: target, library: library, bundleIdentifier: "com.acme.shop"),
        allowing: allowing, now: { Date(timeIntervalSince1970: 1_763_640_200) })
    }
  }

  @Test("A16 reading gives, typed, exactly what restoring writes, and writes nothing")
  func reading() throws {
    let app = try App(Self.legacy)
    let values = try app.migrator().readPersistence()
    #expect(values.anonymousID == "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b")
    #expect(values.userID == "u-42" && values.traits == #"{"email":"a@b.co","n":1.0}"#)
    #expect(values.sessionID == "1763640000" && values.isManualSession == false)
    #expect(values.lastActivityTime == "1763640123000" && values.appVersion == "4.2.0" && values.appBuild == 420)
    #expect(app.standard.writes == 0 && app.target.writes == 0)
    app.migrator().restorePersistence()
    #expect(app.target.all == Self.expected)
    for field in PersistedField.allCases { #expect(values[field] == app.target.all[field.rawValue]) }
  }

  @Test("A13 A19 it happens once: a value that the user's logout removed does not come back")
  func once() throws {
    let app = try App(Self.legacy)
    let report = app.migrator().restorePersistence()
    #expect(report.status == .done && report.fields(.migrated).count == 8)
    try app.target.remove("user_id")
    app.restart()
    #expect(app.migrator().restorePersistence().status == .doneBefore)
    #expect(app.target.all["user_id"] == nil)
    #expect(app.target.writes == 0)
    #expect(Self.legacy.allSatisfy { app.standard.all[$0.key] == $0.value })
  }

  @Test("A13 A19 cut off at any write, the next start finishes it, and the mark is the last of all")
  func cutOff() throws {
    var number = 0
    while true {
      let app = try App(Self.legacy)
      app.restart(writes: number)
      let report = app.migrator().restorePersistence()
      if report.status == .done { break }
      guard case .failed = report.status else {
        Issue.record("\(report)")
        return
      }
      if app.standard.all[Self.markKey] != nil { #expect(app.target.all == Self.expected) }
      app.restart()
      #expect([.done, .doneBefore].contains(app.migrator().restorePersistence().status))
      #expect(app.target.all == Self.expected)
      number += 1
    }
    #expect(number > 8)
  }

  @Test("A17 any subset can be restored, and the rest later")
  func subset() throws {
    let app = try App(Self.legacy)
    let first = app.migrator().restorePersistence([.userID, .traits])
    #expect(Set(app.target.all.keys) == ["user_id", "traits"] && first.outcomes.count == 2)
    app.restart()
    let second = app.migrator().restorePersistence()
    #expect(second.outcomes.count == 6 && app.target.all == Self.expected)
  }

  @Test("A19 another value of the new SDK stays unless it is to be replaced")
  func conflict() throws {
    let app = try App(Self.legacy, target: ["anonymous_id": "new", "user_id": "u-42"])
    let report = app.migrator().restorePersistence()
    #expect(report.fields(.conflict) == [.anonymousID] && report.fields(.unchanged) == [.userID])
    #expect(app.target.all["anonymous_id"] == "new")
    let other = try App(Self.legacy, target: ["anonymous_id": "new"])
    #expect(other.migrator().restorePersistence(onConflict: .replace).fields(.conflict).isEmpty)
    #expect(other.target.all == Self.expected)
  }

  @Test("A19 a user who opted out stays out until that is allowed, and nothing is marked as done")
  func optedOut() throws {
    let app = try App(Self.legacy.merging(["rl_opt_status": true]) { $1 })
    let report = app.migrator().restorePersistence()
    #expect(report.status == .blocked && app.target.all.isEmpty && app.standard.writes == 0)
    #expect(app.migrator(allowing: [.consentOptedOut]).restorePersistence().status == .done)
    #expect(app.target.all == Self.expected)
  }

  @Test("A14 A15 A19 nothing to restore is success, and corrupt traits leave the rest")
  func poor() throws {
    let empty = try App([:])
    #expect(empty.migrator().restorePersistence().status == .done && empty.target.all.isEmpty)
    let corrupt = try App(Self.legacy.merging(["rl_traits": "{broken"]) { $1 })
    let report = corrupt.migrator().restorePersistence()
    #expect(report.status == .done)
    #expect(corrupt.target.all["traits"] == nil && corrupt.target.all["user_id"] == nil)
    #expect(corrupt.target.all["session_id"] == "1763640000")
    #expect(!report.description.contains("broken") && report.description.contains("traits"))
  }

  @Test("A20 A19 the beta SDK's values are restored too")
  func betaSDK() throws {
    let app = try App(["rs_user_id": "u-7", "rl_session_id": 1_763_640_000, "rs_application_build_key": "42"])
    #expect(app.migrator().restorePersistence().status == .done)
    #expect(app.target.all["user_id"] == "u-7" && app.target.all["session_id"] == "1763640000")
    #expect(app.target.all["rudder.app_build"] == 42)
  }

  @Test("A1 A2 A19 the legacy SDK's own file fills in what the defaults lack")
  func file() throws {
    var rest = Self.legacy
    rest["rl_anonymous_id"] = nil
    let app = try App(rest)
    let bytes = try PropertyListDocument.encode(
      ["rl_anonymous_id": "from the file", "rl_session_id": 1], as: .binary)
    try Data(bytes).write(to: app.library.appending(path: "rsDefaultsPersistence.plist"))
    app.migrator().restorePersistence()
    #expect(app.target.all["anonymous_id"] == "from the file")
    #expect(app.target.all["session_id"] == "1763640000")
  }

  @Test("A3 A19 on real UserDefaults the suite holds the types the new SDK reads")
  func live() throws {
    let suite = "com.acme.tests.\(UUID().uuidString)"
    let own = "com.acme.own.\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: own))
    let target = try #require(UserDefaults(suiteName: suite))
    defer {
      UserDefaults.standard.removePersistentDomain(forName: suite)
      UserDefaults.standard.removePersistentDomain(forName: own)
    }
    defaults.set(Self.traits, forKey: "rl_traits")
    defaults.set(1_763_640_000, forKey: "rl_session_id")
    defaults.set(true, forKey: "rl_session_auto_track_status")
    defaults.set(1_763_640_123.75, forKey: "rl_last_event_time_stamp")
    defaults.set("420", forKey: "rl_application_build_key")
    let app = try App([:])
    let report = PersistentMigrator(
      writeKey: "1xAcmeWriteKey",
      places: LegacyPersistence(
        standard: UserDefaultsDomain(defaults, label: own), target: try UserDefaultsDomain(suite: suite),
        library: app.library, bundleIdentifier: "com.acme.shop"),
      now: { Date(timeIntervalSince1970: 1_763_640_200) }
    ).restorePersistence()
    #expect(report.status == .done)
    #expect(target.string(forKey: "user_id") == "u-42")
    #expect(target.string(forKey: "session_id") == "1763640000")
    #expect(target.object(forKey: "is_manual_session") as? Bool == false)
    #expect(target.string(forKey: "last_activity_time") == "1763640123750")
    #expect(target.integer(forKey: "rudder.app_build") == 420)
  }
}
