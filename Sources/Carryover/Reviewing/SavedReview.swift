package import CarryoverSystem

/// The decisions of a review that were taken and not applied, kept for the next review of the same container.
///
/// They are only ever offered: each with what it rested on, so that it is offered again only for a field that is exactly
/// as it was when it was taken.
package struct SavedReview: Hashable, Sendable {
  /// The recipe's stable name.
  package var recipe: String
  /// The recipe's version.
  package var recipeVersion: Int
  /// The file that was to be written, relative to the container's root; nil where it could not be named.
  package var target: String?
  /// When they were kept.
  package var moment: Moment
  /// The decisions, each field once.
  package var decisions: [KeptDecision]

  /// A review from its parts.
  package init(recipe: String, recipeVersion: Int, target: String?, moment: Moment, decisions: [KeptDecision]) {
    self.recipe = recipe
    self.recipeVersion = recipeVersion
    self.target = target
    self.moment = moment
    self.decisions = decisions
  }

  /// Decisions about a plan, as they are to be kept.
  package init(of plan: Plan, decisions: [KeptDecision], at moment: Moment) {
    self.init(
      recipe: plan.question.id, recipeVersion: plan.question.version, target: plan.target?.path, moment: moment,
      decisions: decisions)
  }

  /// Whether both are decisions about one question: the same recipe and target, in whatever version.
  func isAbout(_ recipe: RecipeReference, target: String?) -> Bool {
    self.recipe == recipe.id && self.target == target
  }

  /// Which of the decisions fit a plan, and the fields of those that do not any more.
  package func fit(_ plan: Plan) -> (decisions: Decisions, misfits: [Field.ID]) {
    guard isAbout(plan.question, target: plan.target?.path), recipeVersion == plan.question.version else {
      return ([:], decisions.map(\.field))
    }
    let fields = Dictionary(plan.fields.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
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

/// One decision, with what it rested on.
package struct KeptDecision: Hashable, Sendable {
  /// The field.
  package var field: Field.ID
  /// What was decided.
  package var decision: Decision
  /// What the field was like.
  package var basis: FieldBasis

  /// A decision from its parts.
  package init(field: Field.ID, decision: Decision, basis: FieldBasis) {
    self.field = field
    self.decision = decision
    self.basis = basis
  }

  /// A value that the target's reader would not take fits nothing, whoever put it there.
  fileprivate func fits(_ field: Field) -> Bool {
    if case .edit(let value) = decision, field.form.mismatch(value) != nil { return false }
    return basis.holds(for: field)
  }
}
