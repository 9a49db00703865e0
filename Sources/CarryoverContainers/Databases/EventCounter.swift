import Carryover

/// Counts the rows of one table of a stranger's database, with the system's SQLite.
enum EventCounter {
  /// The most rows that are counted: a hundred times what the legacy SDK keeps.
  static let maximumRows = 1_000_000

  /// The rows of the table `events`, with those that wait in a log beside the database.
  /// - Returns: nil when there is no such table, when the file is no database (an encrypted one looks like that), is too
  ///   large or damaged, when a change to it was cut off, and when there are more rows than are counted.
  static func count(path: String, fileSystem: any FileSystem, limits: ContainerLimits) -> Int? {
    guard let image = try? DatabaseImage(reading: path, fileSystem: fileSystem, limit: limits.fileBytes) else {
      return nil
    }
    let query = TableQuery(
      table: "events", statement: "SELECT 1 FROM main.events", maximumSteps: limits.databaseSteps,
      maximumRows: maximumRows)
    var count = 0
    return query.run(on: image, { _ in count += 1 }) == .finished ? count : nil
  }
}
