import Carryover

/// What a run did, for a person to read.
enum ReportText {
  static func lines(_ report: RunReport, stateDirectory: String, columns: Int) -> [String] {
    var table = Table(limits: [nil, 10, nil])
    for outcome in report.outcomes {
      table.add([(outcome.file.map { $0 + ":" } ?? "") + outcome.field, outcome.outcome.rawValue, outcome.reason ?? ""])
    }
    var lines = table.lines(columns: columns)
    if !lines.isEmpty { lines.append("") }
    lines += report.recovered.map(\.description)
    switch (report.kind, report.runID) {
    case (_, nil): lines.append("Nothing had to be written.")
    case (.apply, let id?):
      lines.append("Run \(id) wrote \(report.files.joined(separator: ", ")).")
      lines.append("Backup: \(stateDirectory)/runs/\(id)/before. Take it back with: carryover rollback.")
    case (.cleanup, let id?):
      lines.append("Run \(id) removed legacy values from \(report.files.joined(separator: ", ")).")
      lines.append("Backup: \(stateDirectory)/runs/\(id)/before. Take it back with: carryover rollback --run \(id).")
    case (.rollback, let id?):
      lines.append("Run \(id) took back run \(report.rolledBack ?? "?"): \(report.files.joined(separator: ", ")).")
    }
    if report.runID != nil {
      lines.append("It brought bytes to the disk itself \(report.synchronizations) times.")
    }
    return lines
  }
}
