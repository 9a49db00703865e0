/// The report and the record of a rollback.
extension RollbackResolution {
  /// The outcome of each key if the run succeeds.
  var outcomes: [FieldOutcome] {
    rows.map { row in
      FieldOutcome(
        field: row.entry.name, file: file(row.entry), outcome: row.outcome, reason: row.reason)
    }
  }

  /// The keys for the run's record.
  var recorded: [RecordedField] {
    rows.map { row in
      RecordedField(
        id: row.entry.id.key, recipe: row.entry.recipe, file: file(row.entry),
        decision: row.decision, legacy: nil, proposed: nil, before: row.entry.current,
        after: row.fate == .restored ? row.entry.before : row.entry.current,
        outcome: row.outcome, findings: [])
    }
  }

  /// The file of a key, if the run has several; nil otherwise.
  private func file(_ entry: RollbackEntry) -> String? { plan.files.count > 1 ? entry.id.file : nil }
}

extension RollbackResolution.Row {
  fileprivate var outcome: Outcome {
    switch fate {
    case .restored: .restored
    case .back: .unchanged
    case .kept: .skipped
    case .undecided: .conflict
    }
  }

  fileprivate var reason: String? {
    switch (fate, entry.state) {
    case (.back, _): RollbackWording.alreadyBack
    case (.kept, .conflict): RollbackWording.keptConflict
    case (.kept, _): RollbackWording.keptByDecision
    default: nil
    }
  }

  /// The word in a run's record; nil if no decision was needed.
  fileprivate var decision: String? {
    switch (fate, entry.state) {
    case (.kept, _): RollbackDecision.keep.rawValue
    case (.restored, .conflict): RollbackDecision.restore.rawValue
    default: nil
    }
  }
}

extension RollbackPlan {
  /// The values that differ from those of the plan that the user decided on.
  func stale(_ decided: RollbackPlan, only: Set<KeyPlace>?) -> [PlanBasis] {
    let known = Dictionary(decided.entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let found = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let added = entries.filter { known[$0.id] == nil }
    return (decided.entries + added).filter { entry in
      (only?.contains(entry.id) ?? true) && known[entry.id] != found[entry.id]
    }
    .map { PlanBasis(store: $0.id.file, key: $0.id.key, value: $0.current) }
  }
}
