import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem
import PropertyLists

struct ApplySubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Migrates: writes the planned values after a backup.",
    discussion:
      "PATH may be a saved plan: it is applied if the values it was made from have not changed.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var deciding: DecisionArguments
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Apply, verify and roll back on a copy, and compare it with the container, which is not changed.")
  var rehearse = false
  @OptionGroup var printing: PrintingArguments
  @Flag(help: "Do not ask before writing. Never decides an undecided field.") var yes = false
  @Flag(help: "Print what was done as JSON, schema carryover.report/1; with --rehearse, carryover.rehearsal/1.")
  var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let job = try job(masking)
      let (plan, decisions) = (job.plan, job.decisions)
      let nothing = job.recovered.nothingElse
      try Self.requireReadableSources(plan, or: nothing)
      let undecided = plan.undecided(decisions)
      let changes = plan.changes(decisions)
      let blockers = plan.blockers(after: decisions)
      guard blockers.isEmpty || (undecided.isEmpty && changes.isEmpty) else { throw RunError.blocked(blockers) }
      try Self.requireDecisions(undecided, decisions, or: nothing)
      if rehearse { return try self.rehearse(job, masking) }
      if !changes.isEmpty { try confirm(job, masking) }
      try ThisProcess.uninterrupted {
        try reporting(masking) { try write(job, masking) }
      }
    }
  }

  private func job(_ masking: Masking) throws -> ApplyJob {
    guard let plan = try SavedPlanFile(fileSystem: POSIXFileSystem()).read(container.path) else {
      return try ApplyJob(
        container, planning, deciding, for: rehearse ? .rehearsal : .apply(asking: !yes), masking)
    }
    let asking = !yes && Console.inputIsTerminal
    return try ApplyJob(
      plan, container, planning, deciding, for: rehearse ? .rehearsal : .apply(asking: asking), masking)
  }

  /// Makes the migration on a copy and prints what that proves. A signal ends it once the copy is gone.
  private func rehearse(_ job: ApplyJob, _ masking: Masking) throws {
    let folder = Console.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    let report = try ThisProcess.uninterrupted {
      try Edge.migrator(job.opened).rehearse(
        job.plan, decisions: job.decisions, of: job.opened.container, in: folder, on: POSIXFileSystem(),
        goesOn: { !ThisProcess.isAskedToEnd })
    }
    guard let report else { throw CommandFailure("The rehearsal was ended. Nothing was written.", .error) }
    let output = RehearsalOutput(report: report)
    if json {
      try Console.printDocument(masking.document(output.json))
    } else {
      try printing.paper.print(masking) { output.write(to: &$0) }
    }
    guard report.isProved else {
      throw CommandFailure("The rehearsal failed; the steps say why. Nothing was written.", .error)
    }
  }

  private func write(_ job: ApplyJob, _ masking: Masking) throws {
    let container = job.opened.container
    let report = try Edge.migrator(job.opened).apply(job.plan, decisions: job.decisions, in: container)
    for finding in job.plan.containerFindings
    where [.sourceUnreadable, .targetOtherWriteKey].contains(finding.code) {
      Console.error("carryover: \(masking.text("\(finding.code.rawValue): \(finding.message) \(finding.remedy)"))")
    }
    try ReportOutput.print(
      report, in: container, recovered: job.recovered.runs, json: json, rollback: job.rollback,
      on: printing.paper, masking)
  }

  /// Where no source could be read, "nothing to migrate" would be a wrong guess.
  private static func requireReadableSources(_ plan: Plan, or nothing: String) throws {
    let unreadable = plan.containerFindings.filter { $0.code == .sourceUnreadable }
    guard let first = unreadable.first, plan.fields.allSatisfy({ $0.legacy == nil && $0.status != .unchanged }) else {
      return
    }
    throw CommandFailure("\(nothing) \(first.code.rawValue): \(first.message) \(first.remedy)", .error)
  }

  /// Names every field that stands in the way, not only the first kind.
  private static func requireDecisions(_ undecided: [Field], _ decisions: Decisions, or nothing: String) throws {
    guard !undecided.isEmpty else { return }
    // Over another value a proposal is not accepted alone, and a policy decides only what nothing else asks about.
    let conflicts = undecided.filter { $0.status == .conflict }.map(\.id)
    let forPolicy = undecided.count { $0.resolution(decisions[$0.id]) == .undecided(conflict: true) }
    let asks = undecided.map(\.id).filter { !conflicts.contains($0) }
    var sentences: [String] = []
    if let first = asks.first {
      // Where nothing is proposed there is nothing to accept.
      let proposed = undecided.first { asks.contains($0.id) && $0.proposed != nil }?.id
      let accept = proposed.map { "accept the proposal with --accept \($0), " } ?? ""
      sentences.append(
        "Decide \(asks.joined(separator: ", ")): \(accept)give a value with "
          + "--set \(first)=VALUE, or skip it with --skip \(first)"
          + (undecided.first { $0.id == first }?.current == nil ? "." : ", or keep the target's with --keep \(first)."))
    }
    if !conflicts.isEmpty {
      sentences.append(
        "The target has other values for \(conflicts.joined(separator: ", ")): "
          + (forPolicy > 0 ? "replace or keep them with --on-conflict, or " : "")
          + "decide each with --keep, --set or --skip.")
    }
    throw CommandFailure(
      ([nothing] + sentences).joined(separator: " "), forPolicy == undecided.count ? .conflict : .decisionsNeeded)
  }

  private func confirm(_ job: ApplyJob, _ masking: Masking) throws {
    guard !yes else { return }
    try Edge.requireTerminal(for: "apply", or: "nothing was applied")
    if !json {
      try printing.paper.print(masking) { page in
        PlanText.write(job.plan, decisions: job.decisions, to: &page)
        PlanSummary.write(job.plan, job.decisions, to: &page)
      }
    }
    let place = job.place.map { " in “\($0)”, which the plan names" } ?? ""
    let targets = job.plan.recipePlans.compactMap(\.target?.path)
    let files = targets.isEmpty ? "the target" : targets.joined(separator: ", ")
    try Edge.askToGoOn(masking.text("Write \(files)\(place)?"), after: job.recovered)
  }
}
