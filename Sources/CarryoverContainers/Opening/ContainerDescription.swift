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
    return statements
  }
}
