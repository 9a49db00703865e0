import PropertyLists

/// What the app loses because of a run: the run creates the new SDK's file without some values, and the vendor's
/// migrator, which would have migrated them, then does nothing.
package struct RunLoss: Hashable, Sendable {
  /// The id of the recipe.
  package let recipe: String
  /// The name of the vendor's migrator in sentences.
  package let migrator: String
  /// The most severe first, with the fields as the run's plan names them.
  package let losses: [LostValue]
}

extension Plan {
  /// What the app loses by a run with these decisions, by recipe. Undecided fields count as accepted: they still can be.
  package func losses(ofRun decisions: Decisions, onConflict policy: ConflictPolicy = .fail) -> [RunLoss] {
    let decisions = completed(decisions, onConflict: policy)
    return recipePlans.compactMap { part in
      let own = self.decisions(decisions, of: part)
      guard let migrator = part.definition.migrator, let after = part.after(own, policy) else { return nil }
      let before = part.losses
      let losses = after.losses.filter { lost in
        !before.contains {
          $0.loss == lost.loss || $0.loss.what == lost.loss.what && (!$0.loss.isChange || lost.loss.isChange)
        }
      }
      .map { lost in
        var lost = lost
        lost.fields = lost.fields.map { name(of: $0, in: part.recipe) }
        return lost
      }
      return losses.isEmpty ? nil : RunLoss(recipe: part.recipe.id, migrator: migrator.name, losses: losses)
    }
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
