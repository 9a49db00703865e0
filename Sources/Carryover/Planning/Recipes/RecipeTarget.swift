/// Which file a recipe writes.
package enum RecipeTarget: Hashable, Sendable {
  /// The new SDK's suite, `<bundle id>.analytics.<write key>.plist`.
  case analyticsSuite
  /// The app's own preferences, `<bundle id>.plist`. They may be a source too: a rule whose key is its own source's
  /// brings a value to another form in its place.
  case preferences

  /// Whether the file is named by a write key.
  package var needsWriteKey: Bool { self == .analyticsSuite }

  /// The file, relative to the container's root; nil when it cannot be named.
  package func path(in container: Container, writeKey: String?) -> String? {
    guard let bundleID = container.bundleID else { return nil }
    switch self {
    case .analyticsSuite:
      guard let writeKey else { return nil }
      return container.targetPath(bundleID: bundleID, writeKey: writeKey)
    case .preferences: return container.preferencesPath(ofApp: bundleID)
    }
  }

  /// The file, in the words of the documentation.
  package var words: String {
    switch self {
    case .analyticsSuite: "Library/Preferences/<bundle id>.analytics.<write key>.plist"
    case .preferences: "Library/Preferences/<bundle id>.plist"
    }
  }
}
