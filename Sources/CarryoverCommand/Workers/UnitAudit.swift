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

  /// The archive or backup of the last listed container: the next one is often in it too.
  private final class LastPath {
    var found: (path: String, located: LocatedPath)?
  }
  private let last = LastPath()

  /// - Parameters:
  ///   - container: the only one to audit, relative to the path; nil for all.
  ///   - body: takes each container as soon as it was audited.
  func audit(_ path: String, container: String? = nil, _ body: (AuditedContainer) throws -> Void) rethrows {
    let located: LocatedPath
    do throws(ContainerError) {
      located = try self.located(path, isListed: container != nil)
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

  private func located(_ path: String, isListed: Bool) throws(ContainerError) -> LocatedPath {
    if isListed, let last = last.found, last.path.hasSameBytes(as: path), last.located.isCurrent { return last.located }
    var options = ContainerOptions()
    options.limits.search.candidates = SearchLimits.mostCandidates
    options.files += recipe?.files ?? []
    let located = try ContainerOpener(fileSystem: fileSystem).located(path, options: options)
    if isListed { last.found = (path, located) }
    return located
  }

  private func audited(
    _ located: LocatedPath, _ selection: ContainerSelection?
  ) -> Result<AuditedContainer, ContainerError> {
    do throws(ContainerError) {
      let opened = try located.opened(selection)
      let contents = opened.container.contentsHash
      let audited = self.audited(opened)
      // Another program may be writing: read again, it has to be the same. A large container takes much memory, so only
      // the rows are left of the first reading by now.
      guard let again = try? located.opened(selection).container, again.contentsHash == contents else {
        return .success(AuditedContainer(.changed))
      }
      return .success(audited)
    } catch {
      return .failure(error)
    }
  }

  private func audited(_ opened: OpenedContainer) -> AuditedContainer {
    let container = opened.container
    var audited: AuditedContainer
    do throws(Refusal) {
      // Files on both sides of a run would make a plan of something that never was.
      if let failure = Edge.recoveryNeeded(opened) {
        throw Refusal(
          code: failure.status == .recoveryNeeded ? AuditedContainer.interruptedCode : Refusal.unreadableState)
      }
      audited = try self.audited(container, Edge.migrator(opened))
    } catch {
      audited = AuditedContainer(.refused, code: error.code, container)
    }
    audited.id = Self.id(of: container)
    return audited
  }

  /// Plans and judges as `diagnose` does.
  private func audited(_ container: Container, _ migrator: Migrator) throws(Refusal) -> AuditedContainer {
    do {
      let removed = try migrator.removedByCleanups(in: container)
      let recognised = recipe == nil ? RecognisedKeys(container, of: Recipe.builtIn, removed: removed) : nil
      let followed = try followed(in: container, recognised)
      let recipes = followed.map(\.filled)
      let options = PlannerOptions(
        parameters: parameters.naming(recipes, in: container), removed: removed, allowed: allowed)
      var plans: [Plan] = []
      for recipe in recipes {
        plans.append(
          Self.shown(
            try migrator.plan(
              container, with: recipe, now: now, options: options, removed: removed, recognised: recognised)))
      }
      let others = try migrator.verdicts(
        beside: plans, among: recipe == nil ? Recipe.builtIn : [], recognised: recognised, in: container,
        options: options, given: parameters.values, shown: Self.shown)
      let told = RecipeVerdict.sorted(plans.map { RecipeVerdict($0, isInterrupted: false) } + others)
      let all = told.map { told in
        AuditedPlan(
          told, policy.applied(to: told.plan, [:]),
          templates: followed.first { $0.filled.reference == told.recipe }?.rules ?? [])
      }
      return AuditedContainer(
        container, plans: recipes.compactMap { recipe in all.first { $0.plan.recipe == recipe.reference } },
        // If no recipe finds data, the one that is followed gives no verdict on an SDK.
        verdicts: all.filter { recipe != nil || !$0.plan.findsNothing(in: container) })
    } catch {
      throw error as? Refusal ?? Refusal(code: Refusal.unreadableState)
    }
  }

  /// The recipes to follow, with the container's values of their parameters, and the rules before these are filled in.
  private func followed(
    in container: Container, _ recognised: RecognisedKeys?
  ) throws(Refusal) -> [(filled: Recipe, rules: [FieldRule])] {
    let detected = recognised.map { followsAll ? $0.followed : [RecipeDetection($0).recipe] }
    let chosen = recipe.map { [$0] } ?? detected ?? []
    var followed: [(filled: Recipe, rules: [FieldRule])] = []
    var refusal: Refusal?
    for recipe in chosen {
      do throws(Refusal) {
        followed.append((try filled(recipe, in: container), recipe.rules))
      } catch {
        // A value that one recipe lacks does not hide what another finds; the verdicts say what is missing.
        refusal = refusal ?? error
      }
    }
    if followed.isEmpty, let refusal { throw refusal }
    return followed
  }

  /// All containers have the same write key. Without it, only what the target already has is unknown.
  private static func shown(_ plan: Plan) -> Plan {
    var plan = plan
    plan.containerFindings.removeAll { $0.code == .targetNoWriteKey }
    return plan
  }

  private struct Refusal: Error {
    let code: String

    static let unreadableState = "state-unreadable"
  }

  private func filled(_ recipe: Recipe, in container: Container) throws(Refusal) -> Recipe {
    let filled: Recipe
    do throws(ParameterGap) {
      filled = try recipe.filled(parameters.values, in: container)
    } catch {
      switch error {
      case .several: throw Refusal(code: "parameter-ambiguous")
      case .unknown: throw Refusal(code: "parameter-missing")
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
