import Carryover
import CarryoverSystem
import CarryoverVendors

/// What a container has beside its stores. Folders that are links are skipped.
extension StoreReader {
  /// The folders of the app groups, beside `Library` and each with its own, relative to the container's root.
  mutating func appGroups(in dataFolder: String) -> [String] {
    var folders: [String] = []
    // The layout of a device backup and of `extract`, and that of a device.
    for place in ["AppGroups", "Shared/AppGroup"] {
      let folder = PathText.join(dataFolder, place)
      for name in names(inFolder: folder) where !name.hasPrefix(".") && isFolder(folder + "/" + name) {
        guard folders.count < limits.folders else {
          note(ContainerWording.tooManyFolders(folder, limit: limits.folders))
          return folders
        }
        folders.append(folder + "/" + name)
      }
    }
    return folders
  }

  /// The marker files that show that an SDK is working, by path. Only their existence counts.
  func markers(in dataFolder: String) -> [String] {
    Traces.builtIn.signs.filter { fileSystem.kind(at: $0, below: onDisk(dataFolder)) != nil }
      .map { PathText.join(dataFolder, $0) }
  }

  /// The databases of the legacy SDK's unsent events, by path. A database that cannot be read has no count.
  func unsentEvents(in dataFolder: String) -> [UnsentEvents] {
    var found: [UnsentEvents] = []
    for folder in ["Library", "Documents", "Library/Application Support", "Library/Caches"]
    where fileSystem.kind(at: folder, below: onDisk(dataFolder)) == .directory {
      for name in Traces.builtIn.eventDatabases {
        let path = PathText.join(dataFolder, folder + "/" + name)
        switch (try? fileSystem.status(onDisk(path)))?.kind {
        case .regular: found.append(UnsentEvents(path: path, count: countEvents(onDisk(path))))
        case .symbolicLink, .other: found.append(UnsentEvents(path: path, count: nil))
        case .directory, nil: break
        }
      }
    }
    return found.sorted { PathText.precedes($0.path, $1.path) }
  }

  /// The number of rows in the table `events` that are not marked as sent, including those in a log beside it.
  /// - Returns: nil if there is no such table, if the file is not a database (an encrypted one looks the same), is too
  ///   large or damaged, if a change was interrupted, or if there are too many rows.
  private func countEvents(_ path: String) -> Int? {
    guard let image = try? DatabaseImage(reading: path, fileSystem: fileSystem, limit: limits.fileBytes) else {
      return nil
    }
    // Before 1.14.0, the table had no status column, and the SDK deleted a row when it was sent.
    for column in ["status", "0"] {
      // 100 times the rows that the legacy SDK stores.
      let query = TableQuery(
        table: "events", statement: "SELECT \(column) FROM main.events", maximumSteps: limits.databaseSteps,
        maximumRows: 1_000_000)
      var count = 0
      // The status bit for a sent row. The other bit is for the device's own destinations.
      switch query.run(on: image, { if (($0.integer(0) ?? 0) & 2) == 0 { count += 1 } }) {
      case .finished: return count
      case .notPossible: continue
      case .damaged, .tooMuch: return nil
      }
    }
    return nil
  }
}
