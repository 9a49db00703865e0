import ArgumentParser
import Carryover
import PropertyLists
import Review

struct ApplySubcommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Migrates: writes what the plan and the decisions say, after a backup.")

  @OptionGroup var container: ContainerArguments
  @OptionGroup var planning: PlanningArguments
  @OptionGroup var deciding: DecisionArguments
  @Flag(help: "Do not ask before writing. Never decides a flagged field.") var yes = false
  @Flag(help: "Print what was done as JSON, schema carryover.report/1.") var json = false

  func run() throws {
    try reporting {
      let opened = try container.open()
      let plan = try planning.plan(opened)
      var decisions = try deciding.decisions(for: plan)
      guard plan.blockers.isEmpty else { throw MigrationError.blocked(plan.blockers) }
      Self.settleConflicts(&decisions, plan, deciding.onConflict.policy)
      try Self.requireDecisions(plan, decisions)
      if !plan.changes(decisions).isEmpty { try confirm(plan, decisions) }
      let report = try Edge.migrator.apply(plan, decisions: decisions, in: opened)
      if json {
        Console.printVerbatim(ReportJSON.value(report).text(pretty: true))
      } else {
        let lines = ReportText.lines(report, stateDirectory: opened.stateDirectory, columns: Console.columns)
        Console.print(lines.joined(separator: "\n"))
      }
    }
  }

  private static func settleConflicts(_ decisions: inout Decisions, _ plan: Plan, _ policy: ConflictPolicy) {
    for field in plan.fields where field.status == .conflict && decisions[field.id] == nil {
      switch policy {
      case .fail: break
      case .keep: decisions[field.id] = .keep
      case .replace: decisions[field.id] = .migrate
      }
    }
  }

  /// Names every field that stands in the way, not only the first kind.
  private static func requireDecisions(_ plan: Plan, _ decisions: Decisions) throws {
    let undecided = plan.undecided(decisions)
    guard !undecided.isEmpty else { return }
    let asks = undecided.filter { $0.status == .needsDecision }.map(\.id)
    let conflicts = undecided.filter { $0.status == .conflict }.map(\.id)
    var sentences: [String] = []
    if !asks.isEmpty { sentences.append(MigrationError.decisionsNeeded(asks).description) }
    if !conflicts.isEmpty { sentences.append(MigrationError.conflict(conflicts).description) }
    throw CommandFailure(sentences.joined(separator: " "), asks.isEmpty ? .conflict : .decisionsNeeded)
  }

  private func confirm(_ plan: Plan, _ decisions: Decisions) throws {
    guard !yes else { return }
    guard Console.inputIsTerminal else {
      throw CommandFailure.usage("Without a terminal, apply needs --yes; nothing was written.")
    }
    if !json {
      Console.print(PlanText.lines(plan, decisions: decisions, columns: Console.columns).joined(separator: "\n"))
    }
    try Edge.askToGoOn("Write \(plan.target?.path ?? "the target")?")
  }
}
