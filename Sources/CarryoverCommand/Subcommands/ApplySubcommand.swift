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
      Self.settleConflicts(&decisions, plan, deciding.onConflict.policy)
      let undecided = plan.undecided(decisions)
      let changes = plan.changes(decisions)
      guard plan.blockers.isEmpty || (undecided.isEmpty && changes.isEmpty) else {
        throw MigrationError.blocked(plan.blockers)
      }
      try Self.requireDecisions(undecided)
      if !changes.isEmpty { try confirm(plan, decisions) }
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
  private static func requireDecisions(_ undecided: [Field]) throws {
    guard !undecided.isEmpty else { return }
    let asks = undecided.filter { $0.status == .needsDecision }.map(\.id)
    let conflicts = undecided.filter { $0.status == .conflict }.map(\.id)
    var sentences: [String] = []
    if let first = asks.first {
      sentences.append(
        "Decide \(asks.joined(separator: ", ")): take the proposal with --accept \(first), give a value with "
          + "--set \(first)=VALUE, or leave it out with --skip \(first).")
    }
    if !conflicts.isEmpty {
      sentences.append(
        "The target holds other values for \(conflicts.joined(separator: ", ")): decide with --on-conflict replace or keep, "
          + "or field by field with --accept, --set or --skip.")
    }
    throw CommandFailure(
      "Nothing was written. " + sentences.joined(separator: " "), asks.isEmpty ? .conflict : .decisionsNeeded)
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
