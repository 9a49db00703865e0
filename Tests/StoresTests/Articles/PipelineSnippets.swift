import CarryoverEncryption
import CarryoverStorage
import CarryoverUserDefaults
import Crypto
import Foundation
import Testing

// An app with a pipeline of steps over raw data, and a version stored beside the data, ported.

// snippet: port-profile
struct PipelineProfile: VersionedModel {
  static let schemaVersion = 3
  static let modelIdentifier = "user_profile"

  let userId: String
  let displayName: String
  let email: String
  let preferences: Preferences  // since version 2
  let notificationSettings: NotificationSettings  // since version 3

  struct Preferences: Codable {
    let theme: String
    let language: String
    let currency: String
  }

  struct NotificationSettings: Codable {
    let pushEnabled: Bool
    let emailEnabled: Bool
    let transactionAlerts: Bool
    let marketingOptIn: Bool
  }
}
// end snippet

// snippet: port-pipeline
func registerAllMigrations(_ pipeline: MigrationPipeline, language: String) {
  pipeline.register(model: "user_profile", fromVersion: 1) { data in
    var json = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    json["preferences"] = ["theme": "system", "language": language, "currency": "USD"]
    return try JSONSerialization.data(withJSONObject: json)
  }
  pipeline.register(model: "user_profile", fromVersion: 2) { data in
    var json = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    json["notificationSettings"] = [
      "pushEnabled": true, "emailEnabled": true, "transactionAlerts": true, "marketingOptIn": false,
    ]
    return try JSONSerialization.data(withJSONObject: json)
  }
}
// end snippet

private func execute(
  _ pipeline: MigrationPipeline, _ storage: any ByteStore, _ backupStore: any ByteStore
) throws -> PipelineProfile? {
  // snippet: port-execute
  let migration = try pipeline.migration(of: PipelineProfile.self, key: "profile", in: storage, backups: backupStore)
  let profile = try migration.run().value
  // end snippet
  return profile
}

@Suite("A pipeline of migrations, ported")
struct PipelineSnippetTests {
  private let pipeline = MigrationPipeline()
  private let v1 = Data(#"{"userId":"u-1001","displayName":"Jo","email":"jo@acme.example"}"#.utf8)
  private let v2 = Data(
    (#"{"userId":"u-2002","displayName":"Ann","email":"ann@acme.example","#
      + #""preferences":{"theme":"dark","language":"ar","currency":"EGP"}}"#).utf8)

  init() { registerAllMigrations(pipeline, language: "en") }

  @Test("the executor: version beside the data, an encrypted backup, the value returned (D16, D7, D12)")
  func executed() throws {
    for (version, data) in [(1, v1), (2, v2)] {
      let (storage, files) = (MemoryDataStore(), MemoryDataStore())
      try storage.set(Array(data), for: "profile")
      if version > 1 { try storage.set(Array("\(version)".utf8), for: "profile_schema_version") }
      let backups = EncryptedFileStore(in: files, keys: SymmetricKey(size: .bits256))
      let profile = try #require(try execute(pipeline, storage, backups))
      #expect(profile.preferences.theme == (version == 1 ? "system" : "dark"))
      #expect(profile.notificationSettings.transactionAlerts && !profile.notificationSettings.marketingOptIn)
      #expect(try storage.data(for: "profile_schema_version") == Array("3".utf8))
      let name = try #require(try backups.names().first)
      #expect(try backups.data(for: name) == Array(data) && files.data(for: name) != Array(data))
    }
  }
}
