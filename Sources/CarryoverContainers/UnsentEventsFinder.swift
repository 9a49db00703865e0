import Carryover
import CarryoverSystem
import CarryoverVendors

/// Finds the databases of the legacy SDK's unsent events.
struct UnsentEventsFinder {
  private let reader: StoreReader

  init(reader: StoreReader) { self.reader = reader }

  /// The databases of a data container, by path. A database that cannot be read has no count.
  func find(dataFolder: String) -> [UnsentEvents] {
    var found: [UnsentEvents] = []
    for folder in Self.folders where isReachable(folder, in: dataFolder) {
      for name in Traces.builtIn.eventDatabases {
        let path = PathText.join(dataFolder, folder + "/" + name)
        switch kind(path) {
        case .regular: found.append(UnsentEvents(path: path, count: count(path)))
        case .symbolicLink, .other: found.append(UnsentEvents(path: path, count: nil))
        case .directory, nil: break
        }
      }
    }
    return found.sorted { PathText.precedes($0.path, $1.path) }
  }

  private func count(_ path: String) -> Int? {
    EventCounter.count(path: reader.onDisk(path), fileSystem: reader.fileSystem, limits: reader.limits)
  }

  /// Whether every parent is a folder, not a link.
  private func isReachable(_ folder: String, in dataFolder: String) -> Bool {
    var path = dataFolder
    return folder.split(separator: "/").allSatisfy { part in
      path = PathText.join(path, String(part))
      return kind(path) == .directory
    }
  }

  private func kind(_ path: String) -> FileKind? {
    (try? reader.fileSystem.status(reader.onDisk(path)))?.kind
  }

  private static let folders = ["Library", "Documents", "Library/Application Support", "Library/Caches"]
}
