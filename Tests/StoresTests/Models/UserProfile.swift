import Carryover
import CarryoverRestore
import CarryoverRouter
import CarryoverStorage
import CarryoverSystem
import CarryoverUserDefaults
import Foundation
import PropertyLists

/// The versioned profile of the example: preferences since version 2, notification settings since version 3. Its old data
/// has no version in it; the app kept that beside it.
struct UserProfile: Codable, Hashable {
  struct Preferences: Codable, Hashable {
    var theme: String
    var language: String
    var currency: String
  }

  struct NotificationSettings: Codable, Hashable {
    var pushEnabled: Bool
    var emailEnabled: Bool
    var transactionAlerts: Bool
    var marketingOptIn: Bool
  }

  var userId: String
  var displayName: String
  var email: String
  var preferences: Preferences
  var notificationSettings: NotificationSettings

  static let fixtures = ModelFixtures.of("user_profile")

  /// - Parameter language: the language of the user, for profiles from before there was a choice.
  static func migrator(language: String = "en") throws -> ModelMigrator {
    try ModelMigrator(
      model: "user_profile", version: 3,
      versioning: ModelVersioning(
        marker: "schemaVersion",
        shapes: [
          1: ModelShape(required: ["userId"], forbidden: ["preferences", "notificationSettings"]),
          2: ModelShape(required: ["userId", "preferences"], forbidden: ["notificationSettings"]),
          3: ModelShape(required: ["userId", "preferences", "notificationSettings"]),
        ]),
      steps: [
        ModelStep(
          from: 1,
          [.add("preferences", ["theme": "system", "language": .string(language), "currency": "USD"])]),
        ModelStep(
          from: 2,
          [
            .add(
              "notificationSettings",
              ["pushEnabled": true, "emailEnabled": true, "transactionAlerts": true, "marketingOptIn": false])
          ]),
      ])
  }

  static func migration(
    in store: any ByteStore, language: String = "en", backups: (any ByteStore)? = nil
  ) throws -> ModelMigration<UserProfile> {
    ModelMigration(
      UserProfile.self, try migrator(language: language), of: "user_profile", in: store, backups: backups)
  }
}
