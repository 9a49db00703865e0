import Carryover

/// What one of a plan's recipes tells of the container's user.
struct RecipeVerdict: Sendable {
  /// The plan of the recipe alone.
  let plan: Plan
  let verdict: Verdict

  /// The verdicts of a plan's recipes, the gravest first.
  static func all(of plan: Plan, isInterrupted: Bool) -> [RecipeVerdict] {
    let verdicts = plan.recipePlans.map { part in
      RecipeVerdict(plan: part, verdict: part.definition.verdict(on: part, isInterrupted: isInterrupted))
    }
    return Weight.allCases.flatMap { weight in verdicts.filter { $0.weight == weight } }
  }

  /// Where it stands among others.
  private enum Weight: CaseIterable { case loggedOut, loss, unknown, sound }

  private var weight: Weight {
    if verdict.isLoggedOut { return .loggedOut }
    if verdict.isSound { return .sound }
    return verdict.certainty == .cannotTell ? .unknown : .loss
  }
}
