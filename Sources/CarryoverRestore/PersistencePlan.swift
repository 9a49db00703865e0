import Carryover
import CarryoverSystem
import CarryoverUserDefaults
import CarryoverVendors
import Foundation
import PropertyLists

/// What a recipe makes of a running app's values at one moment, beside what the other SDKs that have run left.
struct PersistencePlan {
  let plan: Plan
  /// Whether anything of the recipe's SDK could be read.
  let holdsLegacyValues: Bool
  /// Whether something of the recipe's SDK could not be read: what is missing may stand there.
  let isPartlyHidden: Bool
  /// The fields that another SDK has left a value for, or may have.
  let fieldsOfOthers: Set<PersistedField>

  /// - Parameter recipe: nil goes by the values that are there.
  init(
    _ places: LegacyPersistence, writeKey: String, recipe asked: Recipe?, allowing allowed: Set<FindingCode>, now: Date
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
    let read = Set(recipe.rules.flatMap(\.candidates).map(\.source.key))
    // Some names are kept by several SDKs. They are this one's where nothing says that another has run.
    // A recipe for other data has none of them, and would settle every field without a value.
    let isFound = !keys.isDisjoint(with: recipe.marks) || (others.isEmpty && !keys.isDisjoint(with: read))
    holdsLegacyValues = isFound && recipe.target == .suite(.analytics)
    isPartlyHidden = snapshot.hides(from: recipe)
    if rivals.contains(where: snapshot.hides) {
      // What cannot be read yet may hold any of them.
      fieldsOfOthers = Set(PersistedField.allCases)
    } else {
      fieldsOfOthers = Set(
        others.flatMap { plan($0).fields }.filter { $0.proposed != nil }
          .compactMap { PersistedField(rawValue: $0.id) })
    }
    self.plan = plan(recipe)
  }

  /// The recipe that is followed.
  var recipe: String { plan.recipe.id }

  /// How it would end if nothing failed.
  var status: PersistenceReport.Status {
    if !holdsLegacyValues { return .nothingFound }
    return plan.blockers.isEmpty ? .done : .blocked
  }

  /// What becomes of each of some fields: the one answer for whoever looks and whoever restores.
  /// - Parameter contested: the fields that an earlier call left in a conflict, with the value that the suite had then.
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
      // Beside another user's id it would mix two people. With the id it is restored.
      if case .write? = resolution(of: user) { return (persisted, field, self.resolution(of: field, onConflict)) }
      return (persisted, field, .leave(.conflict))
    }
  }

  /// What the new SDK's suite holds in the way of a field: another value, or another user than the one it describes.
  func valueInTheWay(of field: Field) -> PropertyListValue? { field.current ?? user(of: field)?.current }

  /// The field that names whom a field describes.
  private func user(of field: Field) -> Field? { plan.describingFields.first { $0.field.id == field.id }?.named }

  /// What becomes of a conflict that was left open. One that is none any more has been settled by the app: a value that a
  /// logout has removed does not come back.
  private func resolution(
    of field: Field, _ onConflict: PersistenceConflict, _ former: PropertyListValue
  ) -> Resolution {
    guard field.status == .conflict else { return .leave(field.status == .unchanged ? .unchanged : .skipped) }
    // An identity that the new SDK has made since, as after a logout, is not the one it began with.
    let isFresh = onConflict != .replaceFreshIdentity || field.current == former
    return resolution(of: field, isFresh ? onConflict : .keepTarget)
  }

  private func resolution(of field: Field, _ onConflict: PersistenceConflict) -> Resolution {
    if field.status == .conflict, !onConflict.replaces(field) { return .leave(.conflict) }
    // There is nobody to ask: what the legacy SDK would have sent is what is restored.
    return field.resolution(field.proposed == nil ? nil : .migrate)
  }
}

/// What becomes of a field for which the new SDK's suite holds another value. A value that stays is a conflict that is left
/// open: a later call with another of these, such as a later release's, resolves it as long as the suite holds a value.
public enum PersistenceConflict: Hashable, Sendable {
  /// The suite's value stays, and the report says so.
  case keepTarget
  /// The legacy value replaces an anonymous id that the new SDK made for itself because it ran first: where it holds
  /// neither a user id nor traits. Any other value stays.
  case replaceFreshIdentity
  /// The legacy value replaces it.
  case replace

  fileprivate func replaces(_ field: Field) -> Bool {
    switch self {
    case .keepTarget: false
    case .replaceFreshIdentity: field.findings.contains { $0.code == .targetFreshIdentity }
    case .replace: true
    }
  }
}
