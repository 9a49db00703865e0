import PropertyLists

extension FieldDraft {
  /// Asks about an opt-out that the field migrates.
  mutating func checkConsent(_ context: PlanningContext) {
    guard rule.group == .consent, proposed != nil, let legacy, PlanningContext.isTrue(legacy) else { return }
    note(.consentMigrated)
  }
}

extension Plan {
  /// The findings that block an apply with these decisions: those of the plan, and opt-outs that the decisions leave
  /// behind although something else is migrated. Without its opt-out, the new SDK would track the user again.
  package func blockers(after decisions: Decisions, onConflict policy: ConflictPolicy = .fail) -> [Finding] {
    guard !allowed.contains(.consentOptedOut) else { return blockers }
    return blockers
      + fields.compactMap { field in
        guard let finding = field.findings.first(where: { $0.code == .consentMigrated }) else { return nil }
        let left: PropertyListValue? =
          switch field.resolution(field.decision(decisions[field.id], onConflict: policy)) {
          case .write(let value): value
          case .leave: field.current
          // What is undecided stops an apply by itself.
          case .undecided: field.proposed
          }
        guard left != field.proposed else { return nil }
        return Finding(
          .consentOptedOut(store: field.origin?.store ?? "", leftBehindBy: field.id), field: field.id,
          source: finding.source)
      }
  }
}
