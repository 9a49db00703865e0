package import CarryoverSystem
import PropertyLists

/// The unapplied decisions of a review, saved for the next review of the same container.
///
/// They are only suggestions. Each is saved with its basis, and suggested only for a field that has not changed since.
package struct SavedReview: Hashable, Sendable {
  /// The recipe's stable id.
  package var recipe: String
  /// The recipe's version.
  package var recipeVersion: Int
  /// The target file, relative to the container's root; nil if its name was unknown.
  package var target: String?
  /// The moment of saving.
  package var moment: Moment
  /// The decisions, one for each field.
  package var decisions: [KeptDecision]

  /// A review from its parts.
  package init(recipe: String, recipeVersion: Int, target: String?, moment: Moment, decisions: [KeptDecision]) {
    self.recipe = recipe
    self.recipeVersion = recipeVersion
    self.target = target
    self.moment = moment
    self.decisions = decisions
  }

  /// Decisions about a plan, in their form for saving.
  package init(of plan: Plan, decisions: [KeptDecision], at moment: Moment) {
    self.init(
      recipe: plan.question.id, recipeVersion: plan.question.version, target: plan.target?.path, moment: moment,
      decisions: decisions)
  }

  /// Whether both are about the same recipe and target, in any version.
  func isAbout(_ recipe: RecipeReference, target: String?) -> Bool {
    self.recipe == recipe.id && self.target == target
  }

  /// The decisions that still apply to a plan, and the fields of those that no longer do.
  package func fit(_ plan: Plan) -> (decisions: Decisions, misfits: [Field.ID]) {
    guard recipe == plan.question.id, recipeVersion == plan.question.version else {
      return ([:], decisions.map(\.field))
    }
    let fields = Dictionary(firstOf: plan.fields.map { ($0.id, $0) })
    var fitting: Decisions = [:]
    var misfits: [Field.ID] = []
    for kept in decisions {
      if let field = fields[kept.field], kept.fits(field) {
        fitting[kept.field] = kept.decision
      } else {
        misfits.append(kept.field)
      }
    }
    return (fitting, misfits)
  }
}

/// A decision with its basis.
package struct KeptDecision: Hashable, Sendable {
  /// The field.
  package var field: Field.ID
  /// The decision.
  package var decision: Decision
  /// The basis of the decision.
  package var basis: FieldBasis

  /// A decision from its parts.
  package init(field: Field.ID, decision: Decision, basis: FieldBasis) {
    self.field = field
    self.decision = decision
    self.basis = basis
  }

  /// A value that the target's reader would not accept never applies.
  fileprivate func fits(_ field: Field) -> Bool {
    if case .edit(let value) = decision, field.form.mismatch(value) != nil { return false }
    return basis.holds(for: field)
  }
}
