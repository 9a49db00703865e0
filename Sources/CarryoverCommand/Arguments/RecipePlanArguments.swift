import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverSystem
import CarryoverVendors

/// The options of a command about a recipe that can plan a container with it.
struct RecipePlanArguments: ParsableArguments {
  @OptionGroup var parameters: ParameterArguments
  @OptionGroup var target: TargetArguments
  @Option(help: "The app's bundle id, if the container does not contain it.") var bundleID: String?
  @OptionGroup var choosing: ChoosingArguments

  /// Whether an option is given that only matters for a plan.
  var needsContainer: Bool {
    target.writeKey != nil || target.now != nil || bundleID != nil || choosing.container != nil || choosing.app != nil
  }

  /// The plan of a container with a recipe, and what became of the sources of its fields.
  /// - Parameter path: the container.
  /// - Throws: whatever `plan` throws for it.
  func plan(_ path: String, with recipe: Recipe, _ masking: Masking) throws -> RecipePlan {
    let opened = try ContainerArguments(path, bundleID: bundleID, choosing: choosing).open(
      reading: recipe.files, masking)
    masking.learn(writeKey: target.writeKey)
    if let failure = Edge.recoveryNeeded(opened) { throw failure }
    let moment = target.moment
    let filled = try parameters.values.fill(recipe, in: opened.container)
    let options = PlannerOptions(parameters: try parameters(for: filled, opened.container))
    let plan = try Edge.migrator(opened).plan(opened.container, with: filled, now: moment, options: options)
    return RecipePlan(
      plan: masking.findings(of: plan),
      trials: Planner(filled).trials(opened.container, now: moment, options: options).map { $0.map(masking.trial) })
  }

  /// The write key, if it is known. Without it, the plan has no target, and its fields are the same.
  private func parameters(for recipe: Recipe, _ container: Container) throws -> [String: String] {
    let found = recipe.target.values(of: PlannerOptions.writeKeyParameter, in: container)
    guard target.writeKey != nil || found.count == 1 else { return [:] }
    return try PlanningArguments.parameters(target.writeKey, container, recipe)
  }
}
