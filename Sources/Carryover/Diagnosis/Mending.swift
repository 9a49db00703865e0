package import PropertyLists

/// The part of a verdict's losses that a migration can repair.
package struct Mending: Hashable, Sendable {
  /// The fields whose proposal should be accepted.
  package private(set) var accept: [Field.ID] = []
  /// The fields without a proposal, which need an entered value.
  package private(set) var edit: [Field.ID] = []
  /// The fields whose value in the target should be replaced with the proposal.
  package private(set) var replace: [Field.ID] = []
  /// Whether there are changes to apply, and none of them needs the user's judgement.
  package private(set) var applies = false
  /// The field to show first in the review; nil if no field is more important than the others.
  package private(set) var field: Field.ID?
  /// The findings that must be settled before an apply.
  package let blockers: [Finding]
  /// The losses that no migration can repair, each with what to do.
  package private(set) var outside: [LostValue] = []

  package init(_ verdict: Verdict, _ plan: Plan, _ decisions: Decisions = [:]) {
    let isMistyped = verdict.situation == .unknown(.otherWriteKey)
    let mistyped = plan.containerFindings.filter { isMistyped && $0.code == .targetOtherWriteKey }
    blockers = plan.blockers(after: decisions) + mistyped
    let undecided = plan.undecided(decisions)
    let lost = Set(bytesOf: verdict.losses.flatMap(\.fields))
    var judged = false
    for field in undecided {
      switch field.status {
      case .conflict where field.isFresh || lost.contains(field.id) && verdict.certainty != .cannotTell:
        replace.append(field.id)
      case .conflict: judged = true
      case _ where field.isAboutLogout: judged = true
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
    let ids = Set(bytesOf: undecided.map(\.id))
    field =
      verdict.losses.lazy.flatMap(\.fields).first(where: { ids.contains($0) }) ?? undecided.first?.id
      ?? verdict.losses.lazy.flatMap(\.fields).first { decisions[$0] == nil && plan.field($0)?.status != .ready }
    let writes = !plan.changes(decisions).isEmpty || !accept.isEmpty || !edit.isEmpty || !replace.isEmpty
    applies = writes && !judged && !isMistyped
  }
}

extension Field {
  /// Whether the target has an identity that the new SDK made because it did not know the user.
  fileprivate var isFresh: Bool { findings.contains { $0.code == .targetFreshIdentity } }
}

extension Plan {
  /// The undecided fields whose value in the target should be replaced, by the verdict of each recipe.
  package func replacements(_ decisions: Decisions) -> Set<StringByBytes> {
    Set(
      bytesOf: recipePlans.flatMap { part in
        Mending(part.definition.verdict(on: part), part, self.decisions(decisions, of: part)).replace
          .map { name(of: $0, in: part.recipe) }
      })
  }
}
