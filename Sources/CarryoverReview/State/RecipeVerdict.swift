import Carryover
import CarryoverVendors

/// What one of a plan's recipes tells of the container's user.
struct RecipeVerdict: Sendable {
  /// The plan of the recipe alone.
  let plan: Plan
  let verdict: Verdict

  /// The verdicts of a plan's recipes, the gravest first.
  static func all(of plan: Plan, isInterrupted: Bool) -> [RecipeVerdict] {
    let verdicts = plan.recipePlans.compactMap { part in
      Recipe(id: part.recipe.id).map {
        RecipeVerdict(plan: part, verdict: $0.verdict(on: part, isInterrupted: isInterrupted))
      }
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
