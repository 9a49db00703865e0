import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverSystem
import CarryoverVendors

/// Audits one input after the other without writing anything.
struct UnitAudit {
  let fileSystem: any FileSystem
  /// Nil for the one that each container's keys call for.
  let recipe: Recipe?
  /// Whether every recipe is followed for which a container has evidence.
  var followsAll = false
  let parameters: ParameterValues
  let now: Moment
  let allowed: Set<FindingCode>
  let policy: DecisionPolicy
  /// Knows the earlier runs, for plans as in a review. Without it, a plan depends only on the app's files.
  var migrator: ((OpenedContainer) -> Migrator)?

  /// Far more than any backup has. The rest would not be counted, so the input is refused.
  private static let mostContainers = 100_000

  /// - Parameters:
  ///   - container: the only one to audit, relative to the path; nil for all.
  ///   - body: takes each container as soon as it was audited.
  func audit(_ path: String, container: String? = nil, _ body: (AuditedContainer) throws -> Void) rethrows {
    let located: LocatedPath
    do throws(ContainerError) {
      var options = ContainerOptions()
      options.limits.search.candidates = Self.mostContainers
      options.files += recipe?.files ?? []
      located = try ContainerOpener(fileSystem: fileSystem).located(path, options: options)
    } catch {
      return try body(AuditedContainer(error))
    }
    switch audited(located, container.map { .path($0) }) {
    case .success(let container): try body(container)
    case .failure(let error):
      guard container == nil, case .holdsContainers(let candidates, more: 0) = error.kind, !candidates.isEmpty else {
        return try body(AuditedContainer(error))
      }
      for candidate in candidates {
        var container =
          switch audited(located, .path(candidate.path)) {
          case .success(let container): container
          case .failure(let error): AuditedContainer(error)
          }
        container.inner = candidate.path
        try body(container)
      }
    }
  }

  private func audited(
    _ located: LocatedPath, _ selection: ContainerSelection?
  ) -> Result<AuditedContainer, ContainerError> {
    let opened: OpenedContainer
    do throws(ContainerError) { opened = try located.opened(selection) } catch { return .failure(error) }
    let container = opened.container
    let id = Self.id(of: container)
    let migrator = migrator?(opened)
    var audited: AuditedContainer
    do throws(Refusal) {
      audited = try self.audited(container, migrator)
    } catch {
      audited = AuditedContainer(.refused, code: error.code)
    }
    // Another program may be writing: read again, it has to be the same.
    guard let again = try? located.opened(selection).container, Self.id(of: again) == id else {
      return .success(AuditedContainer(.changed))
    }
    audited.id = id
    audited.kind = container.kind.rawValue
    audited.bundleID = container.bundleID
    return .success(audited)
  }

  private func audited(_ container: Container, _ migrator: Migrator?) throws(Refusal) -> AuditedContainer {
    // A state folder that cannot be read fails the plan.
    let removed = migrator.flatMap { try? $0.removedByCleanups(in: container) }
    let chosen = recipe ?? Recipe.detect(in: container, removed: removed ?? [:]).recipe
    let all = recipe == nil ? Recipe.all(in: container, removed: removed ?? [:]) : []
    // An app's own models are not an SDK.
    let found = all.filter { $0 != chosen && (followsAll || $0.modelKeys.isEmpty) }
    var (plans, verdicts): ([AuditedPlan], [AuditedPlan]) = ([], [])
    var refusal: Refusal?
    for (recipe, isFollowed) in [(chosen, true)] + found.map({ ($0, followsAll) }) {
      do throws(Refusal) {
        let plan = try self.plan(
          container, by: try filled(recipe, in: container), migrator, removed, isFirst: recipe == chosen)
        let audited = AuditedPlan(
          RecipeVerdict(plan, isInterrupted: false), policy.applied(to: plan, [:]), templates: recipe.rules)
        if isFollowed { plans.append(audited) }
        // If no recipe finds data, the one that is followed gives no verdict on an SDK.
        if self.recipe != nil || !plan.findsNothing(in: container) { verdicts.append(audited) }
      } catch {
        // A value that one recipe lacks does not hide what another finds.
        guard followsAll || recipe != chosen else { throw error }
        refusal = refusal ?? error
        if let gap = error.gap {
          verdicts.append(AuditedPlan(RecipeVerdict(recipe, gap, in: container, now: now)))
        }
      }
    }
    if plans.isEmpty, let refusal { throw refusal }
    var audited = AuditedContainer(plans.allSatisfy(\.isEmpty) ? .nothingToMigrate : .audited)
    let order = RecipeVerdict.sorted(verdicts.map(\.told))
    audited.plans = plans
    audited.verdicts = order.compactMap { told in verdicts.first { $0.told.recipe == told.recipe } }
    return audited
  }

  private func plan(
    _ container: Container, by recipe: Recipe, _ migrator: Migrator?, _ removed: [KeyPlace: PropertyListValue]?,
    isFirst: Bool
  ) throws(Refusal) -> Plan {
    var options = PlannerOptions(parameters: parameters.naming([recipe], in: container), allowed: allowed)
    if !isFirst { options = options.ofAnother(recipe, in: container) }
    var plan: Plan
    do throws(RunError) {
      plan =
        try migrator?.plan(container, with: recipe, now: now, options: options, removed: removed)
        ?? Planner(recipe).plan(container, now: now, options: options)
    } catch {
      throw Refusal(code: "state-unreadable")
    }
    // All containers have the same write key. Without it, only what the target already has is unknown.
    plan.containerFindings.removeAll { $0.code == .targetNoWriteKey }
    return plan
  }

  private struct Refusal: Error {
    let code: String
    /// What the container does not show, if that is the reason.
    var gap: ParameterGap?
  }

  private func filled(_ recipe: Recipe, in container: Container) throws(Refusal) -> Recipe {
    let filled: Recipe
    do throws(ParameterGap) {
      filled = try recipe.filled(parameters.values, in: container)
    } catch {
      switch error {
      case .several: throw Refusal(code: "parameter-ambiguous", gap: error)
      case .unknown: throw Refusal(code: "parameter-missing", gap: error)
      }
    }
    guard filled.clash == nil else { throw Refusal(code: "recipe-clash") }
    return filled
  }

  private static func id(of container: Container) -> String {
    var text = container.bundleID ?? ""
    for basis in container.stores.flatMap(\.basis).sorted(by: { $0.store.utf8.lexicographicallyPrecedes($1.store.utf8) }
    ) {
      let contents = if case .string(let contents)? = basis.value { contents } else { "not read" }
      text += "\n" + basis.store + "\n" + contents
    }
    return SHA256.hexDigest(Array(text.utf8))
  }
}
