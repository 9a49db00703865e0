import Carryover
import CarryoverSystem
import CarryoverVendors

/// Finds the marker files that show that an SDK is working. Only their existence counts.
struct SignFinder {
  private let reader: StoreReader

  init(reader: StoreReader) { self.reader = reader }

  /// The markers in a data container, by path. Folders that are links are skipped.
  func find(dataFolder: String) -> [String] {
    let folder = reader.onDisk(dataFolder)
    return Traces.builtIn.signs.filter { reader.fileSystem.kind(at: $0, below: folder) != nil }
      .map { PathText.join(dataFolder, $0) }
  }
}
