import PropertyLists

/// Makes plans: recipe × container × moment. Reads nothing but its arguments and writes nothing.
public struct Planner: Sendable {
  /// The recipe.
  public var recipe: Recipe

  /// A planner for a recipe.
  public init(_ recipe: Recipe) { self.recipe = recipe }

  /// The plan for a container at a moment.
  ///
  /// Always gives a plan: what stands in the way is a finding in it. A target that cannot be named (no bundle id, no
  /// write key) is nil in the plan, and such a plan cannot be applied.
  /// - Parameters:
  ///   - container: The container as it was opened.
  ///   - now: The present moment, which decides what lies in the future.
  ///   - options: What else the plan depends on.
  public func plan(_ container: Container, now: Moment, options: PlannerOptions = PlannerOptions()) -> Plan {
    let target = targetSummary(container, options)
    let sources = LegacySources(recipe, in: container, target: target?.path)
    let held = target.flatMap { container.store($0.path) }?.dictionary ?? [:]
    let context = PlanningContext(
      sources: sources, target: held, targetExists: target?.exists ?? false, now: now, options: options)
    let remembered = container.puttingBack(options.removed).map { container in
      PlanningContext(
        sources: LegacySources(recipe, in: container, target: target?.path), target: held,
        targetExists: context.targetExists, now: now, options: options)
    }
    let fields = recipe.rules.map { rule in
      let field = field(rule, context)
      return remembered.map { field.calmed(by: self.field(rule, $0)) } ?? field
    }
    let checks = ContainerChecks(
      recipe: recipe, container: container, context: context, remembered: remembered?.sources, target: target,
      fields: fields)
    return Plan(
      recipe: recipe.reference,
      container: ContainerSummary(kind: container.kind, bundleID: container.bundleID, name: container.name),
      target: target, now: now, fields: fields,
      containerFindings: checks.findings, dropped: checks.dropped, basis: basis(context, target),
      allowed: options.allowed)
  }

  private func field(_ rule: FieldRule, _ context: PlanningContext) -> Field {
    var draft = FieldDraft(rule, context: context)
    switch rule.check {
    case .none: break
    case .anonymousID: draft.checkAnonymousID(context)
    case .userID: draft.checkUserID(context)
    case .traits: draft.checkTraits(context)
    case .sessionID: draft.checkSessionID()
    case .manualSession: draft.checkManualSession(context)
    case .lastActivity: draft.checkLastActivity(context)
    case .appVersion: draft.checkAppVersion(context)
    case .appBuild: draft.checkAppBuild()
    }
    draft.noteDisagreement(context)
    return draft.field(context)
  }

  /// The file a plan would write, relative to the container's root; nil when it cannot be named.
  public static func targetPath(in container: Container, options: PlannerOptions) -> String? {
    if let path = options.targetPath { return path }
    guard let bundleID = container.bundleID, let writeKey = options.writeKey else { return nil }
    return container.targetPath(bundleID: bundleID, writeKey: writeKey)
  }

  func targetSummary(_ container: Container, _ options: PlannerOptions) -> TargetSummary? {
    Self.targetPath(in: container, options: options).map {
      TargetSummary(path: $0, exists: container.store($0) != nil)
    }
  }

  /// Every value that could change the plan: each key the recipe reads, at each place a source was looked for, and each
  /// target key. A store that appears later is a change too.
  private func basis(_ context: PlanningContext, _ target: TargetSummary?) -> [PlanBasis] {
    let keys = recipe.knownKeys.union(FieldDraft.manualEvidenceKeys).sorted()
    var basis = context.sources.places.flatMap { place in
      keys.map { PlanBasis(store: place, key: $0, value: context.sources.value($0, in: place)) }
    }
    if let target {
      basis += recipe.rules.map { PlanBasis(store: target.path, key: $0.target, value: context.target[$0.target]) }
    }
    return basis
  }
}
