package import Carryover
import CarryoverTerminal

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
    return Verdict.Weight.allCases.flatMap { weight in verdicts.filter { $0.verdict.weight == weight } }
  }
}

extension OtherVerdict {
  /// The sign in front of it.
  package var sign: Sign { verdict?.sign ?? .warning }

  /// The recipe and its verdict on one line: "Mixpanel Obj-C → Swift 3+ (mixpanel-objc): This user was logged out …".
  /// - Parameter option: what stands before the recipe's id.
  package func line(option: String = "") -> String { "\(recipe.title) (\(option)\(recipe.id)): \(text)" }
}
