import Carryover
import CarryoverSystem
import CarryoverVendors

/// Finds the files by which SDKs say that they are at work: their being there is all that counts.
struct SignFinder {
  private let reader: StoreReader

  init(reader: StoreReader) { self.reader = reader }

  /// The signs of a data container, by path. Folders that are links are not gone into.
  func find(dataFolder: String) -> [String] {
    Traces.builtIn.signs.compactMap { sign in
      var path = dataFolder
      for part in sign.split(separator: "/") {
        // What stands on the way must be a folder.
        guard path == dataFolder || kind(path) == .directory else { return nil }
        path = PathText.join(path, String(part))
      }
      return kind(path) == nil ? nil : path
    }
  }

  private func kind(_ path: String) -> FileKind? {
    (try? reader.fileSystem.status(reader.onDisk(path)))?.kind
  }
}
