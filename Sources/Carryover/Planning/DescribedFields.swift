/// A field that describes whom another field names, such as a user's traits. Written beside another user's id, it would
/// mix two people.
package struct DescribingField: Hashable, Sendable {
  /// The field that describes.
  package var field: Field
  /// The field that names whom it describes.
  package var named: Field

  /// Every such field that would be written.
  fileprivate static func all(in fields: [Field]) -> [DescribingField] {
    fields.compactMap { field in
      guard let key = field.describes, field.status != .unchanged, field.proposed != nil,
        let named = fields.first(where: { $0.key == key && $0.owner?.recipe == field.owner?.recipe })
      else { return nil }
      return DescribingField(field: field, named: named)
    }
  }

  /// What follows for the field from the decision on the other: where the target keeps another user, nothing is written;
  /// otherwise nil.
  package func decision(_ naming: Decision?) -> Decision? {
    guard named.keepsAnother(naming) else { return nil }
    return field.current == nil ? .skip : .keep
  }
}

extension Plan {
  /// The fields that describe whom another field names, and would be written.
  package var describingFields: [DescribingField] { DescribingField.all(in: fields) }

  /// Decisions, with those added that follow from them: where the target keeps another user, fields that describe the
  /// legacy one are not written unless somebody decided so.
  package func completed(_ decisions: Decisions, onConflict policy: ConflictPolicy = .fail) -> Decisions {
    var completed = decisions
    for pair in describingFields where decisions[pair.field.id] == nil {
      completed[pair.field.id] = pair.decision(pair.named.decision(decisions[pair.named.id], onConflict: policy))
    }
    return completed
  }

  /// Decisions without those that follow from the others, so that other ones can follow from a change of them.
  package func withoutCompletion(_ decisions: Decisions) -> Decisions {
    var chosen = decisions
    for pair in describingFields where chosen[pair.field.id] == pair.decision(decisions[pair.named.id]) {
      chosen[pair.field.id] = nil
    }
    return chosen
  }
}

extension [Field] {
  /// Notes where the target has another user than the one a field describes.
  mutating func noteOtherUsers() {
    for pair in DescribingField.all(in: self) where pair.named.isHeldByAnother {
      guard let current = pair.named.current, let index = firstIndex(where: { $0.id == pair.field.id }) else {
        continue
      }
      let finding = Finding(
        .targetOtherUser(current, named: pair.named.id), field: pair.field.id, source: pair.field.origin?.source)
      let findings = self[index].findings
      self[index].findings.insert(
        finding, at: findings.firstIndex { $0.severity < finding.severity } ?? findings.endIndex)
    }
  }
}

extension Field {
  /// Whether the target holds another value than the legacy one and keeps it under a decision.
  fileprivate func keepsAnother(_ decision: Decision?) -> Bool {
    guard isHeldByAnother, case .leave = resolution(decision) else { return false }
    return true
  }

  /// Whether the target's value is another than what the legacy one comes to.
  package var isHeldByAnother: Bool {
    // A value that a run wrote, such as an edited one, is this user's.
    guard legacy != nil, let current, status != .unchanged || isKept else { return false }
    return !(proposed.map { form.isEquivalent(current, $0) } ?? false)
  }
}
