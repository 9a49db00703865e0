import Carryover
import PropertyLists

/// What a run did, on standard output.
enum ReportOutput {
  /// Prints a report.
  /// - Parameters:
  ///   - container: the container the run was about.
  ///   - recovered: the runs that the command brought to an end before it, for the JSON form.
  ///   - json: whether to print `carryover.report/1`, and not text.
  ///   - rollback: the command that rolls the run back.
  ///   - paper: what text is printed on.
  ///   - masking: what is printed goes through it.
  static func print(
    _ report: RunReport, in container: Container, recovered: [RecoveredRun], json: Bool, rollback: ShellCommand,
    on paper: Paper, _ masking: Masking
  ) throws {
    if json {
      try Console.printDocument(masking.document(ReportJSON.value(report, recovered: recovered)))
    } else {
      try paper.print(masking) {
        ReportText.write(report, stateDirectory: container.stateDirectory, rollback: rollback, to: &$0)
      }
    }
  }
}
