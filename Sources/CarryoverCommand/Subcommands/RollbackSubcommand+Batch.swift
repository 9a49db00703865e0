import ArgumentParser
import Carryover
import CarryoverContainers
import CarryoverReview

extension RollbackSubcommand {
  /// The rollback of a batch in every container at the paths. It is a batch of its own, so that it can be rolled back too.
  func batch(_ batch: BatchID) throws -> ContainerBatch {
    guard runID == nil, !dryRun else {
      throw CommandFailure.usage("\(dryRun ? "--dry-run" : "--run") is about one run; give it without --batch.")
    }
    let paths = [container.path] + more
    return ContainerBatch(
      kind: .rollback, inputs: try container.inputs(paths), rollback: container.rollback(live, ofBatchAt: paths),
      redacting: redacting, yes: yes, json: json, paper: printing.paper
    ) { container, id, masking in
      // Without a run of the batch, the container is not touched, even if another run was interrupted.
      guard try Self.run(of: batch, in: container.open(masking)) != nil else { return .notInBatch }
      let (opened, recovered) = try container.openWritable(live, asking: false, masking)
      guard let run = try Self.run(of: batch, in: opened), run.standing != .takenBack else {
        return .nothing(recovered.runs)
      }
      let migrator = Edge.migrator(opened)
      let plan = try migrator.rollbackPlan(in: opened.container, runID: run.id)
      masking.learn([plan.run])
      let resolution = try deciding.resolution(of: plan)
      if resolution.unreadable.isEmpty,
        let conflicts = RollbackText.conflicts(resolution, or: recovered.nothingElse, masking)
      {
        throw conflicts
      }
      try resolution.check()
      guard resolution.changesFiles else { return .nothing(recovered.runs) }
      let keys = ValueWording.counted(resolution.restored.count, "key")
      return .write(
        BatchJob(
          basis: resolution, words: "Run \(run.id): \(keys) in \(plan.files.map(\.id).joined(separator: ", "))",
          recovered: recovered.runs
        ) {
          try migrator.recording(id).rollback(
            plan, only: deciding.chosen(in: plan), decisions: deciding.decisions(in: plan),
            onConflict: deciding.onConflict.policy, in: opened.container, allowing: live.allowed)
        })
    }
  }

  /// The run of a batch that is to be rolled back: the newest in effect, else any; nil if the container has none.
  /// - Throws: why a record cannot be read, which may be that of the run.
  private static func run(of batch: BatchID, in opened: OpenedContainer) throws -> RunSummary? {
    let listing = try Edge.migrator(opened).history(of: opened.container)
    let runs = listing.runs.filter { $0.batch == batch }
    if runs.isEmpty, let problem = listing.problems.first { throw problem }
    return runs.first { $0.standing == .holds || $0.standing == .partlyTakenBack } ?? runs.first
  }
}

/// The id of a batch on the command line.
struct BatchArgument: ExpressibleByArgument {
  var id: BatchID

  init?(argument: String) {
    guard let id = BatchID(argument) else { return nil }
    self.id = id
  }
}
