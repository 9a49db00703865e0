package import PropertyLists

extension SavedPlan {
  /// Computes the plan again from the current container, with the saved moment and options.
  ///
  /// It differs from the saved plan unless `check(_:in:decisions:)` succeeds.
  /// - Parameters:
  ///   - recipe: the plan's recipe, in the same version.
  ///   - settled: the fields that earlier runs settled. A field that the saved plan would write is not settled by these
  ///     as long as its target has not changed, unless a run wrote it.
  ///   - removed: the values that cleanups in effect removed.
  ///   - allowed: the codes of the blocking findings to allow. Those in the saved plan do not count, because an
  ///     untrusted file must not allow anything.
  /// - Throws: `otherContainer`, `otherRecipe` or `otherTarget`.
  package func plan(
    _ container: Container, by recipe: Recipe, settled: [StringByBytes: SettledField] = [:],
    removed: [KeyPlace: PropertyListValue] = [:], allowing allowed: Set<FindingCode> = []
  ) throws(SavedPlanError) -> Plan {
    try requireSameOrigin(container, by: recipe)
    var options = request.options
    options.allowed = allowed
    options.removed = removed
    let plan = Planner(recipe).plan(container, now: now, options: options)
    let changed = Set(bytesOf: stale(plan, in: container).filter { isTarget($0.file) }.map(\.key))
    let ready = Set(bytesOf: fields.filter { $0.status == .ready }.map(\.id))
    // What a run wrote and the app has removed since is settled as well: the user may have logged out.
    options.settled = settled.filter { key, field in
      !ready.contains(key) || changed.contains(key) || field.isWrittenEarlier
        || field.left != nil && !field.isRolledBack
    }
    return options.settled.isEmpty ? plan : Planner(recipe).plan(container, now: now, options: options)
  }

  /// The plan's recipe among these, in its current version.
  /// - Throws: `unknownRecipe` if none has its id.
  package func ownRecipe(among recipes: [Recipe]) throws(SavedPlanError) -> Recipe {
    guard let own = recipes.first(where: { $0.reference.id == recipe.id }) else { throw .unknownRecipe(recipe) }
    return own
  }

  /// Checks that the plan belongs to this container and recipe, regardless of the container's current content.
  /// - Throws: `otherContainer`, `otherRecipe` or `otherTarget`.
  package func requireSameOrigin(_ container: Container, by recipe: Recipe) throws(SavedPlanError) {
    let found = ContainerIdentity(kind: container.kind, bundleID: container.bundleID)
    guard found == self.container else { throw .otherContainer(saved: self.container, found: found) }
    let present = recipe.reference
    let saved = self.recipe
    guard (present.id, present.version, present.digest) == (saved.id, saved.version, saved.digest) else {
      throw .otherRecipe(saved: saved, present: present)
    }
    let target = Planner(recipe).targetPath(in: container, options: request.options)
    guard target.map(isTarget) ?? (self.target == nil) else { throw .otherTarget(saved: self.target, present: target) }
  }

  /// Checks that a newly computed plan equals the saved one.
  ///
  /// A target key that already has the value to be written is no difference: the plan was applied before, completely or
  /// partly.
  /// - Parameter decisions: the decisions for the apply.
  /// - Throws: `stale` if a value that the plan depends on has changed, appeared or disappeared; `differs` if these are
  ///   the same but a field's legacy value, proposal or current value is not.
  package func check(_ plan: Plan, in container: Container, decisions: Decisions) throws(SavedPlanError) {
    let changed = stale(plan, in: container)
    let saved = Dictionary(firstOf: fields.map { ($0.id, $0) })
    let stale = changed.filter { place in
      guard isTarget(place.file), let field = plan.field(place.key) else { return true }
      return !field.stands(decisions[field.id]) || holdsAnother(field, saved[field.id], decisions[field.id])
    }
    guard stale.isEmpty else { throw .stale(stale) }
    let standing = Set(bytesOf: changed.map(\.key))
    var different = fields.filter { saved in
      guard let field = plan.field(saved.id) else { return true }
      let fresh = SavedField(field)
      // A value that is changed in place was also the legacy value, and no longer is.
      let isInPlace = saved.legacy == saved.current && fresh.legacy == fresh.current
      if isInPlace, standing.contains(saved.id) { return false }
      guard fresh.legacy == saved.legacy else { return true }
      guard !standing.contains(saved.id) else { return false }
      let isSettled = (fresh.status == .unchanged || saved.status == .unchanged) && !field.writes(decisions[field.id])
      // A settled field has no repair to propose, and later runs do not change the container's values.
      return fresh.current != saved.current || !isSettled && fresh.proposed != saved.proposed
    }.map(\.id)
    different += plan.fields.map(\.id).filter { saved[$0] == nil }
    guard different.isEmpty else { throw .differs(different) }
  }

  private func isTarget(_ file: String) -> Bool { target?.hasSameBytes(as: file) ?? false }

  /// Whether a value that is changed in place is now in its newest form but differs from the saved proposal, because
  /// another program has changed it.
  private func holdsAnother(_ field: Field, _ saved: SavedField?, _ decision: Decision?) -> Bool {
    guard [nil, .migrate, .accept].contains(decision), let saved else { return false }
    let fresh = SavedField(field)
    return saved.legacy == saved.current && fresh.legacy == fresh.current && fresh.current != saved.proposed
  }

  /// The places whose value has changed, without duplicates, and new places that have a value.
  private func stale(_ plan: Plan, in container: Container) -> [KeyPlace] {
    var present: [KeyPlace: PropertyListValue?] = [:]
    for entry in plan.basis { present[KeyPlace(file: entry.store, key: entry.key)] = .some(entry.value) }
    var indexes: [StringByBytes: PropertyListDictionaryIndex] = [:]
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
  /// The plan's options, except the allowed findings.
  package var options: PlannerOptions {
    PlannerOptions(parameters: parameters, targetSDK: targetSDK)
  }
}

extension Field {
  /// Whether applying the field writes a value.
  fileprivate func writes(_ decision: Decision?) -> Bool {
    if case .write = resolution(decision) { true } else { false }
  }

  /// Whether the target already has the value that applying the field would write.
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
