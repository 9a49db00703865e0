import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// What a plan comes to, in a line, and the command that goes on.
enum PlanSummary {
  /// `Plan: 6 to write, 1 undecided, 1 not migrated.`
  static func write(_ plan: Plan, _ decisions: Decisions, to page: inout TextPage) {
    let states = plan.fields.map { FieldState($0, decisions[$0.id]) }
    func count(_ wanted: FieldState...) -> Int { states.count { wanted.contains($0) } }
    let counts: [(count: Int, words: String, role: Role)] = [
      (count(.ready, .confirmed, .edited), "to write", .ready), (count(.toDecide), "undecided", .flagged),
      (count(.conflict), "in conflict", .conflict), (count(.kept), "kept", .muted),
      (count(.skipped), "skipped", .muted), (count(.unchanged), "unchanged", .muted),
      (count(.dropped), "not migrated", .flagged), (count(.absent), "absent", .muted),
    ]
    let shown = counts.filter { $0.count > 0 || $0.words == "to write" }
    page.blank()
    page.add(
      [Span("Plan: ", .title)]
        + shown.enumerated().flatMap { index, entry in
          [
            Span("\(entry.count) \(entry.words)", entry.count > 0 ? entry.role : .plain),
            Span(index < shown.count - 1 ? ", " : "."),
          ]
        })
    for code in Set(plan.blockers(after: decisions).map(\.code.rawValue)).sorted() {
      page.add(.error, "Blocked by \(code), described above.")
    }
  }

  /// The command that decides what is undecided, or applies what is decided, ready to be pasted. Where something blocks the
  /// plan, or nothing is to be written, there is none.
  /// - Parameter apply: the command without decisions.
  static func writeNext(
    _ plan: Plan, _ decisions: Decisions, apply: ShellCommand, onConflict: ConflictPolicy, to page: inout TextPage
  ) {
    let undecided = plan.undecided(decisions)
    guard plan.blockers(after: decisions).isEmpty, !undecided.isEmpty || !plan.changes(decisions).isEmpty else {
      return
    }
    if let mistyped = plan.containerFindings.first(where: { $0.code == .targetOtherWriteKey }) {
      page.blank()
      return page.add("→ " + mistyped.commandRemedy)
    }
    var command = apply
    let needsValue = undecided.filter { $0.proposed == nil }
    var after = decisions
    let replaced = plan.replacements(decisions)
    for field in undecided where field.proposed != nil {
      guard !replaced.contains(field.id) else {
        command.add("--replace", field.id)
        continue
      }
      // Of a conflict, the option for all of them may be enough.
      if field.status == .conflict, decides(.keep, field, after[field.id]) { continue }
      guard after[field.id] == nil else { continue }
      command.add("--accept", field.id)
      after[field.id] = field.status == .conflict ? .accept : .migrate
    }
    for field in needsValue { command.add("--set", field.id + "=VALUE") }
    let hasConflict = undecided.contains {
      $0.proposed != nil && $0.status == .conflict && !replaced.contains($0.id)
    }
    if hasConflict, onConflict == .fail { command.add("--on-conflict", "keep") }
    page.blank()
    page.add(
      sentence(
        needsValue: !needsValue.isEmpty, replaces: !replaced.isEmpty, hasConflict: hasConflict,
        isDecided: undecided.isEmpty))
    write(command, to: &page)
  }

  /// A command, ready to be pasted.
  static func write(_ command: ShellCommand, to page: inout TextPage) {
    for line in command.lines(columns: page.paper.columns) { page.line([Span(line)]) }
  }

  private static func sentence(needsValue: Bool, replaces: Bool, hasConflict: Bool, isDecided: Bool) -> String {
    if isDecided { return "To apply it:" }
    let hints =
      (needsValue ? ["VALUE is yours to fill in, or skip the field with --skip"] : [])
      + (replaces ? ["--keep in place of --replace keeps the target's value"] : [])
      + (hasConflict ? ["--on-conflict replace overwrites the target's value instead"] : [])
    return "To decide and apply" + (hints.isEmpty ? ":" : " (\(hints.joined(separator: "; "))):")
  }

  /// Whether a policy alone decides a field.
  private static func decides(_ policy: ConflictPolicy, _ field: Field, _ decision: Decision?) -> Bool {
    if case .undecided = field.resolution(field.decision(decision, onConflict: policy)) { return false }
    return true
  }
}
