import Carryover
public import CarryoverStorage

/// The names under which Convert's iOS SDK keeps its data, in the keychain, in the app's own defaults and in Application
/// Support, as its source has them.
package enum ConvertNames {
  /// The service of the keychain item.
  package static let keychainService = "com.convert.sdk"
  /// The account of the keychain item that holds the visitor's id.
  package static let visitorAccount = "com.convert.sdk.visitorId"
  /// The key of the id's mirror in `UserDefaults.standard`, a string.
  package static let visitorMirror = "com.convert.sdk.visitorIdMirror"
  /// The folder in Application Support.
  package static let folder = "com.convertexperiments.sdk"
  /// The queue of events that were not sent yet, in the folder.
  package static let queue = "event-queue.json"
  /// The sign beside the queue that it is being sent, a file of the one byte 1.
  package static let uploading = "event-queue.uploading"
  /// The decisions: in Application Support itself, as the SDK's source has it, or in Caches where that cannot be made. Its
  /// documentation puts them into the folder; Application Support and the folder are looked at.
  package static let decisions = "convert-decision-store.json"

  /// The lock file for changes, in Application Support. Only Carryover uses it.
  static let lock = folder + ".carryover-lock"

  /// The file of a cached configuration, in the folder. Each `/` in the SDK's key becomes `_`, so that different keys can
  /// share a file: see `sharesConfiguration(sdkKey:)`.
  package static func configuration(sdkKey: String) -> String {
    configurationPrefix + String(decoding: sdkKey.utf8.map { $0 == slash ? underscore : $0 }, as: UTF8.self) + ".json"
  }

  /// Whether another key can have the same file: nothing tells a `/` from a `_`.
  package static func sharesConfiguration(sdkKey: String) -> Bool {
    sdkKey.utf8.contains { $0 == underscore || $0 == slash }
  }

  /// What a configuration's file has of its key; nil for the name of another file.
  package static func configurationStem(ofFileName name: String) -> String? {
    guard name.hasPrefix(configurationPrefix), name.hasSuffix(".json") else { return nil }
    return String(name.dropFirst(configurationPrefix.count).dropLast(5))
  }

  /// Whether a configuration's file could be of several keys.
  static func configurationIsAmbiguous(_ name: String) -> Bool {
    configurationStem(ofFileName: name)?.utf8.contains(underscore) ?? false
  }

  private static let configurationPrefix = "config-"
  private static let underscore = UInt8(ascii: "_")
  private static let slash = UInt8(ascii: "/")
}

extension IdentityLookup {
  /// The visitor's id as Convert's SDK comes by it: the one that is given, else the keychain's, else the mirror's, else a
  /// new one. Unlike there, a mirror that lost the id is filled again too.
  /// - Parameters:
  ///   - keychain: the items of ``ConvertMigration/keychainService``.
  ///   - mirror: `UserDefaults.standard`, which must write text as strings.
  ///   - fresh: makes a new id, as `UUID().uuidString` does.
  public static func convert(
    keychain: any ByteStore, mirror: any ByteStore, fresh: @escaping @Sendable () -> String
  ) -> IdentityLookup {
    IdentityLookup(
      [Place(keychain, ConvertNames.visitorAccount), Place(mirror, ConvertNames.visitorMirror)], fresh: fresh)
  }
}
