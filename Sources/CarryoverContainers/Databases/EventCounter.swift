import Carryover
import CarryoverSystem

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
