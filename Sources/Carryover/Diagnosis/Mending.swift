/// What makes good of a verdict's losses, as far as a migration can.
package struct Mending: Hashable, Sendable {
  /// Fields whose proposal is to be accepted.
  package private(set) var accept: [Field.ID] = []
  /// Fields that have no proposal: somebody has to give a value.
  package private(set) var edit: [Field.ID] = []
  /// Whether the target's own values are to be replaced.
  package private(set) var replaces = false
  /// Whether there is anything to apply, and nothing that only a person can judge.
  package private(set) var applies = false
  /// The field to go to in the review; nil where none says more than the others.
  package private(set) var field: Field.ID?
  /// What has to be settled before anything is applied.
  package let blockers: [Finding]
  /// What is lost whatever is applied, each with what to do about it.
  package private(set) var outside: [LostValue] = []

  package init(_ verdict: Verdict, _ plan: Plan, _ decisions: Decisions = [:]) {
    let isMistyped = verdict.situation == .unknown(.otherWriteKey)
    blockers = plan.blockers + plan.containerFindings.filter { isMistyped && $0.code == .targetOtherWriteKey }
    let undecided = plan.undecided(decisions)
    let lost = Set(verdict.losses.flatMap(\.fields))
    var judged = false
    for field in undecided {
      switch field.status {
      case .conflict where lost.contains(field.id) && verdict.certainty != .cannotTell: replaces = true
      case .conflict: judged = true
      case _ where field.proposed == nil: edit.append(field.id)
      default: accept.append(field.id)
      }
    }
    outside = verdict.losses.filter { lost in
      guard let finding = lost.finding, !finding.blocks else { return false }
      return !lost.fields.contains { id in
        plan.field(id).map { $0.proposed != nil || $0.status.asks || decisions[id] != nil } ?? false
      }
    }
    let ids = Set(undecided.map(\.id))
    field =
      verdict.losses.lazy.flatMap(\.fields).first(where: ids.contains) ?? undecided.first?.id
      ?? verdict.losses.lazy.flatMap(\.fields).first { decisions[$0] == nil }
    let writes = !plan.changes(decisions).isEmpty || !accept.isEmpty || !edit.isEmpty || replaces
    applies = writes && !judged && !isMistyped
  }
}
