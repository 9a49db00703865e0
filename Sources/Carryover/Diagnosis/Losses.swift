import PropertyLists

/// The losses in a plan's container that have happened or that an update would cause.
struct Losses {
  let plan: Plan
  let recipe: Recipe
  let situation: Situation
  /// What nobody misses, as a finding of one of its fields says.
  private let harmless: Set<String>

  init(plan: Plan, recipe: Recipe, situation: Situation) {
    (self.plan, self.recipe, self.situation) = (plan, recipe, situation)
    let fields = Set(bytesOf: plan.fields.filter(\.isHarmless).map(\.id))
    harmless = Set(recipe.rules.filter { fields.contains($0.target) }.compactMap { $0.loss?.what })
  }

  /// The losses, most severe first, one entry each.
  var all: [LostValue] {
    var found: [LostValue] = []
    for field in plan.fields { found += losses(of: field) }
    for finding in plan.containerFindings {
      if case .loss(let loss, let cause)? = finding.observation.consequence {
        found.append(LostValue(loss, cause, finding: finding))
      }
    }
    var merged: [LostValue] = []
    for lost in found {
      if let index = merged.firstIndex(where: lost.goesWith) {
        merged[index] = merged[index].joined(with: lost)
      } else {
        merged.append(lost)
      }
    }
    return merged.enumerated().sorted { ($0.element.loss.kind, $0.offset) < ($1.element.loss.kind, $1.offset) }
      .map(\.element)
  }

  /// The finding that the user id cannot be read; nil if it can be, or if there is none.
  var unreadableUser: Finding? {
    guard let field = user, field.status == .dropped, field.legacy == nil, !holds(field) else { return nil }
    return field.findings.first
  }

  /// The field of the user id.
  var user: Field? { field(of: .loggedOut) }
  /// The field of the anonymous id.
  var anonymousUser: Field? { field(of: .newUser) }

  private func field(of kind: Loss.Kind) -> Field? {
    recipe.rules.first { $0.loss?.kind == kind }.flatMap { plan.field($0.target) }
  }

  private func losses(of field: Field) -> [LostValue] {
    let found = field.findings.compactMap { finding -> LostValue? in
      guard case .loss(let loss, let cause)? = finding.observation.consequence, !situation.hasTarget || !holds(field)
      else { return nil }
      return LostValue(loss, cause, fields: [field.id], finding: finding)
    }
    guard found.isEmpty, !isHarmless(field), let loss = loss(of: field) else { return found }
    switch fate(of: field) {
    case nil: return []
    case .changed(let cause): return [lost(field, loss.changed, cause)]
    case .lost(let cause): return [lost(field, loss, cause)]
    }
  }

  /// The loss of a field, with the cause from a finding if there is one. An earlier run and the target's value need
  /// none.
  private func lost(_ field: Field, _ loss: Loss, _ cause: FindingText) -> LostValue {
    let alike = plan.fields.filter { $0.id != field.id && rule($0)?.loss != nil && rule($0)?.loss == rule(field)?.loss }
    let explainsItself = situation.hasTarget && (field.current != nil || field.status == .unchanged)
    let rolledBack = field.findings.filter { $0.code == .targetRolledBack }
    for finding in rolledBack + ([field] + alike).flatMap(\.findings) where !explainsItself {
      guard case .cause(let own)? = finding.observation.consequence else { continue }
      let whole: FindingText = finding.code == .sourceDisagree ? "\(own), and \(cause)" : own
      return LostValue(loss, whole, fields: [field.id], finding: finding)
    }
    return LostValue(loss, cause, fields: [field.id])
  }

  /// Whether the loss of a field affects no one, by its finding or that of a field that is lost together with it.
  fileprivate func isHarmless(_ field: Field) -> Bool {
    let loss = rule(field)?.loss
    return field.isHarmless || [loss?.what, loss?.whole].contains { $0.map(harmless.contains) == true }
  }

  private func rule(_ field: Field) -> FieldRule? { recipe.rules.first { $0.target.hasSameBytes(as: field.id) } }

  /// The loss if a field is not migrated. A user who stays logged in does not count as a new one.
  private func loss(of field: Field) -> Loss? {
    guard let rule = rule(field) else { return nil }
    let loss = rule.loss ?? (recipe.isInPlace ? .unusable("the value of \(field.id)") : .lost(field.id))
    guard loss == .newUser, let user, isKnown(user) else { return loss }
    return loss.changed
  }

  /// Whether the user is logged in and stays so.
  func isKnown(_ user: Field) -> Bool {
    switch situation {
    case .past, .begun, .migrated: holds(user)
    default: hasLegacy(user) && fate(of: user) == nil
    }
  }

  /// The effect on a field, with a reason if nothing else explains it.
  enum Fate: Hashable {
    case lost(FindingText)
    /// The new SDK has or would have another value.
    case changed(FindingText)
  }

  /// The effect on a field; nil if the field is not lost.
  func fate(of field: Field) -> Fate? {
    switch situation {
    case .past, .begun, .migrated: pastFate(of: field)
    case .inPlace:
      field.status == .dropped || (field.status.asks && field.proposed == nil) ? .lost("no value follows from it") : nil
    case .unknown(.unreadableTarget), .unknown(.interruptedRun): nil
    case .ahead, .unknown: aheadFate(of: field)
    }
  }

  /// Before the update: a field is lost if the vendor's migrator does not migrate it, or nothing can.
  private func aheadFate(of field: Field) -> Fate? {
    guard hasLegacy(field) else { return nil }
    guard let migrator = recipe.migrator else {
      // Without a migrator, the new SDK starts without any of the values.
      guard field.proposed != nil, let source = field.origin?.source else { return .lost("no value follows from it") }
      return field.status == .unchanged ? nil : .lost("the new SDK does not read \(words: source.label)")
    }
    switch field.readings.helper {
    case .nothing(let note):
      let reason = note.map { " (\(words: $0))" as FindingText } ?? ""
      return .lost("\(words: migrator) does not migrate it\(reason)")
    case .value(let value, _):
      guard let proposed = field.proposed else { return .lost("no value follows from it") }
      return field.form.isEquivalent(value, proposed) ? nil : .changed("\(words: migrator) writes another value")
    }
  }

  /// After the update: a field is lost if the new SDK does not read it. Its own later traits and sessions are no loss.
  private func pastFate(of field: Field) -> Fate? {
    if let current = field.current, field.form.mismatch(current) != nil {
      return .lost("\(words: field.id) is \(kindOf: current) in the new SDK's file, which it reads as absent")
    }
    guard hasLegacy(field), situation != .past || [.identity, .traits, .other].contains(field.group) else {
      return nil
    }
    if field.current == nil {
      // A value that describes another user is no loss to the new SDK's user.
      if field.status == .unchanged, field.describes != nil, let user, user.isHeldByAnother { return nil }
      if field.status == .unchanged { return .lost("an earlier migration skipped \(words: field.id)") }
      return .lost(
        hasFreshIdentity
          ? "the new SDK started without the legacy values" : "the new SDK's file has no \(words: field.id)")
    }
    guard field.status == .conflict, field.group == .identity else { return nil }
    return .lost("the new SDK's file has a different \(words: field.id)")
  }

  /// Whether the new SDK created its own anonymous id and has no user id.
  var hasFreshIdentity: Bool { plan.findings.contains { $0.code == .targetFreshIdentity } }

  /// Whether the legacy stores contain a value for a field, readable or not.
  func hasLegacy(_ field: Field) -> Bool {
    field.status == .dropped || (field.legacy != nil && field.status != .absent)
  }

  /// Whether the new SDK reads a value for a field.
  func holds(_ field: Field) -> Bool { field.current.map { field.form.mismatch($0) == nil } ?? false }
}

extension Recipe {
  /// The user's loss if a field is not migrated; nil if there is none.
  /// - Parameter plan: the plan with the findings.
  package func missed(_ id: Field.ID, in plan: Plan) -> Loss? {
    let losses = Losses(plan: plan, recipe: self, situation: .ahead)
    return plan.field(id).map(losses.isHarmless) == true ? nil : rules.first { $0.target == id }?.loss
  }
}

extension LostValue {
  /// Whether it is reported together with another, because both fields have the same loss.
  fileprivate func goesWith(_ other: LostValue) -> Bool {
    guard !fields.isEmpty, !other.fields.isEmpty else { return false }
    return loss == other.loss || loss.whole == other.loss.what
  }

  /// Combines two fields that are lost together. A finding is preferred to none.
  fileprivate func joined(with other: LostValue) -> LostValue {
    let telling = finding == nil && other.finding != nil ? other : self
    return LostValue(
      loss, telling.cause, fields: fields + other.fields.filter { !fields.containsBytes(of: $0) },
      finding: telling.finding)
  }
}
