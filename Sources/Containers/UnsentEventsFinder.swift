import Carryover

/// Finds the databases in which the legacy SDK keeps events until they are sent.
struct UnsentEventsFinder {
  private let reader: StoreReader
  private let isWrapped: Bool

  /// - Parameter isWrapped: whether the container lies in an archive or a backup, where SQLite finds no file.
  init(reader: StoreReader, isWrapped: Bool) {
    self.reader = reader
    self.isWrapped = isWrapped
  }

  /// The databases of a data container, by path. One that cannot be looked at is still named, without a count.
  func find(dataFolder: String) -> [UnsentEvents] {
    var found: [UnsentEvents] = []
    for folder in Self.folders where isReachable(folder, in: dataFolder) {
      for name in Self.names {
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

  /// How many events a database holds; nil also where a log beside it holds changes that the file itself lacks.
  private func count(_ path: String) -> Int? {
    for suffix in ["-wal", "-journal"] {
      guard let log = try? reader.fileSystem.status(reader.onDisk(path + suffix)) else { continue }
      if log.kind != .regular || log.size > 0 { return nil }
    }
    guard isWrapped else {
      return EventCounter.count(path: reader.onDisk(path), maximumSteps: reader.limits.databaseSteps)
    }
    guard let image = try? reader.fileSystem.read(reader.onDisk(path), limit: reader.limits.fileBytes) else { return nil }
    return EventCounter.count(image: image.bytes, maximumSteps: reader.limits.databaseSteps)
  }

  /// Whether every folder on the way is a folder, not a link.
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

  private static let names = ["rl_persistence.sqlite", "rl_persistence_encrypted.sqlite"]
  private static let folders = ["Library", "Documents", "Library/Application Support", "Library/Caches"]
}
