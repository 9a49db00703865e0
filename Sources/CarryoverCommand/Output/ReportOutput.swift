import Carryover
import PropertyLists

/// What a run did, on standard output.
enum ReportOutput {
  /// Prints a report.
  /// - Parameters:
  ///   - container: the container the run was about.
  ///   - recovered: the runs that the command brought to an end before it, for the JSON form.
  ///   - json: whether to print `carryover.report/1`, and not text.
  static func print(
    _ report: RunReport, in container: Container, recovered: [RecoveredRun], json: Bool
  ) throws {
    if json {
      try Console.printVerbatim(ReportJSON.value(report, recovered: recovered).text(pretty: true))
    } else {
      let lines = ReportText.lines(report, stateDirectory: container.stateDirectory, columns: Console.columns)
      try Console.print(lines.joined(separator: "\n"))
    }
  }
}
