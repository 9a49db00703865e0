import Carryover
import CarryoverSystem
import CarryoverVendors

/// Finds the marker files that show that an SDK is working. Only their existence counts.
struct SignFinder {
  private let reader: StoreReader

  init(reader: StoreReader) { self.reader = reader }

  /// The markers in a data container, by path. Folders that are links are skipped.
  func find(dataFolder: String) -> [String] {
    Traces.builtIn.signs.compactMap { sign in
      var path = dataFolder
      for part in sign.split(separator: "/") {
        // All parents must be folders.
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
