import Carryover
import PropertyLists

/// What a run did, for a person to read.
enum ReportText {
  static func lines(_ report: RunReport, stateDirectory: String, columns: Int, _ masking: Masking) -> [String] {
    var lines: [String] = []
    for file in files(report) {
      if let file { lines.append(file) }
      var table = Table(limits: [file == nil ? 34 : 36, 10, nil], masking: masking)
      for outcome in report.outcomes where outcome.file == file {
        table.add([(file == nil ? "" : "  ") + outcome.field, outcome.outcome.rawValue, outcome.reason ?? ""])
      }
      lines += table.lines(columns: columns)
    }
    if !lines.isEmpty { lines.append("") }
    lines += report.recovered.map(\.description)
    switch (report.kind, report.runID) {
    case (.cleanup, nil): lines.append("Nothing had to be removed.")
    case (_, nil): lines.append("Nothing had to be written.")
    case (.apply, let id?):
      lines.append("Run \(id) wrote \(report.files.joined(separator: ", ")).")
      lines.append("Backup: \(stateDirectory)/runs/\(id)/before. Take it back with: carryover rollback.")
    case (.cleanup, let id?):
      lines.append("Run \(id) removed legacy values from \(report.files.joined(separator: ", ")).")
      lines.append("Backup: \(stateDirectory)/runs/\(id)/before. Take it back with: carryover rollback.")
    case (.rollback, let id?):
      lines.append("Run \(id) took back run \(report.rolledBack ?? "?"): \(report.files.joined(separator: ", ")).")
    }
    if report.runID != nil {
      lines.append(
        "Backup, record and files were flushed to the disk (fsync), \(report.synchronizations) times in all.")
    }
    return lines
  }

  /// The files the outcomes are about, each once, in their order; nil stands for the only one.
  private static func files(_ report: RunReport) -> [String?] {
    var seen: Set<String?> = []
    return report.outcomes.map(\.file).filter { seen.insert($0).inserted }
  }
}
