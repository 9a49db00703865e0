import Carryover
import CarryoverSystem
import CarryoverUserDefaults
import CarryoverVendors
import Foundation
import PropertyLists

/// A recipe's plan for a running app's values at one moment, and the fields that other legacy SDKs have values for.
struct PersistencePlan {
  let plan: Plan
  /// Whether any value of the recipe's SDK was found.
  let holdsLegacyValues: Bool
  /// Whether a place of the recipe's SDK cannot be read. Missing values may be there.
  let isPartlyHidden: Bool
  /// The fields that another SDK has or may have a value for.
  let fieldsOfOthers: Set<PersistedField>
  /// The fields that tell of a user, by each field that is fresh without one.
  private let users: [Field.ID: [Field.ID]]
  /// The fields that earlier calls wrote.
  private let restored: Set<PersistedField>

  /// - Parameters:
  ///   - asked: the recipe; nil detects it from the values.
  ///   - restored: the fields that earlier calls wrote.
  init(
    _ places: LegacyPersistence, writeKey: String, recipe asked: Recipe?, allowing allowed: Set<FindingCode>,
    restored: Set<PersistedField>, now: Date
  ) throws(DefaultsDomainError) {
    let snapshot = try places.snapshot(writeKey: writeKey, recipe: asked)
    let recipe = asked ?? Recipe.detect(in: snapshot.container).recipe
    let moment = Moment(secondsSince1970: Int64(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0)
    let options = PlannerOptions(
      parameters: [PlannerOptions.writeKeyParameter: writeKey], targetPath: snapshot.target, allowed: allowed)
    func plan(_ recipe: Recipe) -> Plan { Planner(recipe).plan(snapshot.container, now: moment, options: options) }
    let rivals = LegacyPersistence.recipes.filter { $0.reference.id != recipe.reference.id }
    let others = rivals.filter { !snapshot.keys(for: $0).isDisjoint(with: $0.marks) }
    let keys = snapshot.keys(for: recipe)
    let read = Set(bytesOf: recipe.rules.flatMap(\.candidates).map(\.source.key))
    // Several SDKs share some names. They belong to this SDK unless another one has left its marks. A recipe for other
    // data has none of these names, and would settle every field without a value.
    let isFound = !keys.isDisjoint(with: recipe.marks) || (others.isEmpty && !keys.isDisjoint(with: read))
    holdsLegacyValues = isFound && recipe.target == .suite(.analytics)
    isPartlyHidden = snapshot.hides(from: recipe)
    if rivals.contains(where: snapshot.hides) {
      // A place that cannot be read yet may contain any of them.
      fieldsOfOthers = Set(PersistedField.allCases)
    } else {
      fieldsOfOthers = Set(
        others.flatMap { plan($0).fields }.filter { $0.proposed != nil }
          .compactMap { PersistedField(rawValue: $0.id) })
    }
    self.plan = plan(recipe)
    self.restored = restored
    users = Dictionary(recipe.rules.map { ($0.target, $0.freshWithout) }, uniquingKeysWith: { first, _ in first })
  }

  /// The id of the recipe.
  var recipe: String { plan.recipe.id }

  /// The status if no step fails.
  var status: PersistenceReport.Status {
    if !holdsLegacyValues { return .nothingFound }
    return plan.blockers.isEmpty ? .done : .blocked
  }

  /// The resolutions of some fields, the same for an inspection and for a restoration.
  /// - Parameter contested: the open conflicts of an earlier call, with the value that the suite had then.
  func resolutions(
    _ wanted: Set<PersistedField>, _ onConflict: PersistenceConflict, contested: [PersistedField: PropertyListValue]
  ) -> [(persisted: PersistedField, field: Field, resolution: Resolution)] {
    guard status == .done else { return [] }
    func resolution(of field: Field) -> Resolution? {
      guard let persisted = PersistedField(rawValue: field.id) else { return nil }
      if let former = contested[persisted] { return self.resolution(of: field, onConflict, former) }
      return wanted.contains(persisted) ? self.resolution(of: field, onConflict) : nil
    }
    return plan.fields.compactMap { field in
      guard let persisted = PersistedField(rawValue: field.id), let own = resolution(of: field) else { return nil }
      guard let user = user(of: field), user.isHeldByAnother else { return (persisted, field, own) }
      // Traits beside another user's id would mix two people. They are restored only if the id is.
      if case .write? = resolution(of: user) { return (persisted, field, self.resolution(of: field, onConflict)) }
      return (persisted, field, .leave(.conflict))
    }
  }

  /// The value in the new SDK's suite that conflicts with a field: the field's own, or the id of another user.
  func valueInTheWay(of field: Field) -> PropertyListValue? { field.current ?? user(of: field)?.current }

  /// The field with the id of the user whom a field describes.
  private func user(of field: Field) -> Field? {
    plan.describingFields.first { $0.field.id.hasSameBytes(as: field.id) }?.named
  }

  /// The resolution of an open conflict. If it is no longer a conflict, the app has settled it: a value that a logout
  /// removed does not come back.
  private func resolution(
    of field: Field, _ onConflict: PersistenceConflict, _ former: PropertyListValue
  ) -> Resolution {
    guard field.status == .conflict else { return .leave(field.status == .unchanged ? .unchanged : .skipped) }
    // An identity that the new SDK has created since, for example after a logout, is not the one it started with.
    let isFresh = onConflict != .replaceFreshIdentity || field.current == former
    return resolution(of: field, isFresh ? onConflict : .keepTarget)
  }

  private func resolution(of field: Field, _ onConflict: PersistenceConflict) -> Resolution {
    if field.status == .conflict, !replaces(field, onConflict) { return .leave(.conflict) }
    // No one can decide here, so the value that the legacy SDK would have sent is restored.
    return field.resolution(field.proposed == nil ? nil : .migrate)
  }

  private func replaces(_ field: Field, _ onConflict: PersistenceConflict) -> Bool {
    switch onConflict {
    case .keepTarget: false
    case .replaceFreshIdentity: isFresh(field)
    case .replace: true
    }
  }

  /// Whether the suite's value is of an identity that the new SDK created for a user whom it did not know. The suite
  /// then has no user, or exactly what earlier calls restored: if some of that is gone or differs, the app has logged
  /// the user out or identified one.
  private func isFresh(_ field: Field) -> Bool {
    guard let names = users[field.id], !names.isEmpty else { return false }
    return names.allSatisfy { name in
      let isRestored = PersistedField(rawValue: name).map(restored.contains) ?? false
      guard let user = plan.fields.first(where: { $0.id == name }), user.current != nil else { return !isRestored }
      return isRestored && user.status == .unchanged
    }
  }
}

/// What to do with a field if the new SDK's suite has another value. If that value stays, the conflict stays open: a
/// later call with another case, for example in a later release, can resolve it as long as the suite has a value.
public enum PersistenceConflict: Hashable, Sendable {
  /// Keep the suite's value, and report a conflict.
  case keepTarget
  /// Replace an anonymous id that the new SDK created because it ran first, if the suite has neither a user id nor
  /// traits, or only those that an earlier call restored. Keep any other value.
  case replaceFreshIdentity
  /// Replace the suite's value with the legacy value.
  case replace
}
