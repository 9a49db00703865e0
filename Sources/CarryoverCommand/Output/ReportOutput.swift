import Carryover
import PropertyLists

/// What a run did, on standard output.
enum ReportOutput {
  /// Prints a report.
  /// - Parameters:
  ///   - container: the container the run was about.
  ///   - recovered: the runs that the command brought to an end before it, for the JSON form.
  ///   - json: whether to print `carryover.report/1`, and not text.
  ///   - masking: what is printed goes through it.
  static func print(
    _ report: RunReport, in container: Container, recovered: [RecoveredRun], json: Bool, _ masking: Masking
  ) throws {
    if json {
      try Console.printDocument(masking.document(ReportJSON.value(report, recovered: recovered)))
    } else {
      let lines = ReportText.lines(
        report, stateDirectory: container.stateDirectory, columns: Console.columns, masking)
      try Console.print(masking.lines(lines))
    }
  }
}
