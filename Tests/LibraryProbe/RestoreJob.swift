import CarryoverEncryption
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverUserDefaults
import Foundation
import PropertyLists

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
