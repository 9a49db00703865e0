import CarryoverSystem

/// The keys and files that Apple's frameworks write into an app's preferences. They change by themselves, and say
/// nothing about the app.
package enum SystemKeys {
  /// Exact names, because an app may have keys of its own that begin with `Apple`.
  private static let names = Set(
    bytesOf: [
      "AKLastEmailListRequestDateKey", "AKLastIDMSEnvironment", "AKLastLocale", "AddingEmojiKeybordHandled",
      "AppleCollationOrder", "AppleICUDateFormatStrings", "AppleICUForce12HourTime", "AppleICUForce24HourTime",
      "AppleICUNumberSymbols", "AppleITunesStoreItemKinds", "AppleInterfaceStyle", "AppleKeyboards",
      "AppleKeyboardsExpanded", "AppleLanguages", "AppleLanguagesDidMigrate", "AppleLanguagesSchemaVersion",
      "AppleLocale", "AppleMeasurementUnits", "AppleMetricUnits", "ApplePasscodeKeyboards",
      "ApplePersistence", "ApplePersistenceIgnoreState", "AppleTemperatureUnit", "AppleTextBreakLocale",
      "AppleTextDirection", "INNextFreshmintRefreshDateKey", "INNextHearbeatDate", "MSVLoggingMasterSwitchEnabledKey",
      "NSOSPLastRootDirectory", "PKKeychainVersionKey", "PKLogNotificationServiceResponsesKey", "WebDatabaseDirectory",
    ])

  /// Whether a top-level key is one of Apple's: a name of the list, `com.apple.…`, `NS` or `WebKit` and a word.
  package static func contains(_ key: String) -> Bool {
    names.contains(key) || key.beginsWithBytes(of: "com.apple.") || isWord(key, after: "NS")
      || isWord(key, after: "WebKit")
  }

  /// Whether a preferences file belongs to the system: `com.apple.….plist`, unless it is the app's own.
  package static func belongs(toFile name: String, ofApp bundleID: String?) -> Bool {
    name.beginsWithBytes(of: "com.apple.")
      && bundleID.map { name.beginsWithBytes(of: $0 + ".") } != true
  }

  /// `NSNavPanel`, but not `NSFW`.
  private static func isWord(_ key: String, after prefix: String) -> Bool {
    guard key.beginsWithBytes(of: prefix) else { return false }
    let rest = key.utf8.dropFirst(prefix.utf8.count).prefix(2)
    return rest.count == 2 && rest.first.map { (0x41...0x5A).contains($0) } == true
      && rest.last.map { (0x61...0x7A).contains($0) } == true
  }
}
