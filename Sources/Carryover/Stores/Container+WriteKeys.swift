extension Container {
  /// The folder of the preferences files, relative to the root; empty where a property list came by itself, whose
  /// companions lie beside it.
  package var preferencesFolder: String {
    kind == .propertyList ? "" : dataPath("Library/Preferences")
  }

  /// The path of an analytics suite's file, relative to the root: in the preferences folder, or beside a property list
  /// that came by itself.
  ///
  /// Nil when the bundle identifier or the write key cannot be a part of a file's name.
  package func targetPath(bundleID: String, writeKey: String) -> String? {
    SuiteName(bundleID: bundleID, writeKey: writeKey).map { preferencesPath($0.fileName) }
  }

  /// The write keys for which the container holds a suite of its app, sorted; none while the app is unknown.
  ///
  /// A suite counts by its name, whether or not it could be read.
  public var writeKeys: [String] {
    guard let bundleID else { return [] }
    let keys = stores.lazy
      .filter { store in store.path == preferencesPath(store.name) }
      .flatMap { store in SuiteName.readings(ofFileName: store.name) }
      .filter { suite in suite.bundleID == bundleID }
      .map(\.writeKey)
    return Set(keys).sorted()
  }

  /// The path of an app's own preferences, relative to the root; a property list that came by itself is them, whatever
  /// its name.
  ///
  /// Nil when the bundle identifier cannot be a part of a file's name.
  package func preferencesPath(ofApp bundleID: String) -> String? {
    if kind == .propertyList { return name }
    return Container.isValidBundleID(bundleID) ? preferencesPath(bundleID + ".plist") : nil
  }

  private func preferencesPath(_ name: String) -> String {
    preferencesFolder.isEmpty ? name : preferencesFolder + "/" + name
  }
}
