import Carryover

/// The results of one pass over a backup's list of files.
struct BackupIndex {
  /// The number of files in each app domain.
  private(set) var domains: [BackupDomain: BackupCount] = [:]
  /// The content files in the backup.
  private(set) var payloads: BackupPayloads
  /// The number of rows without a usable name, path or kind.
  private(set) var badRows = 0
  /// The number of files whose name does not match their domain and path.
  private(set) var misnamed = 0
  /// The number of files in domains beyond the limit.
  private(set) var beyondLimit = 0

  /// Reads the list.
  init(
    _ image: DatabaseImage, root: String, payloads: BackupPayloads, limits: ContainerLimits, observer: OpeningObserver
  ) throws(ContainerError) {
    self.payloads = payloads
    var rows = 0
    let query = TableQuery(files: BackupRow.statement, limits)
    let ending = try query.run(on: image) { row throws(ContainerError) in
      rows += 1
      if rows % Self.rowsPerReport == 0 { try observer.report(OpeningProgress(.backup, done: rows), at: root) }
      if let id = BackupRow.id(row) { self.payloads.list(id) }
      switch BackupRow.read(row) {
      case .foreign: break
      case .bad: badRows += 1
      case .row(let row): add(row)
      }
    }
    try ending.requireFinished(root)
    try observer.report(OpeningProgress(.backup, done: rows, total: rows), at: root)
  }

  private mutating func add(_ row: BackupRow) {
    guard let domain = BackupDomain(row.domain) else {
      badRows += 1
      return
    }
    if !row.isNamedByItsPath { misnamed += 1 }
    guard domains[domain] != nil || domains.count < Self.greatestDomains else {
      beyondLimit += 1
      return
    }
    var count = domains[domain] ?? BackupCount()
    if row.kind == .file {
      count.files += 1
      if !payloads.has(row.id) { count.missing += 1 }
    }
    domains[domain] = count
  }

  static let rowsPerReport = 1_000
  /// Far more than the apps, groups and extensions of a device.
  private static let greatestDomains = 20_000
}

extension TableQuery {
  /// A query over a backup's list of files.
  init(files statement: String, _ limits: ContainerLimits) {
    // The record of a file with many attributes can be long. The time is enough for the largest lists on slow machines,
    // and the observer can cancel the work sooner.
    self.init(
      table: "Files", statement: statement, maximumSteps: limits.databaseSteps, maximumTime: .seconds(120),
      valueBytes: 4 << 20)
  }
}

extension TableQuery.Ending {
  /// Throws the error for a query that ended before the last row.
  func requireFinished(_ root: String) throws(ContainerError) {
    switch self {
    case .finished: break
    case .notPossible, .damaged: throw ContainerError(root, .backup(.damaged))
    case .tooMuch: throw ContainerError(root, .backup(.tooLarge))
    }
  }
}
