package import CarryoverSystem
package import PropertyLists

extension Migrator {
  /// The verdicts on the SDKs that left data in the container and have no plan here. Writes nothing.
  /// - Parameters:
  ///   - plans: of one recipe each. They consider the run history, as
  ///     ``plan(_:with:and:now:options:removed:recognised:)`` does.
  ///   - recipes: every known recipe. Only those for an SDK with data here that no plan follows are planned.
  ///   - recognised: the keys of these recipes in the container; nil to find them.
  ///   - given: the values of parameters for other recipes; they have precedence over the container's.
  ///   - shown: masks the findings of a plan, which a verdict quotes.
  package func verdicts(
    beside plans: [Plan], among recipes: [Recipe], recognised: RecognisedKeys? = nil, in container: Container,
    options: PlannerOptions, given: [String: String] = [:], isInterrupted: Bool = false, shown: (Plan) -> Plan = { $0 }
  ) throws(RunError) -> [RecipeVerdict] {
    guard let now = plans.first?.now else { return [] }
    let own = plans.map(\.definition)
    let known = Set((own + own.flatMap(\.rivals)).map(\.reference.id))
    let others = recipes.filter { !known.contains($0.reference.id) && !$0.hasModel }
    guard !others.isEmpty else { return [] }
    let keys = recognised ?? RecognisedKeys(container, of: others, removed: options.removed)
    var verdicts: [RecipeVerdict] = []
    for recipe in keys.only(of: others).recipes {
      verdicts.append(
        try verdict(
          of: recipe, in: container, now: now, options: options, given: given, removed: options.removed,
          isInterrupted: isInterrupted, shown: shown))
    }
    return verdicts
  }

  /// The verdict of one recipe on a container, with the parameters that the container shows. Writes nothing.
  /// - Parameter removed: what cleanups in effect have removed; nil reads it from the history.
  package func verdict(
    of recipe: Recipe, in container: Container, now: Moment, options: PlannerOptions = PlannerOptions(),
    given: [String: String] = [:], removed: [KeyPlace: PropertyListValue]? = nil, isInterrupted: Bool = false,
    shown: (Plan) -> Plan = { $0 }
  ) throws(RunError) -> RecipeVerdict {
    let filled: Recipe
    do throws(ParameterGap) {
      filled = try recipe.filled(given, in: container)
    } catch {
      return RecipeVerdict(recipe, error, in: container, now: now)
    }
    let options = options.ofAnother(filled, in: container)
    let plan = shown(try plan(container, with: filled, now: now, options: options, removed: removed))
    return RecipeVerdict(plan, isInterrupted: isInterrupted)
  }
}
