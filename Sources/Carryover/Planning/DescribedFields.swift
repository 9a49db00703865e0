import PropertyLists

/// A field that describes the user in another field, such as the traits. Written beside another user's id, it would mix
/// two people.
package struct DescribingField: Hashable, Sendable {
  /// The describing field.
  package var field: Field
  /// The field with the user.
  package var named: Field

  /// All describing fields that would be written.
  fileprivate static func all(in fields: [Field]) -> [DescribingField] {
    let describing = fields.indices.filter { fields[$0].describes != nil }
    guard !describing.isEmpty else { return [] }
    let places = fields.places
    return describing.compactMap { index in
      let field = fields[index]
      guard let key = field.describes, field.status != .unchanged, field.proposed != nil,
        let named = places[FieldOwner.name(key, of: field.owner?.recipe)]
      else { return nil }
      return DescribingField(field: field, named: fields[named])
    }
  }

  /// The resulting decision on the describing field: skip it if the target keeps another user; otherwise nil.
  package func decision(_ naming: Decision?) -> Decision? {
    guard named.keepsAnother(naming) else { return nil }
    return field.current == nil ? .skip : .keep
  }
}

extension Plan {
  /// The describing fields that would be written.
  package var describingFields: [DescribingField] { DescribingField.all(in: fields) }

  /// Decisions, completed by the resulting ones: if the target keeps another user, fields that describe the legacy user
  /// are not written unless a decision says so.
  package func completed(_ decisions: Decisions, onConflict policy: ConflictPolicy = .fail) -> Decisions {
    var completed = decisions
    for pair in describingFields where decisions[pair.field.id] == nil {
      completed[pair.field.id] = pair.decision(pair.named.decision(decisions[pair.named.id], onConflict: policy))
    }
    return completed
  }

  /// Decisions without the resulting ones, which are computed again after a change.
  package func withoutCompletion(_ decisions: Decisions) -> Decisions {
    var chosen = decisions
    for pair in describingFields where chosen[pair.field.id] == pair.decision(decisions[pair.named.id]) {
      chosen[pair.field.id] = nil
    }
    return chosen
  }
}

extension [Field] {
  /// Where each field is, by its id.
  fileprivate var places: [StringByBytes: Int] {
    Dictionary(firstOf: enumerated().map { ($1.id, $0) })
  }

  /// Adds findings to fields whose target has another user than the described one.
  mutating func noteOtherUsers() {
    let pairs = DescribingField.all(in: self).filter(\.named.isHeldByAnother)
    guard !pairs.isEmpty else { return }
    let places = places
    for pair in pairs {
      guard let current = pair.named.current, let index = places[pair.field.id] else { continue }
      let finding = Finding(
        .targetOtherUser(current, named: pair.named.id), field: pair.field.id, source: pair.field.origin?.source)
      let findings = self[index].findings
      self[index].findings.insert(
        finding, at: findings.firstIndex { $0.severity < finding.severity } ?? findings.endIndex)
    }
  }
}

extension Field {
  /// Whether the target has another value and keeps it under this decision.
  fileprivate func keepsAnother(_ decision: Decision?) -> Bool {
    guard isHeldByAnother, case .leave = resolution(decision) else { return false }
    return true
  }

  /// Whether the target's value differs from the migrated legacy value.
  package var isHeldByAnother: Bool {
    // A value that a run wrote, such as an edited one, belongs to this user.
    guard legacy != nil, let held, status != .unchanged || isKept else { return false }
    return !(proposed.map { form.isEquivalent(reads(held) ?? held, $0) } ?? false)
  }
}
