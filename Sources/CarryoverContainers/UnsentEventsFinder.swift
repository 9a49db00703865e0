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

/// Counts the unsent events in an untrusted database, with the system's SQLite.
enum EventCounter {
  /// The maximum number of rows to count: 100 times what the legacy SDK stores.
  static let maximumRows = 1_000_000

  /// The number of rows in the table `events` that are not marked as sent, including those in a log beside it.
  /// - Returns: nil if there is no such table, if the file is not a database (an encrypted one looks the same), is too
  ///   large or damaged, if a change was interrupted, or if there are too many rows.
  static func count(path: String, fileSystem: any FileSystem, limits: ContainerLimits) -> Int? {
    guard let image = try? DatabaseImage(reading: path, fileSystem: fileSystem, limit: limits.fileBytes) else {
      return nil
    }
    // Before 1.14.0, the table had no status column, and the SDK deleted a row when it was sent.
    for column in ["status", "0"] {
      let query = TableQuery(
        table: "events", statement: "SELECT \(column) FROM main.events", maximumSteps: limits.databaseSteps,
        maximumRows: maximumRows)
      var count = 0
      switch query.run(on: image, { if (($0.integer(0) ?? 0) & sent) == 0 { count += 1 } }) {
      case .finished: return count
      case .notPossible: continue
      case .damaged, .tooMuch: return nil
      }
    }
    return nil
  }

  /// The status bit for a sent row. The other bit is for the device's own destinations.
  private static let sent: Int64 = 2
}

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
