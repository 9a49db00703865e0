package import PropertyLists

extension SavedPlans {
  /// The new plan, with each part made by ``SavedPlan/plan(_:by:settled:removed:allowing:)``.
  /// - Parameters:
  ///   - recipes: the recipe of each plan.
  ///   - settled: returns the fields of a recipe's target that earlier runs settled.
  /// - Throws: ``SavedPlanError``, or ``RunError`` for plans that would write the same key.
  package func plan(
    _ container: Container, by recipes: [Recipe], settled: (String, Recipe) throws -> [StringByBytes: SettledField],
    removed: [KeyPlace: PropertyListValue], allowing allowed: Set<FindingCode>
  ) throws -> Plan {
    var plans: [Plan] = []
    for (saved, recipe) in zip(all, recipes) {
      plans.append(
        try saved.plan(
          container, by: recipe, settled: saved.target.map { try settled($0, recipe) } ?? [:], removed: removed,
          allowing: allowed))
    }
    guard let first = plans.first else { throw SavedPlanError.unknownRecipe(self.first.recipe) }
    return try Plan.joining(first, Array(plans.dropFirst()))
  }
}

extension Plan {
  /// One plan from several recipes' plans.
  /// - Throws: `sameKey`.
  static func joining(_ first: Plan, _ others: [Plan]) throws(RunError) -> Plan {
    do {
      return try Plan(first, and: others)
    } catch {
      throw .sameKey(error)
    }
  }
}
