import PropertyLists

/// What the app loses because of a run: the run creates the new SDK's file without some values, and the vendor's
/// migrator, which would have migrated them, then does nothing. Or the run writes the user's values beside an id that
/// the new SDK made, so that only the run's record shows that the id was new.
package struct RunLoss: Hashable, Sendable {
  /// The id of the recipe.
  package let recipe: String
  /// The name of the vendor's migrator in sentences; nil if the new SDK's own id stays.
  package let migrator: String?
  /// The most severe first, with the fields as the run's plan names them.
  package let losses: [LostValue]
}

extension Plan {
  /// What the app loses by a run with these decisions, by recipe. Undecided fields count as accepted: they still can be.
  package func losses(ofRun decisions: Decisions, onConflict policy: ConflictPolicy = .fail) -> [RunLoss] {
    let decisions = completed(decisions, onConflict: policy)
    return recipePlans.flatMap { part -> [RunLoss] in
      let own = self.decisions(decisions, of: part)
      guard let after = part.after(own, policy) else { return [] }
      let before = part.losses
      func isNew(_ lost: LostValue) -> Bool {
        !before.contains {
          $0.loss == lost.loss || $0.loss.what == lost.loss.what && (!$0.loss.isChange || lost.loss.isChange)
        }
      }
      func runLoss(_ losses: [LostValue], _ migrator: String?) -> RunLoss? {
        let named = losses.map { lost in
          var lost = lost
          lost.fields = lost.fields.map { name(of: $0, in: part.recipe) }
          return lost
        }
        return named.isEmpty ? nil : RunLoss(recipe: part.recipe.id, migrator: migrator, losses: named)
      }
      let all = after.losses
      // One that does nothing anyhow is not stopped by the run.
      let situation = Situation.of(part, part.definition)
      let left = part.definition.migrator.flatMap {
        $0.isAhead(in: situation) ? runLoss(all.filter(isNew), $0.name) : nil
      }
      let kept = all.filter { lost in !isNew(lost) && lost.fields.contains { part.settlesOwnID($0, own, after) } }
      return [left, runLoss(kept, nil)].compactMap(\.self)
    }
  }

  /// Whether a run of other fields writes the user's values beside an id that the new SDK made because it knew no user.
  private func settlesOwnID(_ id: Field.ID, _ decisions: Decisions, _ after: Plan) -> Bool {
    guard decisions[id] == .omit,
      field(id)?.findings.contains(where: { $0.code == .targetFreshIdentity }) == true,
      let rule = definition.rulesByTarget[StringByBytes(id)]
    else { return false }
    return rule.freshWithout.contains { field($0)?.current != after.field($0)?.current }
  }

  private var losses: [LostValue] { Diagnosis(self, definition, .of(self, definition)).losses }

  /// The plan for the container as a run leaves it; nil if the run writes nothing.
  private func after(_ decisions: Decisions, _ policy: ConflictPolicy) -> Plan? {
    guard var target else { return nil }
    var (fields, written) = (fields, Set<StringByBytes>())
    for index in fields.indices {
      let field = fields[index]
      let decision = field.decision(decisions[field.id], onConflict: policy)
      switch (field.resolution(decision), decision) {
      case (.write(let value), _): fields[index].settle(value)
      case (.undecided, _): if let proposed = field.proposed { fields[index].settle(proposed) }
      // A value that changed after a migration is not lost, and keeping it does not lose it.
      case (.leave, .keep) where field.isChangedSince: break
      case (.leave, .skip), (.leave, .keep): fields[index].settle(nil)
      case (.leave, _): break
      }
      if fields[index].current != field.current { written.insert(StringByBytes(target.file(of: field.key))) }
    }
    guard !written.isEmpty else { return nil }
    if !target.exists {
      (target.exists, target.isMadeByRuns) = (true, true)
      if definition.migrator?.mark != nil { target.isMarked = false }
    }
    target.present?.formUnion(written)
    var plan = self
    (plan.fields, plan.target) = (fields, target)
    return plan
  }
}

extension Field {
  /// Changes the field to its state in a plan after a run that decided it.
  /// - Parameter written: nil if the run wrote nothing.
  fileprivate mutating func settle(_ written: PropertyListValue?) {
    (status, findings, isKept, isTargetKept, isChangedSince) = (.unchanged, [], written == nil, false, false)
    guard let written else { return }
    (current, isStillAsWritten) = (written, true)
  }
}
