public import PropertyLists

/// What a person decided for one field.
public enum Decision: Hashable, Sendable {
  /// Write the proposal, also over another value in the target.
  case migrate
  /// Write the proposal, but never over another value in the target: a conflict stays one.
  case accept
  /// Write nothing for this field.
  case skip
  /// Keep what the target holds.
  case keep
  /// Write this value instead of the proposal.
  case edit(PropertyListValue)
  /// Leave the field out of this run without deciding it: the next run asks again.
  case omit
}

/// Decisions by field (target key). A clean field needs none.
public typealias Decisions = [Field.ID: Decision]

/// How one field will end, once its decision (or the lack of one) is taken into account.
package enum Resolution: Hashable, Sendable {
  /// This value will be written.
  case write(PropertyListValue)
  /// Nothing is written and nothing needs to be: the reason is the outcome.
  case leave(Outcome)
  /// A decision is missing; `conflict` tells whether the target's own value is at stake.
  case undecided(conflict: Bool)
}

extension Field {
  /// How this field ends under a decision, or under none.
  ///
  /// Writing what the target already holds resolves to `.leave(.unchanged)`, so that a second apply writes nothing.
  package func resolution(_ decision: Decision?) -> Resolution {
    switch decision {
    case .accept where status == .conflict: return .undecided(conflict: true)
    case .migrate, .accept:
      // Confirming nothing decides nothing.
      guard let proposed else { return status.asks ? resolution(nil) : .leave(outcomeWithoutProposal) }
      return writing(proposed)
    case .edit(let value): return writing(value)
    case .skip, .omit: return .leave(.skipped)
    case .keep: return .leave(current == nil ? .skipped : .unchanged)
    case nil: break
    }
    switch status {
    case .ready: return proposed.map(writing) ?? .leave(.absent)
    case .needsDecision: return .undecided(conflict: false)
    case .conflict: return .undecided(conflict: asksOnlyAboutTarget)
    case .unchanged: return .leave(.unchanged)
    case .absent: return .leave(.absent)
    case .dropped: return .leave(.skipped)
    }
  }

  /// Whether nothing but the target's own value stands in question, so that a policy for conflicts can answer.
  private var asksOnlyAboutTarget: Bool {
    findings.allSatisfy { !$0.asks || Self.targetCodes.contains($0.code) }
  }

  /// The codes of findings that ask about the target's own value, which a policy for conflicts answers.
  package static let targetCodes: Set<FindingCode> = [.targetConflict, .targetFreshIdentity]

  /// Whether the field has a proposal and needs a decision because of findings with these codes, the target's own value
  /// aside.
  package func isFlagged(onlyBy codes: Set<FindingCode>) -> Bool {
    let asking = findings.filter { $0.asks && !Self.targetCodes.contains($0.code) }
    return status.asks && proposed != nil && !asking.isEmpty && asking.allSatisfy { codes.contains($0.code) }
  }

  private func writing(_ value: PropertyListValue) -> Resolution {
    value == current ? .leave(.unchanged) : .write(value)
  }

  private var outcomeWithoutProposal: Outcome {
    legacy == nil ? .absent : .skipped
  }
}

extension Plan {
  /// The fields that still need a decision, in row order.
  public func undecided(_ decisions: Decisions) -> [Field] {
    let decisions = completed(decisions)
    return fields.filter { field in
      if case .undecided = field.resolution(decisions[field.id]) { true } else { false }
    }
  }

  /// The change these decisions make to the target, field by field, in row order. Undecided fields change nothing.
  package func changes(_ decisions: Decisions) -> [KeyChange] {
    let decisions = completed(decisions)
    return fields.compactMap { $0.change(decisions[$0.id], of: $0.id) }
  }
}

extension Field {
  /// The change that a decision, or none, makes to the target; nil for no change.
  func change(_ decision: Decision?, of key: String) -> KeyChange? {
    guard case .write(let value) = resolution(decision) else { return nil }
    return KeyChange(key: key, before: current, after: value)
  }
}

extension Field {
  /// A decision, or what a policy for conflicts makes of the lack of one.
  ///
  /// A policy never decides a field that is flagged for anything but the target's value.
  package func decision(_ decision: Decision?, onConflict policy: ConflictPolicy) -> Decision? {
    guard resolution(decision) == .undecided(conflict: true) else { return decision }
    return switch policy {
    case .fail: decision
    case .keep: .keep
    case .replace: .migrate
    }
  }
}

/// What becomes of one key of a file.
package struct KeyChange: Hashable, Sendable {
  /// The key.
  package var key: String
  /// What it held; nil when it was absent.
  package var before: PropertyListValue?
  /// What it will hold; nil when it is removed.
  package var after: PropertyListValue?

  /// A change from its parts.
  package init(key: String, before: PropertyListValue?, after: PropertyListValue?) {
    self.key = key
    self.before = before
    self.after = after
  }
}
