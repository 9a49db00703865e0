package import Carryover
package import CarryoverSystem

extension Migrator {
  /// The plans of the SDKs of a run, by their present data and with the parameters under which they write the run's keys.
  /// SDKs without a built-in recipe have none. Writes nothing.
  package func plans(of rollback: RollbackPlan, in container: Container, now: Moment) -> [Plan] {
    let keys = rollback.entries.map(\.id.key)
    return rollback.run.recipes.compactMap { reference in
      Recipe(id: reference.id).flatMap { recipe in
        try? verdict(of: recipe, in: container, now: now, given: recipe.values(writing: keys, in: container)).plan
      }
    }
  }
}
