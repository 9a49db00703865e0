package import Carryover
package import CarryoverSystem

extension Migrator {
  /// The SDKs of a run that have a built-in recipe, with the parameters under which they write the run's keys. Writes
  /// nothing.
  package func sdks(of rollback: RollbackPlan, in container: Container, now: Moment) -> [RollbackSDK] {
    let keys = rollback.entries.map(\.id.key)
    let rest = rollback.withoutFiles(container)
    return rollback.run.recipes.compactMap { reference in
      Recipe(id: reference.id).flatMap { recipe in
        let given = recipe.values(writing: keys, in: container)
        func plan(_ container: Container) -> Plan? {
          try? verdict(of: recipe, in: container, now: now, given: given).plan
        }
        return plan(container).map { RollbackSDK($0.definition, $0, withoutFiles: plan(rest)) }
      }
    }
  }
}
