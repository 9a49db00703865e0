package import CarryoverSystem

/// What an update does to the data of an SDK in a container, or has done, by the recipe for that SDK: a line beside the
/// verdict of a plan that other recipes made.
package struct OtherVerdict: Hashable, Sendable {
  /// The recipe for the SDK.
  package let recipe: RecipeReference
  /// The verdict; nil if the container does not show a value that the recipe needs.
  package let verdict: Verdict?
  /// The verdict, or the reason that there is none, as a sentence.
  package let sentence: FindingText

  /// The sentence as text. Escape it before you print it.
  package var text: String { sentence.text(source: nil) }

  /// The place among other verdicts.
  package var weight: Verdict.Weight { verdict?.weight ?? .unknown }

  init(_ recipe: RecipeReference, _ verdict: Verdict) {
    (self.recipe, self.verdict, sentence) = (recipe, verdict, verdict.sentence)
  }

  init(_ recipe: RecipeReference, _ gap: ParameterGap) {
    (self.recipe, verdict, sentence) = (recipe, nil, gap.text)
  }
}

extension Verdict {
  /// The places of verdicts in a list, the gravest first.
  package enum Weight: CaseIterable, Hashable, Sendable { case loggedOut, loss, unknown, sound }

  /// The place of this verdict among others.
  package var weight: Weight {
    if isLoggedOut { return .loggedOut }
    if isSound { return .sound }
    return certainty == .cannotTell ? .unknown : .loss
  }
}

extension Migrator {
  /// The verdicts on the SDKs that left data in a plan's container and that the plan is not about, the gravest first.
  /// Writes nothing.
  /// - Parameters:
  ///   - recipes: every known recipe. Only those for an SDK with data here are planned.
  ///   - isInterrupted: whether a run in the container was interrupted and has not been recovered.
  ///   - shown: masks the findings of a plan, which a verdict quotes.
  /// - Throws: ``RunError`` if the state folder cannot be read.
  package func verdicts(
    beside plan: Plan, among recipes: [Recipe], in container: Container, options: PlannerOptions,
    isInterrupted: Bool = false, shown: (Plan) -> Plan = { $0 }
  ) throws(RunError) -> [OtherVerdict] {
    let own = plan.recipePlans.map(\.definition)
    let known = Set((own + own.flatMap(\.rivals)).map(\.reference.id))
    let others = recipes.filter { $0.modelKeys.isEmpty && !known.contains($0.reference.id) }
    var verdicts: [OtherVerdict] = []
    for recipe in RecipeDetection.all(in: container, among: others, removed: try removedByCleanups(in: container)) {
      verdicts.append(
        try verdict(
          of: recipe, in: container, now: plan.now, options: options, isInterrupted: isInterrupted, shown: shown))
    }
    return Verdict.Weight.allCases.flatMap { weight in verdicts.filter { $0.weight == weight } }
  }

  /// The verdict of one recipe on a container, with the parameters that the container shows. Writes nothing.
  /// - Throws: ``RunError`` if the state folder cannot be read.
  package func verdict(
    of recipe: Recipe, in container: Container, now: Moment, options: PlannerOptions = PlannerOptions(),
    isInterrupted: Bool = false, shown: (Plan) -> Plan = { $0 }
  ) throws(RunError) -> OtherVerdict {
    let filled: Recipe
    do throws(ParameterGap) {
      filled = try recipe.filled([:], in: container)
    } catch {
      return OtherVerdict(recipe.reference, error)
    }
    var options = options
    // What the user gave for another SDK's file says nothing of this one's, unless it has a file of that name.
    for name in filled.target.parameters where container.bundleID != nil {
      let values = filled.target.values(of: name, in: container)
      if values.count == 1 || options.parameters[name].map({ !values.contains($0) }) == true {
        options.parameters[name] = values.count == 1 ? values.first : nil
      }
    }
    (options.targetPath, options.settled) = (nil, [:])
    let plan = shown(try plan(container, with: filled, now: now, options: options))
    return OtherVerdict(recipe.reference, filled.verdict(on: plan, isInterrupted: isInterrupted))
  }
}
