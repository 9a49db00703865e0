import ArgumentParser
import Carryover
import CarryoverContainers
import PropertyLists

struct ReportSubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Prints a report to attach to a ticket: stores, plan, findings and runs, as Markdown, values masked.",
    discussion: """
      Values that tell of a person are masked; equal values have equal masks. Look it over all the same before it goes \
      to somebody else. Nothing is written.
      """)

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @Flag(inversion: .prefixedNo, help: "Mask what tells of a person, or show it.") var redact = true
  @Flag(help: "Print JSON, schema carryover.container-report/1, and not Markdown.") var json = false

  func run() throws {
    let masking = Masking(redact)
    try reporting(masking) {
      let opened = try container.open(masking)
      masking.learn(writeKey: planning.writeKey)
      let options = try planning.knownOptions(opened)
      let plan = masking.findings(of: try planning.plan(opened, options: options))
      let report = ContainerReport(
        container: opened.container, plan: plan,
        request: PlanRequest(opened.container, options: options, hasOwnStateDirectory: container.stateDir != nil),
        runs: Self.runs(of: opened))
      masking.learn(report.runs.runs)
      if json {
        try Console.printDocument(masking.document(ContainerReportJSON.value(report)))
      } else {
        try Console.printVerbatim(ContainerReportMarkdown(report, masking).lines.joined(separator: "\n"))
      }
      if let failure = Edge.recoveryNeeded(opened) { throw failure }
    }
  }

  /// The runs; where their records cannot be reached, the report says why and goes on.
  private static func runs(of opened: OpenedContainer) -> RunListing {
    do {
      return try Edge.migrator(opened).history(of: opened.container)
    } catch {
      return RunListing(runs: [], problems: [error])
    }
  }
}
