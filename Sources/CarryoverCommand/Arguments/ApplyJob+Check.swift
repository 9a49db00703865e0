import Carryover
import CarryoverContainers
import CarryoverVendors

extension ApplyJob {
  /// Whether it writes anything.
  var changesFiles: Bool { !plan.changes(decisions).isEmpty }

  /// Checks that the job can be done.
  /// - Parameter nothing: what the command has written if not, as a sentence; may be empty.
  /// - Throws: why a source cannot be read, what blocks the plan, or which fields are undecided.
  func check(or nothing: String) throws {
    try Self.requireReadableSources(plan, or: nothing)
    let undecided = plan.undecided(decisions)
    let blockers = plan.blockers(after: decisions)
    guard blockers.isEmpty || (undecided.isEmpty && !changesFiles) else { throw RunError.blocked(blockers) }
    try Self.requireDecisions(undecided, decisions, or: nothing)
  }

  /// Makes the run, and prints the findings that call its result into question.
  func write(with migrator: Migrator, _ masking: Masking) throws -> RunReport {
    let report = try migrator.apply(plan, decisions: decisions, in: opened.container)
    for finding in plan.containerFindings where [.sourceUnreadable, .targetOtherWriteKey].contains(finding.code) {
      Console.error(masking.notice("\(finding.code.rawValue): \(finding.message) \(finding.commandRemedy)"))
    }
    return report
  }

  /// Where no source could be read, "nothing to migrate" would be a wrong guess.
  private static func requireReadableSources(_ plan: Plan, or nothing: String) throws {
    let unreadable = plan.containerFindings.filter { $0.code == .sourceUnreadable }
    guard let first = unreadable.first, plan.fields.allSatisfy({ $0.legacy == nil && $0.status != .unchanged }) else {
      return
    }
    throw CommandFailure(
      (said(nothing) + ["\(first.code.rawValue): \(first.message)", first.commandRemedy]).joined(separator: " "), .error
    )
  }

  /// Names every undecided field and every conflict.
  private static func requireDecisions(_ undecided: [Field], _ decisions: Decisions, or nothing: String) throws {
    guard !undecided.isEmpty else { return }
    // Over another value a proposal is not accepted alone, and a policy decides only what nothing else asks about.
    let conflicts = undecided.filter { $0.status == .conflict }.map(\.id)
    let forPolicy = undecided.count { $0.resolution(decisions[$0.id]) == .undecided(conflict: true) }
    let asking = undecided.filter { $0.status != .conflict }
    let asks = asking.map(\.id)
    var sentences: [String] = []
    if let first = asking.first {
      // Where nothing is proposed there is nothing to accept.
      let proposed = asking.first { $0.proposed != nil }?.id
      let accept = proposed.map { "accept the proposal with --accept \($0), " } ?? ""
      sentences.append(
        "Decide \(asks.joined(separator: ", ")): \(accept)give a value with "
          + "--set \(first.id)=VALUE, or skip it with --skip \(first.id)"
          + (first.current == nil ? "." : ", or keep the target's with --keep \(first.id)."))
    }
    if !conflicts.isEmpty {
      sentences.append(
        "The target has other values for \(conflicts.joined(separator: ", ")): "
          + (forPolicy > 0 ? "replace or keep them with --on-conflict, or " : "")
          + "decide each with --replace, --keep, --set or --skip.")
    }
    throw CommandFailure(
      (said(nothing) + sentences).joined(separator: " "), forPolicy == undecided.count ? .conflict : .decisionsNeeded)
  }

  private static func said(_ sentence: String) -> [String] { sentence.isEmpty ? [] : [sentence] }
}
