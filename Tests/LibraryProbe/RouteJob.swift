import CarryoverEncryption
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverUserDefaults
import CarryoverVendors
import Foundation
import PropertyLists

/// Values of the app's defaults to encrypted files: some when they are asked for, the others by a sweep; and one that the
/// app sets before it has asked for the old one.
struct RouteJob: Job {
  private static let suite = "com.acme.legacy"
  private static let names = ["token", "refresh"]

  func prepare(_ folder: String) throws {
    guard let defaults = UserDefaults(suiteName: Self.suite) else { throw Refused(what: "no suite") }
    for name in Self.names { defaults.set("\(name)'s value", forKey: "old_\(name)") }
    defaults.set(41, forKey: "old_count")
    defaults.set("dark", forKey: "old_theme")
    defaults.set("en", forKey: "old_locale")
    defaults.set("made", forKey: "old_stamp")
    defaults.set("moved by the app", forKey: "old_own")
    defaults.set("Ada", forKey: "first")
    defaults.set("Lovelace", forKey: "last")
    defaults.set("the app's own", forKey: "other")
    guard defaults.synchronize() else { throw Refused(what: "the defaults were not written") }
  }

  func run(_ folder: String) async throws -> String {
    let router = try router(folder)
    let token = try await router.get(VaultKey(name: "token"))
    guard token == "token's value" else { throw Refused(what: "the token is \(token ?? "missing")") }
    // The app of today sets its theme at its first start, whatever the old one was.
    let theme = VaultKey(name: "theme")
    if try await !router.exists(theme) { try await router.set("light", for: theme) }
    let sweep = try await router.registerCatalog(VaultCatalog(), migrateImmediately: true)
    guard sweep.failures.isEmpty else { throw Refused(what: "\(sweep.failures)") }
    return "\(sweep.count(.migrated)) migrated, \(sweep.count(.finished)) finished"
  }

  func check(_ folder: String) async throws -> [String] {
    guard let defaults = UserDefaults(suiteName: Self.suite) else { return ["no suite"] }
    let vault = Self.vault(folder)
    func text(_ name: String) throws -> String? {
      try vault.data(for: name).map { String(decoding: $0, as: UTF8.self) }
    }
    var pairs: [(String, String?, String?)] = []
    for name in Self.names { pairs.append((name, try text(name), "\(name)'s value")) }
    for name in Self.names + ["count", "theme", "locale", "stamp", "own"] {
      pairs.append(("old_\(name)", defaults.string(forKey: "old_\(name)"), nil))
    }
    pairs += [
      ("count", try text("count"), "42"), ("theme", try text("theme"), "light"), ("locale", try text("locale"), "en"),
      ("own", try text("own"), "moved by the app"),
      ("stamp", try text("stamp").map { String($0.prefix(5)) }, "made "),
      ("name", try text("name"), "Ada Lovelace"), ("first", defaults.string(forKey: "first"), nil),
      ("last", defaults.string(forKey: "last"), nil), ("other", defaults.string(forKey: "other"), "the app's own"),
      (
        "the vault's names", try vault.names().joined(separator: " "), "count locale name own refresh stamp theme token"
      ),
    ]
    return differences(pairs)
  }

  func values(_ folder: String) throws -> [String: String] {
    guard FileManager.default.fileExists(atPath: folder + "/key") else { return [:] }
    let vault = Self.vault(folder)
    var values: [String: String] = [:]
    for key in VaultCatalog().keys where key.name != "locale1" {
      values[key.name] = try vault.data(for: key.name).map { String(decoding: $0, as: UTF8.self) }
    }
    return values
  }

  private static func vault(_ folder: String) -> EncryptedFileStore {
    EncryptedFileStore(folder: folder + "/vault", keys: FileKey(folder + "/key"))
  }

  private func router(_ folder: String) throws -> StorageRouter {
    let defaults = try DefaultsDataStore(suite: Self.suite)
    let vault = EncryptedFileStore(folder: folder + "/vault", keys: FileKey(folder + "/key", making: true))
    return StorageRouter { domain in
      switch domain {
      case .userDefaults: defaults.readingEveryType()
      case .encryptedFiles: vault
      case .keychain, .files, .custom: nil
      }
    }
  }
}

private struct VaultCatalog: StorageCatalog {
  /// The key that takes its value from another one comes first, as a catalog has no order.
  var keys: [any StorageKey] {
    ["token", "refresh", "count", "name", "theme", "stamp", "own", "locale", "locale1"].map { VaultKey(name: $0) }
  }
}

private struct VaultKey: StorageKey {
  var name: String
  let domain = StorageDomain.encryptedFiles(folder: "vault")
  let serializer = StorageSerializer.text

  var migration: AnyStorageMigration? {
    let suite = StorageDomain.userDefaults(suite: "com.acme.legacy")
    switch name {
    case "count":
      return AnyStorageMigration(
        TransformingMigration(
          destinationKey: self, sourceKey: OldNumber(name: "old_count", domain: suite), conflictPolicy: .replace
        ) { "\($0 + 1)" })
    case "stamp":
      // Made anew, it would be another value.
      return AnyStorageMigration(
        TransformingMigration(
          destinationKey: self, sourceKey: OldText(name: "old_stamp", domain: suite), conflictPolicy: .replace
        ) { "\($0) \(UUID().uuidString)" })
    case "name":
      let parts = ["first", "last"].map { OldText(name: $0, domain: suite) }
      return AnyStorageMigration(
        AggregatingMigration(destinationKey: self, sourceKeys: parts.map { .key($0) }) { found in
          try parts.compactMap { try found[$0] }.joined(separator: " ")
        })
    case "own": return AnyStorageMigration(OwnMigration(destinationKey: self))
    case "theme": return moved(from: "old_theme", in: suite, onConflict: .replace)
    case "locale": return moved(from: "locale1", in: domain)
    case "locale1": return moved(from: "old_locale", in: suite)
    default: return moved(from: "old_\(name)", in: suite)
    }
  }
}

private struct OwnMigration: StorageMigration {
  let destinationKey: VaultKey
  private let source = OldText(name: "old_own", domain: .userDefaults(suite: "com.acme.legacy"))
  var sources: [StoragePlace] { [source.place] }

  init(destinationKey: VaultKey) { self.destinationKey = destinationKey }

  func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    guard let text = try await router.get(source) else { return .nothingToMigrate }
    try await router.set(text, for: destinationKey)
    try await router.delete(source)
    return .migrated
  }
}

private struct OldText: StorageKey {
  var name: String
  var domain: StorageDomain
  let serializer = StorageSerializer.text
}

private struct OldNumber: StorageKey {
  var name: String
  var domain: StorageDomain
  let serializer = StorageSerializer.integer
}

/// A model in a file, from version 0 to the newest, with a backup.
struct ModelJob: Job {
  var isBeside = false
  private static let old = #"{"name":"John Doe","age":"23"}"#
  private var new: String {
    isBeside ? #"{"alias":"John Doe","visits":3}"# : #"{"alias":"John Doe","visits":3,"version":3}"#
  }

  private struct Person: Codable {
    var alias: String
    var visits: Int
  }

  func prepare(_ folder: String) throws {
    let models = FileDataStore(folder: folder + "/models")
    try models.set(Array(Self.old.utf8), for: "person")
    if isBeside { try models.setInteger(0, for: "person_schema_version") }
  }

  func run(_ folder: String) async throws -> String {
    let migrator = try ModelMigrator(
      model: "person", version: 3,
      versioning: isBeside ? ModelVersioning(beside: .schemaVersion) : ModelVersioning(marker: "version", unmarked: 0),
      steps: [
        ModelStep(from: 0, [.rename("name", to: "alias"), .add("visits", 1)]),
        ModelStep(from: 1, "count a visit") { try Self.countVisit(&$0) },
        ModelStep(from: 2, "count a visit") { value in
          try Self.countVisit(&value)
          value.remove(at: "age")
        },
      ])
    let report = try ModelMigration(
      migrator, of: "person", in: FileDataStore(folder: folder + "/models"),
      backups: FileDataStore(folder: folder + "/backups")
    ) { try JSONDecoder().decode(Person.self, from: Data($0)) }.run()
    return "\(report.steps.count) steps"
  }

  func check(_ folder: String) async throws -> [String] {
    func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    let backups = FileDataStore(folder: folder + "/backups")
    let names = try backups.names()
    let models = FileDataStore(folder: folder + "/models")
    let number = try models.integer(for: "person_schema_version")
    return differences([
      ("the model", text(try models.data(for: "person")), new),
      ("the version beside it", number.map(String.init), isBeside ? "3" : nil),
      (
        "the store's names", try models.names().joined(separator: " "),
        isBeside ? "person person_schema_version" : "person"
      ),
      ("the backups' count", "\(names.count)", "1"),
      ("the backup", text(try names.first.flatMap { try backups.data(for: $0) }), Self.old),
    ])
  }

  private static func countVisit(_ value: inout JSONValue) throws {
    guard let visits = value["visits"]?.numberValue?.int64 else { throw Refused(what: "no visits") }
    value.set(JSONValue(Int(visits) + 1), at: "visits")
  }
}

/// The legacy SDK's values to the new one's suite, and the anonymous id to an encrypted file too.
struct RestoreJob: Job {
  private static let suite = "com.acme.shop.analytics.wk"
  private static let id = "9f1c2a7e-6b0d-4f3c-9a58-0c1d2e3f4a5b"

  func prepare(_ folder: String) throws {
    let standard = UserDefaults.standard
    standard.set(Self.id, forKey: "rl_anonymous_id")
    standard.set(#"{"userId":"u-42","email":"a@b.co"}"#, forKey: "rl_traits")
    standard.set(1_763_640_000, forKey: "rl_session_id")
    standard.set(true, forKey: "rl_session_auto_track_status")
    standard.set(1_763_640_123, forKey: "rl_last_event_time_stamp")
    standard.set("4.2.0", forKey: "rl_application_version_key")
    standard.set("420", forKey: "rl_application_build_key")
    guard standard.synchronize() else { throw Refused(what: "the defaults were not written") }
  }

  func run(_ folder: String) async throws -> String {
    let report = PersistentMigrator(writeKey: "wk", bundleIdentifier: "com.acme.shop").restorePersistence()
    switch report.status {
    case .done, .doneBefore: break
    case .nothingFound, .blocked, .failed: throw Refused(what: report.description)
    }
    let suite = try DefaultsDataStore(suite: Self.suite)
    let vault = EncryptedFileStore(folder: folder + "/vault", keys: FileKey(folder + "/key", making: true))
    let identity = IdentityLookup([.init(vault, "anonymous_id"), .init(suite, "anonymous_id")]) { "fresh" }.resolve()
    guard identity.failures.isEmpty else { throw Refused(what: "\(identity.failures)") }
    return "\(report.status) \(identity.id) \(identity.origin)"
  }

  func check(_ folder: String) async throws -> [String] {
    guard let suite = UserDefaults(suiteName: Self.suite) else { return ["no suite"] }
    let vault = EncryptedFileStore(folder: folder + "/vault", keys: FileKey(folder + "/key"))
    let standard = UserDefaults.standard
    return differences([
      ("anonymous_id", suite.string(forKey: "anonymous_id"), Self.id),
      ("user_id", suite.string(forKey: "user_id"), "u-42"),
      ("traits", suite.string(forKey: "traits"), #"{"email":"a@b.co"}"#),
      ("session_id", suite.string(forKey: "session_id"), "1763640000"),
      ("last_activity_time", suite.string(forKey: "last_activity_time"), "1763640123000"),
      ("is_manual_session", (suite.object(forKey: "is_manual_session") as? Bool).map(String.init), "false"),
      ("rudder.app_version", suite.string(forKey: "rudder.app_version"), "4.2.0"),
      ("rudder.app_build", (suite.object(forKey: "rudder.app_build") as? Int).map(String.init), "420"),
      ("the vault's id", try vault.data(for: "anonymous_id").map { String(decoding: $0, as: UTF8.self) }, Self.id),
      ("rl_anonymous_id", standard.string(forKey: "rl_anonymous_id"), Self.id),
      ("the mark", suite.object(forKey: "carryover.restored") == nil ? nil : "there", "there"),
    ])
  }
}

/// Decisions and events of several processes that change Convert's files at once: an app and its extension.
struct ConvertJob: Job {
  private static let count = 50
  private static let goals = (0..<count).map { "g\($0)" }

  private static func files(_ folder: String) -> ConvertFiles { ConvertFiles(applicationSupport: folder + "/Shared") }

  private static func subject(_ visitor: String) -> ConvertDecisions.Subject {
    ConvertDecisions.Subject(project: "1-2", visitor: visitor)
  }

  func prepare(_ folder: String) throws {
    _ = try Self.files(folder).updateDecisions { $0.reach(goal: "first", Self.subject("there before")) }
  }

  func run(_ folder: String) async throws -> String {
    let name = "process-\(ProcessInfo.processInfo.processIdentifier)"
    for goal in Self.goals {
      _ = try Self.files(folder).updateDecisions { $0.reach(goal: goal, Self.subject(name)) }
      let event = try ConvertQueue([
        ["visitors": [["visitorId": .string(name), "events": [["goalId": .string(goal)]]]]]
      ])
      try Self.files(folder).updateQueue { $0.append(event) }
    }
    return "\(Self.count) goals"
  }

  func check(_ folder: String) async throws -> [String] {
    let decisions = try Self.files(folder).decisions()
    let queue = try Self.files(folder).queue() ?? ConvertQueue()
    func goals(_ visitor: String) -> Int? { decisions[Self.subject(visitor)]?["goalTriggered"]?.members?.count }
    let names = decisions.visitors.filter { $0.hasPrefix("process-") }
    let counts: [(what: String, found: Int?, wanted: Int?)] = names.flatMap { name in
      [
        ("the count of goals of \(name)", goals(name), Self.count),
        ("the count of events of \(name)", queue.eventCount(of: name), Self.count),
      ]
    }
    return differences(
      [("the count of earlier goals", goals("there before"), 1), ("the count of processes", names.count, 3)] + counts)
  }
}
