import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem
import PropertyLists

struct ApplySubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Migrates: writes what the plan and the decisions say, after a backup.",
    discussion:
      "PATH may be a plan that carryover plan has saved: it is carried out as long as nothing it used changed.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var deciding: DecisionArguments
  @OptionGroup var redacting: RedactionArguments
  @Flag(help: "Do not ask before writing. Never decides a flagged field.") var yes = false
  @Flag(help: "Print what was done as JSON, schema carryover.report/1.") var json = false

  func run() throws {
    let masking = redacting.masking
    try reporting(masking) {
      let job = try job(masking)
      let (opened, plan, decisions) = (job.opened, job.plan, job.decisions)
      let nothing = job.recovered.nothingElse
      try Self.requireReadableSources(plan, or: nothing)
      let undecided = plan.undecided(decisions)
      let changes = plan.changes(decisions)
      guard plan.blockers.isEmpty || (undecided.isEmpty && changes.isEmpty) else {
        throw RunError.blocked(plan.blockers)
      }
      try Self.requireDecisions(undecided, decisions, or: nothing)
      if !changes.isEmpty { try confirm(job, masking) }
      try ThisProcess.uninterrupted {
        try reporting(masking) { try write(plan, decisions, opened, job.recovered, masking) }
      }
    }
  }

  private func job(_ masking: Masking) throws -> ApplyJob {
    guard let plan = try SavedPlanFile(fileSystem: POSIXFileSystem()).read(container.path) else {
      return try ApplyJob(container, planning, deciding, asking: !yes, masking)
    }
    return try ApplyJob(
      plan, container, planning, deciding, asks: !yes && Console.inputIsTerminal, masking)
  }

  private func write(
    _ plan: Plan, _ decisions: Decisions, _ opened: OpenedContainer, _ recovered: Recovered,
    _ masking: Masking
  ) throws {
    let report = try Edge.migrator(opened).apply(plan, decisions: decisions, in: opened.container)
    for finding in plan.containerFindings where finding.code == .sourceUnreadable {
      Console.error("carryover: \(masking.text("\(finding.code.rawValue): \(finding.message) \(finding.remedy)"))")
    }
    try ReportOutput.print(report, in: opened.container, recovered: recovered.runs, json: json, masking)
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
    let conflicts = undecided.filter { $0.resolution(decisions[$0.id]) == .undecided(conflict: true) }.map(\.id)
    let asks = undecided.map(\.id).filter { !conflicts.contains($0) }
    var sentences: [String] = []
    if let first = asks.first {
      // Where nothing is proposed there is nothing to accept.
      let proposed = undecided.first { asks.contains($0.id) && $0.proposed != nil }?.id
      let accept = proposed.map { "take the proposal with --accept \($0), " } ?? ""
      sentences.append(
        "Decide \(asks.joined(separator: ", ")): \(accept)give a value with "
          + "--set \(first)=VALUE, or leave it out with --skip \(first).")
    }
    if !conflicts.isEmpty {
      sentences.append(
        "The target holds other values for \(conflicts.joined(separator: ", ")): replace or keep them with --on-conflict, "
          + "or decide each with --set or --skip.")
    }
    throw CommandFailure(
      ([nothing] + sentences).joined(separator: " "), asks.isEmpty ? .conflict : .decisionsNeeded)
  }

  private func confirm(_ job: ApplyJob, _ masking: Masking) throws {
    guard !yes else { return }
    try Edge.requireTerminal(for: "apply", or: "nothing was applied")
    if !json {
      try Console.print(
        masking.lines(PlanText.lines(job.plan, decisions: job.decisions, columns: Console.columns, masking)))
    }
    let place = job.place.map { " in “\($0)”, which the plan names" } ?? ""
    try Edge.askToGoOn(masking.text("Write \(job.plan.target?.path ?? "the target")\(place)?"), after: job.recovered)
  }
}
