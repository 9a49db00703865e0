package import CarryoverSystem
import PropertyLists

/// Makes plans: recipe × container × moment. Reads nothing but its arguments and writes nothing.
package struct Planner: Sendable {
  /// The recipe.
  package var recipe: Recipe

  /// A planner for a recipe.
  package init(_ recipe: Recipe) { self.recipe = recipe }

  /// The plan for a container at a moment.
  ///
  /// Always gives a plan: what stands in the way is a finding in it. A target that cannot be named (no bundle id, no
  /// write key) is nil in the plan, and such a plan cannot be applied.
  /// - Parameters:
  ///   - container: The container as it was opened.
  ///   - now: The present moment, which decides what lies in the future.
  ///   - options: What else the plan depends on.
  package func plan(_ container: Container, now: Moment, options: PlannerOptions = PlannerOptions()) -> Plan {
    let target = targetSummary(container, options)
    let sources = LegacySources(recipe, in: container, options, target: target?.path)
    let detection = RecipeDetection(container, among: recipe.family, removed: options.removed)
    let held = target.flatMap { container.store($0.path) }?.dictionary ?? [:]
    let context = PlanningContext(
      recipe: recipe, container: container, sources: sources, target: held, targetPath: target?.path,
      targetExists: target?.exists ?? false, now: now, options: options)
    let remembered = container.puttingBack(options.removed).map { container in
      PlanningContext(
        recipe: recipe, container: container,
        sources: LegacySources(recipe, in: container, options, target: target?.path),
        target: held, targetPath: target?.path, targetExists: context.targetExists, now: now, options: options)
    }
    var fields = recipe.rules.map { rule in
      let field = field(rule, context)
      return remembered.map { field.calmed(by: self.field(rule, $0)) } ?? field
    }
    fields.noteOtherUsers()
    for other in detection.others(than: recipe) { fields = offering(other, to: fields, context, container) }
    let checks = ContainerChecks(
      recipe: recipe, container: container, context: context, remembered: remembered?.sources, target: target,
      fields: fields, detection: detection)
    return Plan(
      recipe: recipe.reference,
      container: ContainerSummary(kind: container.kind, bundleID: container.bundleID, name: container.name),
      target: target, now: now, fields: fields,
      containerFindings: checks.findings, dropped: checks.dropped,
      basis: basis(context, target, recipe.knowledge.vendor?.basis(recipe, in: container) ?? []),
      allowed: options.allowed)
  }

  private func field(_ rule: FieldRule, _ context: PlanningContext) -> Field {
    var draft = FieldDraft(rule, context: context)
    for reference in rule.checks { reference.check.amend(&draft, context) }
    draft.checkModel()
    draft.noteDisagreement(context)
    return draft.field(context)
  }

  /// Fields with what another recipe makes of the same container as further choices. It changes no proposal and no
  /// status: which recipe is right is said once, for the container.
  private func offering(
    _ other: Recipe, to fields: [Field], _ context: PlanningContext, _ container: Container
  ) -> [Field] {
    let theirs = PlanningContext(
      recipe: other, container: container,
      sources: LegacySources(
        other, in: container, context.options, target: targetSummary(container, context.options)?.path),
      target: context.target, targetPath: context.targetPath, targetExists: context.targetExists, now: context.now,
      options: context.options)
    let planner = Planner(other)
    return fields.map { field in
      guard field.status != .unchanged, let rule = other.rules.first(where: { $0.target == field.id }),
        let value = planner.field(rule, theirs).proposed, value != field.proposed,
        !field.alternatives.contains(where: { $0.value == value })
      else { return field }
      var field = field
      field.alternatives.append(Alternative(label: other.reference.id, value: value))
      return field
    }
  }

  /// The file a plan would write, relative to the container's root; nil when it cannot be named.
  package func targetPath(in container: Container, options: PlannerOptions) -> String? {
    options.targetPath ?? recipe.target.path(in: container, options.parameters)
  }

  func targetSummary(_ container: Container, _ options: PlannerOptions) -> TargetSummary? {
    targetPath(in: container, options: options).map { path in
      var summary = TargetSummary(path: path, exists: container.store(path) != nil)
      summary.hasOthers = recipe.target.parameters.contains { parameter in
        recipe.target.values(of: parameter, in: container).contains { $0 != options.parameters[parameter] }
      }
      return summary
    }
  }

  /// Every value that could change the plan: each key the recipe reads, at each place a source was looked for, and each
  /// target key. A store that appears later is a change too.
  private func basis(_ context: PlanningContext, _ target: TargetSummary?, _ files: [PlanBasis]) -> [PlanBasis] {
    // What another SDK left is looked at too: for the choice of recipe, for consent, for other values to choose.
    let keys = recipe.rivals.reduce(recipe.knownKeys) { $0.union($1.knownKeys) }.sorted()
    var basis = context.sources.places.flatMap { place in
      keys.map { PlanBasis(store: place, key: $0, value: context.sources.value($0, in: place)) }
    }
    if let target {
      basis += recipe.rules.map { PlanBasis(store: target.path, key: $0.target, value: context.target[$0.target]) }
    }
    // A value that is changed in its place is a source and the target's.
    var seen: Set<KeyPlace> = []
    basis += files
    return basis.filter { seen.insert(KeyPlace(file: $0.store, key: $0.key)).inserted }
  }
}
