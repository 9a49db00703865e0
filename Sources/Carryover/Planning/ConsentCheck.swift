import PropertyLists

extension FieldDraft {
  /// Whether the field is about consent, and its legacy value says that the user opted out: by itself, by what a step
  /// makes of it, or by what a check proposes instead.
  var isOptOut: Bool {
    saysOptOut || rule.group == .consent && (proposed.map(PlanningContext.isTrue) ?? false)
  }

  /// Asks about an opt-out that the field migrates.
  mutating func checkConsent() {
    if isOptOut, proposed.map(PlanningContext.isTrue) ?? false { note(.consentMigrated) }
  }
}

extension Field {
  /// Whether the target keeps the user opted out after this decision. What is undecided stops an apply by itself.
  fileprivate func keepsOptOut(_ decision: Decision?) -> Bool {
    let left: PropertyListValue? =
      switch resolution(decision) {
      case .write(let value): value
      case .leave: current
      case .undecided: true
      }
    return left.map(PlanningContext.isTrue) ?? false
  }
}

extension Plan {
  /// The findings that block an apply with these decisions: those of the plan, and opt-outs that the target does not have
  /// afterwards. Without its opt-out, the new SDK would track the user again.
  package func blockers(after decisions: Decisions, onConflict policy: ConflictPolicy = .fail) -> [Finding] {
    guard !allowed.contains(.consentOptedOut) else { return blockers }
    return blockers
      + fields.compactMap { field in
        let decision = field.decision(decisions[field.id], onConflict: policy)
        guard field.isOptOut, !field.keepsOptOut(decision) else { return nil }
        return Finding(
          .consentOptedOut(store: field.origin?.store ?? "", leftBehindBy: field.id), field: field.id,
          source: field.origin?.source)
      }
  }
}
