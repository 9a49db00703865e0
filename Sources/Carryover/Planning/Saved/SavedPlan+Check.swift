package import PropertyLists

extension SavedPlan {
  /// The plan made anew, from a container as it is now, with the saved moment and options.
  ///
  /// It is not what was saved until `check(_:in:decisions:)` has said so.
  /// - Parameters:
  ///   - recipe: the recipe, which must be the one that made the plan, in the same version.
  ///   - settled: what earlier runs settled; a field the saved plan would write is not taken for settled by them, as long
  ///     as its target is as it was.
  ///   - removed: what cleanups that hold have removed.
  ///   - allowed: codes of blocking findings that are allowed. Those the plan was saved with are not: a file that came
  ///     along lifts no block.
  /// - Throws: `otherContainer`, `otherRecipe` or `otherTarget`.
  package func plan(
    _ container: Container, by recipe: Recipe, settled: [Field.ID: SettledField] = [:],
    removed: [KeyPlace: PropertyListValue] = [:], allowing allowed: Set<FindingCode> = []
  ) throws(SavedPlanError) -> Plan {
    try requireSameOrigin(container, by: recipe)
    var options = request.options
    options.allowed = allowed
    options.removed = removed
    let plan = Planner(recipe).plan(container, now: now, options: options)
    let changed = Set(stale(plan, in: container).filter { $0.file == target }.map(\.key))
    let ready = Set(fields.filter { $0.status == .ready }.map(\.id))
    options.settled = settled.filter { !ready.contains($0.key) || changed.contains($0.key) }
    return options.settled.isEmpty ? plan : Planner(recipe).plan(container, now: now, options: options)
  }

  /// The one of some recipes that made the plan, in the version there is now.
  /// - Throws: `unknownRecipe` where none has its name.
  package func ownRecipe(among recipes: [Recipe]) throws(SavedPlanError) -> Recipe {
    guard let own = recipes.first(where: { $0.reference.id == recipe.id }) else { throw .unknownRecipe(recipe) }
    return own
  }

  /// Makes sure that the plan is one of this container and this recipe, whatever the container holds by now.
  /// - Throws: `otherContainer`, `otherRecipe` or `otherTarget`.
  package func requireSameOrigin(_ container: Container, by recipe: Recipe) throws(SavedPlanError) {
    let found = ContainerIdentity(kind: container.kind, bundleID: container.bundleID)
    guard found == self.container else { throw .otherContainer(saved: self.container, found: found) }
    let present = recipe.reference
    guard (present.id, present.version) == (self.recipe.id, self.recipe.version) else {
      throw .otherRecipe(saved: self.recipe, present: present)
    }
    let target = Planner(recipe).targetPath(in: container, options: request.options)
    guard target == self.target else { throw .otherTarget(saved: self.target, present: target) }
  }

  /// Makes sure that a plan made anew is the one that was saved.
  ///
  /// A target key that holds by now what the plan and the decisions would write there is no difference: the plan was
  /// applied before, whole or in part.
  /// - Parameter decisions: the decisions it is to be applied with.
  /// - Throws: `stale` where a value the plan rested on has changed, appeared or vanished, `differs` where the values are
  ///   the same and a field's legacy value, proposal or present value is not.
  package func check(_ plan: Plan, in container: Container, decisions: Decisions) throws(SavedPlanError) {
    let changed = stale(plan, in: container)
    let stale = changed.filter { place in
      guard place.file == target, let field = plan.field(place.key) else { return true }
      return !field.stands(decisions[field.id]) || holdsAnother(field, decisions[field.id])
    }
    guard stale.isEmpty else { throw .stale(stale) }
    let standing = Set(changed.map(\.key))
    var different = fields.filter { saved in
      guard let field = plan.field(saved.id) else { return true }
      let fresh = SavedField(field)
      // A value that is changed in its place was the legacy one, and is not any more.
      let isInPlace = saved.legacy == saved.current && fresh.legacy == fresh.current
      if isInPlace, standing.contains(saved.id) { return false }
      guard fresh.legacy == saved.legacy else { return true }
      guard !standing.contains(saved.id) else { return false }
      let isSettled = (fresh.status == .unchanged || saved.status == .unchanged) && !field.writes(decisions[field.id])
      // A settled field has no repair to propose, and runs come and go beside an unchanged container.
      return fresh.current != saved.current || !isSettled && fresh.proposed != saved.proposed
    }.map(\.id)
    let known = Set(fields.map(\.id))
    different += plan.fields.map(\.id).filter { !known.contains($0) }
    guard different.isEmpty else { throw .differs(different) }
  }

  /// Whether a value that is changed in its place is in its newest form by now, and not what the saved plan proposed:
  /// somebody else has changed it.
  private func holdsAnother(_ field: Field, _ decision: Decision?) -> Bool {
    guard [nil, .migrate, .accept].contains(decision), let saved = fields.first(where: { $0.id == field.id }) else {
      return false
    }
    let fresh = SavedField(field)
    return saved.legacy == saved.current && fresh.legacy == fresh.current && fresh.current != saved.proposed
  }

  /// The places whose value is no longer the saved one, each once, and those that came in since and hold something.
  private func stale(_ plan: Plan, in container: Container) -> [KeyPlace] {
    var present: [KeyPlace: PropertyListValue?] = [:]
    for entry in plan.basis { present[KeyPlace(file: entry.store, key: entry.key)] = .some(entry.value) }
    var indexes: [String: PropertyListDictionaryIndex] = [:]
    var known: Set<KeyPlace> = []
    var stale: [KeyPlace] = []
    for entry in basis {
      let file = entry.place.file
      if present[entry.place] == nil, indexes[file] == nil {
        indexes[file] = container.store(file)?.dictionary?.indexed() ?? PropertyListDictionary(entries: []).indexed()
      }
      let value = present[entry.place] ?? indexes[file]?[entry.place.key]
      let isSame =
        switch (entry.value, value) {
        case (nil, nil): true
        case (let saved?, let value?): saved.matches(value)
        default: false
        }
      if known.insert(entry.place).inserted, !isSame { stale.append(entry.place) }
    }
    for entry in plan.basis where entry.value != nil {
      let place = KeyPlace(file: entry.store, key: entry.key)
      if known.insert(place).inserted { stale.append(place) }
    }
    return stale
  }
}

extension PlanRequest {
  /// The options a plan is made with, but for what is allowed.
  package var options: PlannerOptions {
    PlannerOptions(parameters: parameters, targetSDK: targetSDK)
  }
}

extension Field {
  /// Whether applying the field writes something.
  fileprivate func writes(_ decision: Decision?) -> Bool {
    if case .write = resolution(decision) { true } else { false }
  }

  /// Whether the target holds what applying the field would leave there, on a decision to write or on none.
  fileprivate func stands(_ decision: Decision?) -> Bool {
    guard current != nil else { return false }
    switch decision {
    case .skip, .keep, .omit: return false
    case .edit(let value): return value == current
    case .migrate, .accept, nil: break
    }
    guard case .leave(let outcome) = resolution(decision) else { return false }
    return status == .unchanged || outcome == .unchanged
  }
}
