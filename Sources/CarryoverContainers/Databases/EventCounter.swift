import Carryover
import CarryoverSystem

/// Counts the events in a stranger's database that were not sent, with the system's SQLite.
enum EventCounter {
  /// The most rows that are counted: a hundred times what the legacy SDK keeps.
  static let maximumRows = 1_000_000

  /// The rows of the table `events` that are not marked as sent, with those that wait in a log beside the database.
  /// - Returns: nil when there is no such table, when the file is no database (an encrypted one looks like that), is too
  ///   large or damaged, when a change to it was cut off, and when there are more rows than are counted.
  static func count(path: String, fileSystem: any FileSystem, limits: ContainerLimits) -> Int? {
    guard let image = try? DatabaseImage(reading: path, fileSystem: fileSystem, limit: limits.fileBytes) else {
      return nil
    }
    // Before 1.14.0 the table had no column for the status, and a row that was sent was deleted.
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

  /// The bit of a row's status that says that it was sent; the other one is about the device's own destinations.
  private static let sent: Int64 = 2
}
