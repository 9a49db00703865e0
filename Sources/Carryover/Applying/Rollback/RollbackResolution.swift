import PropertyLists

package struct RollbackResolution: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var entry: RollbackEntry
    package var fate: Fate
  }

  package enum Fate: Hashable, Sendable {
    case restored
    case back
    case kept
    case undecided
  }

  package let plan: RollbackPlan
  package let rows: [Row]
  package let isWhole: Bool

  package init(
    _ plan: RollbackPlan, only: Set<KeyPlace>? = nil, decisions: RollbackDecisions = [:],
    onConflict policy: ConflictPolicy = .fail
  ) throws(RunError) {
    let unknown = (only ?? []).union(decisions.keys).subtracting(plan.entries.map(\.id))
    guard unknown.isEmpty else { throw .unknownFields(unknown.map(\.key).sortedByBytes()) }
    self.plan = plan
    isWhole = only == nil
    rows = plan.entries.filter { only?.contains($0.id) ?? true }.map { entry in
      Row(entry: entry, fate: Self.fate(entry, decisions[entry.id], policy))
    }
  }

  package var restored: [RollbackEntry] { entries(.restored) }
  package var undecided: [RollbackEntry] { entries(.undecided) }

  package var unreadable: [RollbackFile] {
    plan.files.filter { file in
      guard case .unreadable = file.state else { return false }
      let own = plan.entries.filter { $0.id.file.hasSameBytes(as: file.id) }
      let isIn = { (row: Row) in row.entry.id.file.hasSameBytes(as: file.id) }
      return own.isEmpty ? isWhole : rows.contains { isIn($0) && $0.fate != .kept }
    }
  }

  /// Whether a file is restored as a whole, with bytes, mode and owner: it is as the run left it, and no key is kept.
  package func isWhole(_ file: RollbackFile) -> Bool {
    isWhole && file.state == .asLeft
      && rows.allSatisfy { !$0.entry.id.file.hasSameBytes(as: file.id) || $0.fate == .restored }
  }

  package var changesFiles: Bool { !restored.isEmpty || plan.files.contains(where: isWhole) }

  package func check() throws(RunError) {
    for file in unreadable {
      guard case .unreadable(let reason) = file.state else { continue }
      throw .rollbackUnreadable(run: plan.run.id, path: file.id, reason: reason)
    }
    guard undecided.isEmpty else { throw .rollbackConflict(run: plan.run.id, keys: undecided.map(\.id)) }
  }

  private func entries(_ fate: Fate) -> [RollbackEntry] { rows.filter { $0.fate == fate }.map(\.entry) }

  private static func fate(_ entry: RollbackEntry, _ decision: RollbackDecision?, _ policy: ConflictPolicy) -> Fate {
    switch (entry.state, decision) {
    case (.back, _): return .back
    case (_, .keep): return .kept
    case (.restorable, _), (.conflict, .restore): return .restored
    case (.conflict, nil):
      switch policy {
      case .fail: return .undecided
      case .keep: return .kept
      case .replace: return .restored
      }
    }
  }

  var outcomes: [FieldOutcome] {
    rows.map { row in
      FieldOutcome(field: row.entry.name, file: file(row.entry), outcome: row.outcome, reason: row.reason)
    }
  }

  var recorded: [RecordedField] {
    rows.map { row in
      RecordedField(
        id: row.entry.id.key, recipe: row.entry.recipe, file: file(row.entry),
        decision: row.decision, legacy: nil, proposed: nil, before: row.entry.current,
        after: row.fate == .restored ? row.entry.before : row.entry.current,
        outcome: row.outcome, findings: [])
    }
  }

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
    case (.back, _): "It already has its value from before the run."
    case (.kept, .conflict): "It changed after the run, and is kept."
    case (.kept, _): "It is kept by decision."
    default: nil
    }
  }

  fileprivate var decision: String? {
    switch (fate, entry.state) {
    case (.kept, _): RollbackDecision.keep.rawValue
    case (.restored, .conflict): RollbackDecision.restore.rawValue
    default: nil
    }
  }
}

extension RollbackPlan {
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
