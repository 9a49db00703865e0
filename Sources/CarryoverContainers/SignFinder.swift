import Carryover

/// Finds the files by which SDKs say that they are at work: their being there is all that counts.
struct SignFinder {
  private let reader: StoreReader

  init(reader: StoreReader) { self.reader = reader }

  /// The signs of a data container, by path. Folders that are links are not gone into.
  func find(dataFolder: String) -> [String] {
    var path = dataFolder
    for part in Self.folders {
      path = PathText.join(path, part)
      guard kind(path) == .directory else { return [] }
    }
    return [PathText.join(path, ConvertNames.uploading)].filter { kind($0) != nil }
  }

  private func kind(_ path: String) -> FileKind? {
    (try? reader.fileSystem.status(reader.onDisk(path)))?.kind
  }

  private static let folders = ["Library", "Application Support", ConvertNames.folder]
}
