import Carryover
public import CarryoverStorage

/// The names of the data of Convert's iOS SDK in the keychain, in the app's own defaults and in Application Support,
/// from the SDK's source.
package enum ConvertNames {
  /// The service of the keychain item.
  package static let keychainService = "com.convert.sdk"
  /// The account of the keychain item with the visitor's id.
  package static let visitorAccount = "com.convert.sdk.visitorId"
  /// The key of the id's mirror in `UserDefaults.standard`, a string.
  package static let visitorMirror = "com.convert.sdk.visitorIdMirror"
  /// The folder in Application Support.
  package static let folder = "com.convertexperiments.sdk"
  /// The queue of events that were not sent yet, in the folder.
  package static let queue = "event-queue.json"
  /// The marker beside the queue while the SDK sends it: a file with the single byte 1.
  package static let uploading = "event-queue.uploading"
  /// The decisions. The SDK's source puts them in Application Support itself, or in Caches if that folder cannot be
  /// created; its documentation names the folder. Carryover looks in Application Support and in the folder.
  package static let decisions = "convert-decision-store.json"

  /// The lock file for changes, in Application Support. Only Carryover uses it.
  static let lock = folder + ".carryover-lock"

  /// The file of a cached configuration, in the folder. Each `/` in the SDK key becomes `_`, so different keys can
  /// share a file: see `sharesConfiguration(sdkKey:)`.
  package static func configuration(sdkKey: String) -> String {
    configurationPrefix + String(decoding: sdkKey.utf8.map { $0 == slash ? underscore : $0 }, as: UTF8.self) + ".json"
  }

  /// Whether another key can have the same file, because both `/` and `_` become `_`.
  package static func sharesConfiguration(sdkKey: String) -> Bool {
    sdkKey.utf8.contains { $0 == underscore || $0 == slash }
  }

  /// The part of a configuration's file name that comes from its key; nil for the name of another file.
  package static func configurationStem(ofFileName name: String) -> String? {
    guard name.hasPrefix(configurationPrefix), name.hasSuffix(".json") else { return nil }
    return String(name.dropFirst(configurationPrefix.count).dropLast(5))
  }

  /// Whether a configuration's file can belong to several keys.
  static func configurationIsAmbiguous(_ name: String) -> Bool {
    configurationStem(ofFileName: name)?.utf8.contains(underscore) ?? false
  }

  /// Whether the SDK can have made an id: `UUID().uuidString`, with capital letters.
  static func isMadeBySDK(_ id: String) -> Bool {
    let groups = id.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.joined().allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }
  }

  private static let configurationPrefix = "config-"
  private static let underscore = UInt8(ascii: "_")
  private static let slash = UInt8(ascii: "/")
}

extension IdentityLookup {
  /// Looks up the visitor's id like Convert's SDK: the given id, else the keychain's, else the mirror's, else a new
  /// one. Unlike the SDK, it also restores a lost mirror.
  /// - Parameters:
  ///   - keychain: the items of ``ConvertMigration/keychainService``.
  ///   - mirror: a store for `UserDefaults.standard`, which must write text as strings.
  ///   - fresh: creates a new id, like `UUID().uuidString`.
  public static func convert(
    keychain: any ByteStore, mirror: any ByteStore, fresh: @escaping @Sendable () -> String
  ) -> IdentityLookup {
    IdentityLookup(
      [Place(keychain, ConvertNames.visitorAccount), Place(mirror, ConvertNames.visitorMirror)], fresh: fresh)
  }
}
