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

  private static let plain: [Decision] = [.migrate, .accept, .skip, .keep, .omit]

  /// - Parameter value: the value that the word `edit` needs.
  init?(word: String, value: PropertyListValue?) {
    guard let decision = word == "edit" ? value.map(Decision.edit) : Self.plain.first(where: { $0.word == word })
    else { return nil }
    self = decision
  }

  /// The decision about a field in saved plans and saved decisions.
  func json(_ field: Field.ID, basis: String? = nil) -> JSONValue {
    let value: JSONValue? = if case .edit(let value) = self { CodedValue.json(value) } else { nil }
    return .object(present: ["field": field, "decision": word, "value": value, "basis": basis])
  }

  /// The word in saved plans, saved decisions and records.
  var word: String {
    switch self {
    case .migrate: "migrate"
    case .accept: "accept"
    case .skip: "skip"
    case .keep: "keep"
    case .edit: "edit"
    case .omit: "omit"
    }
  }
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

  package func filter(_ isIncluded: ((key: Field.ID, value: Decision)) -> Bool) -> Decisions {
    var filtered = self
    filtered.byField = byField.filter { isIncluded(($0.key.text, $0.value)) }
    return filtered
  }

  package func merging(_ others: Decisions) -> Decisions {
    var merged = self
    merged.byField.merge(others.byField) { _, other in other }
    return merged
  }

  /// Adds a decision; false if the field has one.
  package mutating func add(_ decision: Decision, for field: Field.ID) -> Bool {
    guard byField[field] == nil else { return false }
    byField[field] = decision
    return true
  }
}

package enum Resolution: Hashable, Sendable {
  case write(PropertyListValue)
  case leave(Outcome)
  /// A decision is missing. `conflict` is true if only the target's own value needs one.
  case undecided(conflict: Bool)
}

extension Field {
  /// A value that the target already contains resolves to `.leave(.unchanged)`, so a second apply writes nothing.
  package func resolution(_ decision: Decision?) -> Resolution {
    switch decision {
    case .accept where status == .conflict:
      return .undecided(conflict: !findings.contains { $0.code == .targetFreshIdentity })
    case .accept where isTargetKept: return resolution(nil)
    case .migrate, .accept:
      // Accepting a missing proposal decides nothing.
      guard let proposed else { return status.asks ? resolution(nil) : .leave(legacy == nil ? .absent : .skipped) }
      return writing(proposed)
    case .edit(let value): return writing(value)
    case .skip: return .leave(.skipped)
    // What an earlier run settled stays settled.
    case .omit: return .leave(status == .unchanged ? .unchanged : .skipped)
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
  private var asksOnlyAboutTarget: Bool { findings.allSatisfy { !$0.asks || $0.code == .targetConflict } }

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

  func change(_ decision: Decision?, of key: String) -> KeyChange? {
    guard case .write(let value) = resolution(decision) else { return nil }
    return KeyChange(key: key, before: current, after: value)
  }

  /// A policy only decides fields that are flagged for nothing but the target's value.
  package func decision(_ decision: Decision?, onConflict policy: ConflictPolicy) -> Decision? {
    guard resolution(decision) == .undecided(conflict: true) else { return decision }
    return switch policy {
    case .fail: decision
    case .keep: .keep
    case .replace: .migrate
    }
  }

  fileprivate func keepsAnother(_ decision: Decision?) -> Bool {
    guard isHeldByAnother, case .leave = resolution(decision) else { return false }
    return true
  }

  package var isHeldByAnother: Bool {
    // A value that a run wrote, such as an edited one, belongs to this user.
    guard legacy != nil, let read = held.flatMap(reads), status != .unchanged || isKept else { return false }
    return !(proposed.map { form.isEquivalent(read, $0) } ?? false)
  }

  /// Whether an earlier run decided to keep the target's different value.
  package var isKeptByRun: Bool { status == .unchanged && isHeldByAnother }
}

extension Plan {
  /// The undecided fields with these decisions, in row order.
  public func undecided(_ decisions: Decisions) -> [Field] {
    let decisions = completed(decisions)
    return fields.filter { field in
      if case .undecided = field.resolution(decisions[field.id]) { true } else { false }
    }
  }

  /// In row order. Undecided fields change nothing.
  package func changes(_ decisions: Decisions) -> [KeyChange] {
    let decisions = completed(decisions)
    return fields.compactMap { $0.change(decisions[$0.id], of: $0.id) }
  }

  package var describingFields: [DescribingField] { DescribingField.all(in: fields) }

  /// The field with the finding that the target has another user, if an earlier run left it unwritten for that reason and
  /// these decisions write it. Undecided, it has no findings.
  package func noting(_ field: Field, _ decisions: Decisions) -> Field {
    guard field.isFollowing, case .write = field.resolution(decisions[field.id]),
      let named = field.describes.flatMap({ self.field(FieldOwner.name($0, of: field.owner?.recipe)) }),
      named.keepsAnother(decisions[named.id])
    else { return field }
    var field = field
    field.noteOtherUser(named)
    return field
  }

  /// The plan with such findings.
  /// - Parameter shown: returns a field as it is shown.
  package func noting(_ decisions: Decisions, shown: (Field) -> Field) -> Plan {
    var plan = self
    for index in fields.indices where fields[index].isFollowing {
      plan.fields[index] = shown(noting(fields[index], decisions))
    }
    return plan
  }

  /// Adds the decisions that follow from others. If the target keeps another user, the fields that describe the legacy
  /// user are skipped; if a decision replaces a user that an earlier run kept, they are written. A field that has a
  /// decision keeps it.
  package func completed(_ decisions: Decisions, onConflict policy: ConflictPolicy = .fail) -> Decisions {
    var completed = decisions
    for pair in describingFields where decisions[pair.field.id] == nil {
      completed[pair.field.id] = pair.decision(pair.named.decision(decisions[pair.named.id], onConflict: policy))
    }
    return completed
  }

  /// The fields that describe the legacy user, while it is undecided whether that user replaces the target's. Until then,
  /// no run writes them.
  package func waitingFields(_ decisions: Decisions) -> [DescribingField] {
    describingFields.filter { waits($0, decisions) }
  }

  /// Whether a field is one of the ``waitingFields(_:)``.
  package func waits(_ field: Field, _ decisions: Decisions) -> Bool {
    DescribingField(field, among: self.field).map { waits($0, decisions) } ?? false
  }

  private func waits(_ pair: DescribingField, _ decisions: Decisions) -> Bool {
    guard decisions[pair.field.id] == nil, pair.keepsAnother(.keep),
      case .undecided = pair.named.resolution(decisions[pair.named.id])
    else { return false }
    if case .leave = pair.field.resolution(nil) { return false }
    return true
  }

  /// The decisions with what a run may write at once: they omit the fields that wait.
  package func withoutWaiting(_ decisions: Decisions) -> Decisions {
    waitingFields(decisions).reduce(into: decisions) { $0[$1.field.id] = .omit }
  }

  /// The waiting fields that Carryover recommends to accept, but only if a person replaces the target's user.
  package func acceptedIfReplaced(_ decisions: Decisions) -> [DescribingField] {
    waitingFields(decisions).filter { $0.field.recommendation == .accept && $0.named.recommendation == nil }
  }

  /// Removes the decisions that follow from others, so that a change can compute them again. A person's decision
  /// that repeats what follows is one of them.
  package func withoutCompletion(_ decisions: Decisions) -> Decisions {
    var chosen = decisions
    for pair in describingFields
    where chosen[pair.field.id] == pair.decision(decisions[pair.named.id]) {
      chosen[pair.field.id] = nil
    }
    return chosen
  }
}

package struct KeyChange: Hashable, Sendable {
  @StringByBytes package var key: String
  package var before: PropertyListValue?
  package var after: PropertyListValue?
}

/// What to do with an undecided field whose target has another value.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// Refuse the run.
  case fail
  /// Keep the target's value.
  case keep
  /// Replace the target's value with the proposal.
  case replace
}

/// Decisions by finding, for any number of containers. It decides a field only if it decides every finding that asks
/// about it, all in the same way. It decides about the target's own value only if it names that finding; for a fresh
/// identity, `target.fresh-identity`.
package struct DecisionPolicy: Hashable, Sendable {
  package enum Choice: String, CaseIterable, Hashable, Sendable {
    case accept, skip, keep, replace

    package static func choices(for code: FindingCode) -> [Choice] {
      Field.targetCodes.contains(code) ? [.keep, .replace] : [.accept, .skip]
    }
  }

  package var choices: [FindingCode: Choice]

  package init(_ choices: [FindingCode: Choice] = [:]) { self.choices = choices }

  /// Those of the findings that ask about a field whose choices decide it. A fresh identity is always a conflict too, and
  /// says more.
  package static func deciding(_ codes: Set<FindingCode>) -> Set<FindingCode> {
    codes.contains(.targetFreshIdentity) ? codes.subtracting([.targetConflict]) : codes
  }

  package func decision(for field: Field) -> Decision? {
    decision(field.status, asking: Set(field.findings.filter(\.asks).map(\.code)), hasProposal: field.proposed != nil)
  }

  /// The decision for a field of which only the status, the findings that ask, and whether there is a proposal are known.
  package func decision(_ status: FieldStatus, asking codes: Set<FindingCode>, hasProposal: Bool) -> Decision? {
    guard status.asks else { return nil }
    let asking = Self.deciding(codes)
    let own = Set(asking.subtracting(Field.targetCodes).map { choices[$0] })
    let target = asking.intersection(Field.targetCodes).first.map { choices[$0] }
    guard !codes.isEmpty, own.count <= 1 else { return nil }
    switch (own.first, target) {
    case (.some(nil), _), (_, .some(nil)), (nil, nil): return nil
    case (.some(.skip), _): return .skip
    case (_, .some(.keep)): return .keep
    case (_, .some(.replace)): return hasProposal ? .migrate : nil
    case (.some(.accept), nil): return hasProposal ? .migrate : nil
    default: return nil
    }
  }

  package func applied(to plan: Plan, _ decisions: Decisions) -> Decisions {
    guard !choices.isEmpty else { return decisions }
    return plan.fields.reduce(into: decisions) { decisions, field in
      if decisions[field.id] == nil { decisions[field.id] = decision(for: field) }
    }
  }
}

/// A field that describes the user in another field, such as the traits. Written beside another user's id, it would mix
/// two people.
package struct DescribingField: Hashable, Sendable {
  package var field: Field
  package var named: Field

  fileprivate static func all(in fields: [Field]) -> [DescribingField] {
    let describing = fields.indices.filter { fields[$0].describes != nil }
    guard !describing.isEmpty else { return [] }
    let places = fields.places
    return describing.compactMap { index in DescribingField(fields[index]) { id in places[id].map { fields[$0] } } }
  }

  /// Nil for a field that describes no other, or that needs no run.
  fileprivate init?(_ field: Field, among fields: (Field.ID) -> Field?) {
    guard let key = field.describes, field.status != .unchanged || field.isFollowing, field.proposed != nil,
      let named = fields(FieldOwner.name(key, of: field.owner?.recipe))
    else { return nil }
    (self.field, self.named) = (field, named)
  }

  /// Whether the target keeps another user, given the decision on the user id.
  package func keepsAnother(_ naming: Decision?) -> Bool { named.keepsAnother(naming) }

  /// The decision that follows for the describing field: skip or keep if the target keeps another user; write if an
  /// earlier run skipped the field for that reason and the user is now replaced; otherwise nil.
  /// - Parameter naming: the decision on the user id.
  package func decision(_ naming: Decision?) -> Decision? {
    switch (keepsAnother(naming), field.isFollowing) {
    case (true, false): field.current == nil ? .skip : .keep
    case (false, true): field.asksOnceOpen ? nil : .migrate
    case (true, true), (false, false): nil
    }
  }
}

extension [Field] {
  var places: [StringByBytes: Int] { Dictionary(firstOf: enumerated().map { ($1.id, $0) }) }

  mutating func noteOtherUsers() {
    let pairs = DescribingField.all(in: self).filter { $0.named.isHeldByAnother && !$0.field.isFollowing }
    guard !pairs.isEmpty else { return }
    let places = places
    for pair in pairs {
      if let index = places[pair.field.id] { self[index].noteOtherUser(pair.named) }
    }
  }
}

extension Field {
  fileprivate mutating func noteOtherUser(_ named: Field) {
    guard let current = named.current else { return }
    let finding = Finding(.targetOtherUser(current, named: named.id), field: id, source: origin?.source)
    findings.insert(finding, at: findings.firstIndex { $0.severity < finding.severity } ?? findings.endIndex)
  }
}
