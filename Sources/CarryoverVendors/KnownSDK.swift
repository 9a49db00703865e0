package import Carryover

/// An SDK whose data Carryover recognises, but for whose update it has no recipe.
package struct KnownSDK: Hashable, Sendable {
  package let name: String
  /// Keys that only this SDK writes, or members of a dictionary under a key. One that ends in `*` stands for every key with this beginning.
  var keys: [String] = []
  /// Files that only this SDK writes, relative to the app's data container.
  var files: [NameTemplate] = []
  package let update: String

  /// The SDKs that left data in a container, by name, each with its keys and files there, sorted.
  /// - Parameter exists: whether there is a file at a path, relative to the container's root.
  package static func found(
    in container: Container, exists: (String) -> Bool
  ) -> [(sdk: KnownSDK, evidence: [String])] {
    var found = all.map { sdk in sdk.files.compactMap { container.path(ofFile: $0) }.filter(exists) }
    func look(at key: String) {
      if let index = wholeKeys[key] { found[index].append(key) }
      for (prefix, index) in prefixes where key.beginsWithBytes(of: prefix) { found[index].append(key) }
    }
    for store in container.stores {
      for entry in store.entries {
        look(at: entry.key)
        // Some SDKs have all their values in one dictionary, under a key that contains the app's names.
        if case .dictionary(let members) = entry.value { for member in members.entries { look(at: member.key) } }
      }
    }
    return zip(all, found).filter { !$1.isEmpty }.map { ($0, Set(bytesOf: $1).sorted().map(\.text)) }
  }

  /// The keys of every SDK, with its index in `all`. Parsed once, because a container may have a million keys.
  private static let keys = all.enumerated().flatMap { index, sdk in sdk.keys.map { ($0, index) } }
  private static let wholeKeys = Dictionary(firstOf: keys.lazy.filter { !$0.0.hasSuffix("*") })
  private static let prefixes = keys.filter { $0.0.hasSuffix("*") }.map { (String($0.0.dropLast()), $0.1) }

  /// The names of the preferences that SDKs without a recipe write. None of them is an app's own.
  package static let preferences: Set = [
    "com.firebase.FIRInstallations", "com.google.gmp.measurement", "com.google.gmp.measurement.monitor",
  ]

  /// Every such SDK, by name. What each stores was read in its public sources.
  package static let all = [
    KnownSDK(
      name: "Adjust", keys: ["adj_disable_third_party_sharing"],
      files: [["Library/Application Support/Adjust/AdjustIoActivityState"], ["Documents/AdjustIoActivityState"]],
      update: "Version 5 reads the file of version 4, but not whether the user turned off sharing with third parties."),
    KnownSDK(
      name: "Adobe", keys: ["ADBMOBILE_PERSISTED_MID", "ADBMOBILE_VISITORID_IDS", "Adobe.*"],
      update: "Adobe's current SDK migrates these values at its first start."),
    KnownSDK(
      name: "CleverTap", keys: ["WizRocket*"], update: "An update keeps the device id: the SDK reads the old key first."
    ),
    KnownSDK(
      name: "LaunchDarkly", keys: ["ldDeviceIdentifier", "ldGeneratedContextKey:*"],
      update: "An update keeps the device id. It loses cached flags, which the SDK fetches again."),
    KnownSDK(
      name: "Matomo", keys: ["PiwikVisitorIDKey", "PiwikForcedVisitorIDKey", "PiwikOptOutKey"],
      update: """
        Version 5 reads a different suite from version 4: unless the app calls copyFromOldSharedInstance(), the update loses \
        the visitor id and an opt-out.
        """),
    KnownSDK(
      name: "mParticle", keys: ["mParticle::*"],
      update: "Version 9 keeps the ids. Unsent events of versions before 8.27 are lost."),
    KnownSDK(
      name: "OneSignal", keys: ["GT_PLAYER_ID", "OSUD_PUSH_SUBSCRIPTION_ID"],
      update: """
        Version 5 reads the player id of version 3 in the suite of the app group only, and fetches the user from the \
        server. An id that is only in the app's own preferences is lost.
        """),
    KnownSDK(
      name: "RevenueCat", keys: ["com.revenuecat.userdefaults.appUserID*"],
      update: """
        An update of purchases-ios keeps the user id, unless only the oldest key, without .new, is in the app's \
        preferences: since 4.14.3, the SDK then makes a new anonymous user. So does purchases-kmp 3 up to 3.8.0 for an \
        id in the suite com.revenuecat.user_defaults.
        """),
    KnownSDK(
      name: "Statsig", keys: ["com.Statsig.InternalStore.stableIDKey"],
      update: """
        An update keeps the stable id. If the app then turns on enableCacheByFile or sets storageProvider, the SDK makes \
        a new stable id, and experiments are assigned again. The recipe statsig-to-file migrates the id to the file.
        """),
    KnownSDK(
      name: "Tealium", keys: ["teal_consent_configuration_archivable", "tealium_visitor_id"],
      update: """
        Since version 2.1.1, the Swift SDK migrates these values, unless the app turns that off. Versions 2.3.0 and \
        2.3.1 could reset the visitor id.
        """),
  ]
}
