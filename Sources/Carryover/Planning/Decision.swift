public import PropertyLists

/// A decision for one field.
public enum Decision: Hashable, Sendable {
  /// Write the proposal, even if the target has another value.
  case migrate
  /// Write the proposal, unless the target has another value: a conflict stays undecided.
  case accept
  /// Write nothing to this field.
  case skip
  /// Keep the target's value.
  case keep
  /// Write this value instead of the proposal.
  case edit(PropertyListValue)
  /// Exclude the field from this run, undecided: the next run asks again.
  case omit
}

/// Decisions by field (target key), compared by its bytes. A field without a question needs none.
public struct Decisions: Hashable, Sendable, Sequence, ExpressibleByDictionaryLiteral {
  private var byField: [StringByBytes: Decision] = [:]

  /// No decisions.
  public init() {}

  /// Creates decisions from pairs of a field and its decision.
  public init(dictionaryLiteral elements: (Field.ID, Decision)...) {
    for (field, decision) in elements { byField[field] = decision }
  }

  /// Of several decisions for a field, the last one counts.
  public init(uniqueKeysWithValues decisions: some Sequence<(Field.ID, Decision)>) {
    for (field, decision) in decisions { byField[field] = decision }
  }

  /// The decision for a field; nil if it has none.
  public subscript(field: Field.ID) -> Decision? {
    get { byField[field] }
    set { byField[field] = newValue }
  }

  /// Whether there is no decision.
  public var isEmpty: Bool { byField.isEmpty }
  /// The number of decisions.
  public var count: Int { byField.count }

  /// The fields with a decision, in the order of their bytes.
  public var keys: [Field.ID] { byField.keys.sorted().map(\.text) }

  /// The decisions, in the order of their fields.
  public var values: [Decision] { keys.compactMap { byField[$0] } }

  /// Goes through the decisions, in no particular order.
  public func makeIterator() -> AnyIterator<(key: Field.ID, value: Decision)> {
    var decisions = byField.makeIterator()
    return AnyIterator { decisions.next().map { ($0.key.text, $0.value) } }
  }

  /// The decisions that satisfy a condition.
  package func filter(_ isIncluded: ((key: Field.ID, value: Decision)) -> Bool) -> Decisions {
    var filtered = self
    filtered.byField = byField.filter { isIncluded(($0.key.text, $0.value)) }
    return filtered
  }

  /// These decisions and others; the others' where both have one for a field.
  package func merging(_ others: Decisions) -> Decisions {
    var merged = self
    merged.byField.merge(others.byField) { _, other in other }
    return merged
  }

  package mutating func reserveCapacity(_ count: Int) { byField.reserveCapacity(count) }

  /// Adds a decision; false if the field has one.
  package mutating func add(_ decision: Decision, for field: Field.ID) -> Bool {
    guard byField[field] == nil else { return false }
    byField[field] = decision
    return true
  }
}

/// The resolution of a field, by its decision or without one.
package enum Resolution: Hashable, Sendable {
  /// Write this value.
  case write(PropertyListValue)
  /// Write nothing, with this outcome.
  case leave(Outcome)
  /// A decision is missing. `conflict` is true if only the target's own value needs one.
  case undecided(conflict: Bool)
}

extension Field {
  /// The field's resolution with this decision, or with none.
  ///
  /// A value that the target already contains resolves to `.leave(.unchanged)`, so a second apply writes nothing.
  package func resolution(_ decision: Decision?) -> Resolution {
    switch decision {
    case .accept where status == .conflict: return .undecided(conflict: true)
    case .migrate, .accept:
      // Accepting a missing proposal decides nothing.
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

  /// Whether a conflict is all that needs a decision, so that a policy for conflicts can decide. A target that the new SDK
  /// made because it did not know the user has a finding that says what to do, which no policy may contradict.
  private var asksOnlyAboutTarget: Bool {
    findings.allSatisfy { !$0.asks || $0.code == .targetConflict }
  }

  /// The codes of findings that ask about the target's own value.
  package static let targetCodes: Set<FindingCode> = [.targetConflict, .targetFreshIdentity]

  /// Whether the field has a proposal and needs a decision only because of findings with these codes, apart from those
  /// about the target's own value.
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
  /// The undecided fields with these decisions, in row order.
  public func undecided(_ decisions: Decisions) -> [Field] {
    let decisions = completed(decisions)
    return fields.filter { field in
      if case .undecided = field.resolution(decisions[field.id]) { true } else { false }
    }
  }

  /// The changes to the target with these decisions, in row order. Undecided fields change nothing.
  package func changes(_ decisions: Decisions) -> [KeyChange] {
    let decisions = completed(decisions)
    return fields.compactMap { $0.change(decisions[$0.id], of: $0.id) }
  }
}

extension Field {
  /// The change to the target with a decision or without one; nil for no change.
  func change(_ decision: Decision?, of key: String) -> KeyChange? {
    guard case .write(let value) = resolution(decision) else { return nil }
    return KeyChange(key: key, before: current, after: value)
  }
}

extension Field {
  /// The decision, or the policy's if there is none.
  ///
  /// A policy only decides fields that are flagged for nothing but the target's value.
  package func decision(_ decision: Decision?, onConflict policy: ConflictPolicy) -> Decision? {
    guard resolution(decision) == .undecided(conflict: true) else { return decision }
    return switch policy {
    case .fail: decision
    case .keep: .keep
    case .replace: .migrate
    }
  }
}

/// A change of one key of a file.
package struct KeyChange: Hashable, Sendable {
  /// The key.
  @StringByBytes package var key: String
  /// The value before the change; nil if there was none.
  package var before: PropertyListValue?
  /// The value after the change; nil if the key is removed.
  package var after: PropertyListValue?

  /// A change from its parts.
  package init(key: String, before: PropertyListValue?, after: PropertyListValue?) {
    self.key = key
    self.before = before
    self.after = after
  }
}
