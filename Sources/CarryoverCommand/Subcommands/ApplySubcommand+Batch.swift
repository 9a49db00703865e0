import Carryover
import CarryoverReview
import CarryoverSystem

extension ApplySubcommand {
  /// The apply in every container at the paths.
  func batch() throws -> ContainerBatch {
    guard !rehearse else {
      throw CommandFailure.usage("--rehearse takes one container. Nothing was rehearsed, and nothing was written.")
    }
    // What is wrong with an option is said once, not of every container.
    _ = try planning.recipeChoice.recipe.filter { $0 != PlanChoices.allRecipes }.map(planning.recipeChoice.trust.named)
    _ = try deciding.policy.read()
    var planning = planning
    // What is asked about is planned for the same moment as what is written.
    planning.target.now = planning.target.now ?? MomentArgument(argument: Console.now.text)
    let moment = planning
    let paths = [container.path] + more
    return ContainerBatch(
      kind: .apply, inputs: try container.inputs(paths), rollback: container.rollback(planning.live, ofBatchAt: paths),
      redacting: redacting, yes: yes, json: json, paper: printing.paper
    ) { container, id, masking in
      let job = try ApplyJob(container, moment, deciding, for: .apply(asking: false), masking)
      let recovered = job.recovered.runs
      try job.check(or: recovered.isEmpty ? "" : job.recovered.nothingElse)
      guard job.changesFiles else { return .nothing(recovered) }
      let targets = job.plan.recipePlans.compactMap(\.target?.path)
      let basis = [AnyHashable(job.plan.changes(job.decisions)), AnyHashable(targets)]
      let words = "\(FieldSummary.counts(job.plan, job.decisions)): \(targets.joined(separator: ", "))"
      return .write(
        BatchJob(basis: basis, words: words, recovered: recovered) {
          try job.write(with: Edge.migrator(job.opened).recording(id), masking)
        })
    }
  }
}
