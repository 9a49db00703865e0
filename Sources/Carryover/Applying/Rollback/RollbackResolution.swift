/// A rollback's plan with its decisions carried through: what becomes of each key.
package struct RollbackResolution: Hashable, Sendable {
  /// One key that was asked for.
  package struct Row: Hashable, Sendable {
    /// The key, as the plan has it.
    package var entry: RollbackEntry
    /// What becomes of it.
    package var fate: Fate
  }

  /// What becomes of a key.
  package enum Fate: Hashable, Sendable {
    /// It becomes what it was before the run.
    case restored
    /// It is so already.
    case back
    /// It stays as it is now.
    case kept
    /// It was changed since the run, and nobody has decided.
    case undecided
  }

  /// The plan.
  package let plan: RollbackPlan
  /// The keys that were asked for, in the plan's order.
  package let rows: [Row]
  /// Whether the whole run was asked for.
  package let isWhole: Bool

  /// Resolves every key that is asked for.
  /// - Parameters:
  ///   - only: the keys to take back; nil for the whole run.
  ///   - decisions: what becomes of single keys; a restorable key without one goes back.
  ///   - policy: what becomes of keys that were changed since the run and for which there is no decision.
  /// - Throws: `unknownFields` for keys that the plan does not have.
  package init(
    _ plan: RollbackPlan, only: Set<KeyPlace>? = nil, decisions: RollbackDecisions = [:],
    onConflict policy: ConflictPolicy = .fail
  ) throws(RunError) {
    let unknown = (only ?? []).union(decisions.keys).subtracting(plan.entries.map(\.id))
    guard unknown.isEmpty else { throw .unknownFields(unknown.map(\.key).sorted()) }
    self.plan = plan
    isWhole = only == nil
    rows = plan.entries.filter { only?.contains($0.id) ?? true }.map { entry in
      Row(entry: entry, fate: Self.fate(entry, decisions[entry.id], policy))
    }
  }

  /// The keys that go back.
  package var restored: [RollbackEntry] { entries(.restored) }

  /// The keys that have to be decided first.
  package var undecided: [RollbackEntry] { entries(.undecided) }

  /// The files that cannot be edited and of which something is to go back.
  package var unreadable: [RollbackFile] {
    plan.files.filter { file in
      guard case .unreadable = file.state else { return false }
      let own = plan.entries.filter { $0.id.file == file.id }
      return own.isEmpty ? isWhole : rows.contains { $0.entry.id.file == file.id && $0.fate != .kept }
    }
  }

  /// Whether a file goes back as a whole, bytes, mode and owner: it is as the run left it, and nothing of it is to stay.
  package func isWhole(_ file: RollbackFile) -> Bool {
    isWhole && file.state == .asLeft && rows.allSatisfy { $0.entry.id.file != file.id || $0.fate == .restored }
  }

  /// Whether anything would be written.
  package var changesFiles: Bool { !restored.isEmpty || plan.files.contains(where: isWhole) }

  /// Makes sure that it can be carried out.
  /// - Throws: `rollbackUnreadable` or `rollbackConflict`.
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
}
