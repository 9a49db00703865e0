import Carryover

/// A container's statements about itself, beside its stores.
struct ContainerDescription {
  let kind: ContainerKind
  let dataFolder: String
  /// Whether the package's `AppDataInfo.plist` exists.
  let hasInfo: Bool

  /// The bundle identifiers that its files state, most trusted first.
  func statements(_ reader: inout StoreReader) -> [BundleIDFinder.Statement] {
    var statements: [BundleIDFinder.Statement] = []
    let info = FolderRecognition.infoName
    if hasInfo, let text = reader.bundleID("CFBundleIdentifier", inFile: info) {
      statements.append(BundleIDFinder.Statement(bundleID: text, origin: .appDataInfo, path: info))
    }
    if kind == .xcappdata, !hasInfo { reader.note(ContainerWording.missingInfo(info)) }
    for folder in Set([dataFolder, ""]).sorted(by: >) {
      let metadata = PathText.join(folder, FolderRecognition.metadataName)
      if let text = reader.bundleID("MCMMetadataIdentifier", inFile: metadata) {
        statements.append(BundleIDFinder.Statement(bundleID: text, origin: .containerMetadata, path: metadata))
      }
    }
    if let (bundleID, path) = savedState(reader) {
      statements.append(BundleIDFinder.Statement(bundleID: bundleID, origin: .savedState, path: path))
    }
    return statements
  }

  /// The bundle identifier in the names of the snapshots and the saved state that the system makes of the app's screens,
  /// and their folder; nil if there are none, or of several apps, as in a Mac's own library.
  private func savedState(_ reader: StoreReader) -> (bundleID: String, path: String)? {
    let library = PathText.join(dataFolder, FolderRecognition.libraryName)
    var found: [String: String] = [:]
    for (folder, end) in [("SplashBoard/Snapshots", " - "), ("Saved Application State", ".savedState")] {
      let path = PathText.join(library, folder)
      for name in reader.folderNames(path) {
        if let bundleID = name.text(before: end), Container.isValidBundleID(bundleID) { found[bundleID] = path }
      }
    }
    guard found.count == 1, let only = found.first else { return nil }
    return (only.key, only.value)
  }
}

extension String {
  /// The text before the first occurrence of another text; nil if there is none.
  fileprivate func text(before end: String) -> String? {
    let bytes = utf8
    let start = bytes.indices.first { bytes[$0...].starts(with: end.utf8) }
    return start.map { String(self[..<$0]) }
  }
}
