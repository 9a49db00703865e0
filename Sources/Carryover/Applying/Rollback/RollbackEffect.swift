package import PropertyLists

/// What one SDK's user loses by a rollback, judged by what the app reads afterwards.
package struct RollbackEffect: Hashable, Sendable {
  /// The title of the SDK's recipe.
  private let title: String
  /// The values that the new SDK no longer has.
  private let lacking: [String]
  private let isLoggedOut: Bool
  private let isNew: Bool
  private let isTracked: Bool
  /// The vendor's migrator that may write the values again; nil if there is none, or it would not.
  private let migrator: String?

  /// - Parameters:
  ///   - entries: those of the recipe that are rolled back.
  ///   - files: those that the rollback removes.
  /// - Returns: nil if the user loses nothing.
  package init?(_ entries: [RollbackEntry], of recipe: Recipe, in plan: Plan, removing files: Set<StringByBytes>) {
    let missed = recipe.missed(entries.map(\.id.key), in: plan)
    let losses = entries.compactMap { entry -> Loss? in
      guard let loss = missed[StringByBytes(entry.id.key)] else { return nil }
      func read(_ value: PropertyListValue?) -> PropertyListValue? {
        value.flatMap { value in plan.field(entry.id.key).map { $0.reads(value) } ?? value }
      }
      // A status that says nothing else counts as none.
      let isStatus = loss.kind == .trackedAgain
      let (now, then) = (read(entry.current), read(entry.before))
      func counts(_ value: PropertyListValue?) -> Bool { isStatus ? PlanningContext.isTrue(value) : value != nil }
      return counts(now) && !counts(then) ? loss : nil
    }
    guard !losses.isEmpty else { return nil }
    title = recipe.reference.title
    // The parts of a loss are one loss.
    lacking = losses.map { $0.whole ?? $0.what }.distinct { $0 }
    let kinds = Set(losses.map(\.kind))
    let diagnosis = Diagnosis(plan, recipe, .ahead)
    let isNobody = diagnosis.user.map { $0.hasLegacy && diagnosis.isNobody($0) } ?? false
    isLoggedOut = kinds.contains(.loggedOut) && !isNobody
    isNew = kinds.contains(.newUser) && !isLoggedOut
    isTracked = kinds.contains(.trackedAgain)
    let isGone = entries.contains { files.contains(StringByBytes($0.id.file)) }
    let situation: Situation = isGone ? .ahead : .of(plan, recipe)
    let isWritten = entries.allSatisfy { entry in
      guard missed[StringByBytes(entry.id.key)] != nil, let field = plan.field(entry.id.key) else { return true }
      return diagnosis.isMigratedByVendor(field)
    }
    migrator = recipe.migrator.flatMap { isWritten && $0.isAhead(in: situation) ? $0.name : nil }
  }

  /// - Parameter isNamed: whether the sentence names the SDK.
  package func sentence(isNamed: Bool) -> String {
    let consequences =
      (isLoggedOut ? ["logged out"] : []) + (isNew ? ["counted as a new one"] : [])
      + (isTracked ? ["tracked again"] : [])
    return (isNamed ? "\(title): after" : "After") + " the rollback, the new SDK lacks \(ValueWording.joined(lacking))"
      + (consequences.isEmpty ? "" : ": the user is \(ValueWording.joined(consequences))")
      + (migrator.map { ", unless \($0) writes \(lacking.count == 1 ? "it" : "them") again" } ?? "") + "."
  }
}

extension RollbackPlan {
  /// The effect on each SDK's user, in the order of the run's recipes.
  /// - Parameters:
  ///   - entries: those that are rolled back.
  ///   - present: the recipe with this id, and the plan of its SDK's present data; nil if it is unknown.
  package func effects(
    of entries: [RollbackEntry], _ present: (String) -> (recipe: Recipe, plan: Plan)?
  ) -> [RollbackEffect] {
    let ids = Set(entries.map(\.id))
    let places = Dictionary(grouping: self.entries) { StringByBytes($0.id.file) }
    let removed = Set(
      files.filter { file in
        let own = places[StringByBytes(file.id)] ?? []
        return file.isRemoved(leaving: own.map { ids.contains($0.id) ? $0.before : $0.current })
      }.map { StringByBytes($0.id) })
    return run.recipes.compactMap { reference in
      let own = entries.filter { ($0.recipe ?? run.recipe?.id) == reference.id }
      guard !own.isEmpty, let (recipe, plan) = present(reference.id) else { return nil }
      return RollbackEffect(own, of: recipe, in: plan, removing: removed)
    }
  }
}
