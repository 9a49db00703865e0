import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

struct ApplySubcommand: ContainerCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Migrates: writes the planned values after a backup.",
    discussion: """
      PATH may be a saved plan: it is applied if the values it was made from have not changed.

      With several paths, or a folder of several containers, each container is planned, decided and applied separately, as \
      one batch. A failure in one does not stop the others. The exit status is the worst of all: 5, 1, 64, 4, 3, 2, then 0.
      """)

  @OptionGroup var container: ContainerArguments
  @Argument(
    help: ArgumentHelp("More containers, and folders of containers: a batch.", valueName: "path"), completion: .file())
  var more: [String] = []
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var deciding: DecisionArguments
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Apply, verify and roll back on a copy, and compare it with the container, which is not changed.")
  var rehearse = false
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Do not ask before writing. Never decides an undecided field.") var yes = false
  @Flag(
    help:
      "Print what was done as JSON, schema carryover.report/1; of a batch, carryover.batch/1; with --rehearse, carryover.rehearsal/1."
  )
  var json = false

  func run() throws {
    try reporting(redacting) { masking in
      guard more.isEmpty else { return try batch().run() }
      do {
        try one(masking)
      } catch let error as ContainerError where container.isFolder(of: error) {
        try batch().run()
      }
    }
  }

  private func one(_ masking: Masking) throws {
    let job = try job(masking)
    try job.check(or: job.recovered.nothingElse)
    if rehearse { return try self.rehearse(job, masking) }
    if job.changesFiles { try confirm(job, masking) }
    try ThisProcess.uninterrupted { try reporting(masking) { try write(job, masking) } }
  }

  private func job(_ masking: Masking) throws -> ApplyJob {
    guard let plan = try SavedPlanFile(fileSystem: POSIXFileSystem()).read(container.path) else {
      return try ApplyJob(container, planning, for: rehearse ? .rehearsal : .apply(asking: !yes), masking) {
        try deciding.allDecisions(for: $0, masking)
      }
    }
    let asking = !yes && Console.inputIsTerminal
    return try ApplyJob(
      plan, container, planning, deciding, for: rehearse ? .rehearsal : .apply(asking: asking), masking)
  }

  /// A signal ends it once the copy is gone.
  private func rehearse(_ job: ApplyJob, _ masking: Masking) throws {
    let report = try ThisProcess.uninterrupted {
      let (folder, disk) = (try PrivateFolder(), POSIXFileSystem())
      defer { folder.remove() }
      return try Edge.migrator(job.opened).rehearse(
        job.plan, decisions: job.decisions, of: job.opened.container, in: disk.resolve(folder.path), on: disk,
        goesOn: { !ThisProcess.isAskedToEnd })
    }
    guard let report else { throw CommandFailure("The rehearsal was ended. Nothing was written.", .error) }
    let output = RehearsalOutput(report: report)
    try printing.paper.print(json: json, output.json, masking) { output.write(to: &$0) }
    guard report.problems.isEmpty else {
      throw CommandFailure("The rehearsal failed. Nothing was written.", .error)
    }
  }

  private func write(_ job: ApplyJob, _ masking: Masking) throws {
    let container = job.opened.container
    let report = try job.write(with: Edge.migrator(job.opened), masking)
    // The run has happened, so its report is printed whatever becomes of the other verdicts.
    let others = json ? [] : job.others(beside: planning, masking)
    try RunReportOutput.print(
      report, in: container, recovered: job.recovered.runs, json: json, rollback: job.rollback,
      notes: RecipeVerdict.otherBlocks(others, option: "--recipe "), on: printing.paper, masking)
  }

  private func confirm(_ job: ApplyJob, _ masking: Masking) throws {
    let place = job.place.map { " in “\($0)”, which the plan names" } ?? ""
    let targets = job.plan.recipePlans.compactMap(\.target?.path)
    let files = targets.isEmpty ? "the target" : targets.joined(separator: ", ")
    try Edge.confirm(
      masking.text("Write \(files)\(place)?"), unless: yes, for: "apply", or: "nothing was applied",
      after: job.recovered
    ) {
      guard !json else { return }
      try printing.paper.print(masking) { page in
        let noted = job.plan.noting(job.decisions) { masking.findings(of: $0) }
        PlanText.write(noted, decisions: job.decisions, to: &page)
        PlanSummary.write(job.plan, job.decisions, to: &page)
      }
    }
  }

  func batch() throws -> ContainerBatch {
    guard !rehearse else {
      throw CommandFailure.usage("--rehearse takes one container. Nothing was rehearsed, and nothing was written.")
    }
    // A wrong option is reported once, not for every container.
    let named = try planning.recipe.filter { $0 != PlanChoices.allRecipes }.map(planning.trust.named)
    let recipes = PlanChoices.callable(under: planning.recipe) + named
    try deciding.check(by: recipes)
    _ = try deciding.policy.read()
    let planning = planning.ofBatch
    let paths = [container.path] + more
    return ContainerBatch(
      kind: .apply, inputs: try container.inputs(paths), rollback: container.rollback(planning.live, ofBatchAt: paths),
      redacting: redacting, yes: yes, json: json, paper: printing.paper
    ) { container, id, masking in
      let job = try ApplyJob(container, planning, for: .apply(asking: false), masking) {
        try deciding.allDecisions(for: $0, ofBatchBy: recipes, masking)
      }
      try job.check(or: job.recovered.runs.isEmpty ? "" : job.recovered.nothingElse)
      return job.step(of: id, planning, masking)
    }
  }
}

struct RehearsalOutput {
  let report: RehearsalReport

  func write(to page: inout PageWriter) {
    page.add(report.run.losses.blocks(isDone: false))
    page.add(report.run.outcomeBlocks)
    page.blank()
    guard !report.files.isEmpty else { return page.add("Nothing would be written; there is nothing to rehearse.") }
    for problem in report.problems { page.add(.error, problem) }
    page.add(
      report.problems.isEmpty
        ? "Applied to a copy and rolled back: every file has its former content again. The container was not changed."
        : "The rehearsal failed. The container was not changed.")
  }

  var json: JSONValue {
    .object([
      "schema": "carryover.rehearsal/1", "proved": report.problems.isEmpty, "files": report.files,
      "problems": report.problems, "report": RunReportOutput.json(report.run, recovered: []),
    ])
  }
}
