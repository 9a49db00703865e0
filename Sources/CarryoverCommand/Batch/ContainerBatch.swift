import Carryover
import CarryoverContainers
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// One command in many containers: each is planned, decided and written by itself, so that a failure in one does not stop
/// the others.
struct ContainerBatch {
  /// What is done: `apply` or `rollback`.
  let kind: RunKind
  /// The batch that each run is recorded with.
  let id = BatchID(Console.now, digits: .random(in: 0...0xFF_FFFF))
  let inputs: [BatchInput]
  /// The command that rolls the batch back, without its id.
  let rollback: ShellCommand
  let redacting: RedactionArguments
  let yes: Bool
  let json: Bool
  let paper: Paper
  /// What is done in a container. Brings it into order first where a run was interrupted.
  let step: (ContainerArguments, BatchID, Masking) throws -> BatchStep

  /// Does it, and says what became of each container.
  /// - Throws: the worst of their statuses.
  func run() throws {
    let asked = yes ? nil : inputs.map { planned($0) }
    if let asked { try ask(asked.flatMap(\.self)) }
    try ThisProcess.uninterrupted {
      var outcomes: [BatchOutcome] = []
      var hasBegun = false
      for (index, input) in inputs.enumerated() {
        if ThisProcess.isAskedToEnd {
          outcomes += (asked?[index] ?? [BatchOutcome(path: input.shown, result: .notReached, masking: Masking(false))])
            .map(\.unreached)
        } else if let known = asked?[index], !known.contains(where: \.isAsked) {
          outcomes += known
        } else {
          outcomes += written(input, asked?[index].first, &hasBegun)
        }
      }
      let output = BatchOutput(kind: kind, id: id, outcomes: outcomes, rollback: rollback)
      if json {
        try Console.printDocument(output.json)
      } else {
        try paper.print { output.write(to: &$0) }
      }
      // Said before a waiting signal ends the process.
      if let failure = output.failure { throw failure.reported(redacting.masking) }
    }
  }

  /// What would be done in a container; in an archive or a backup, in each.
  private func planned(_ input: BatchInput) -> [BatchOutcome] {
    attempt(input) { masking in
      switch try step(input.container, id, masking) {
      case .write(let job): (.asked(job.basis, words: masking.text(job.words)), job.recovered)
      case .nothing(let recovered): (.unchanged, recovered)
      case .notInBatch: (.notInBatch, [])
      }
    }
  }

  /// Does it in a container.
  /// - Parameter asked: what the user has agreed to; nil if the question was not asked.
  private func written(_ input: BatchInput, _ asked: BatchOutcome?, _ hasBegun: inout Bool) -> [BatchOutcome] {
    var began = hasBegun
    defer { hasBegun = began }
    return attempt(input, after: asked?.recovered ?? []) { masking in
      switch try step(input.container, id, masking) {
      case .write(let job):
        if case .asked(let basis, _)? = asked?.result, basis != job.basis {
          throw CommandFailure(
            "What would be written changed after the question. Nothing was written. Run the command again.", .stalePlan)
        }
        if !began {
          // For a command that is killed before its summary.
          Console.error("carryover: Batch \(id.text) begins.")
          began = true
        }
        return (.written(try job.write()), job.recovered)
      case .nothing(let recovered): return (.unchanged, recovered)
      case .notInBatch: return (.notInBatch, [])
      }
    }
  }

  private func attempt(
    _ input: BatchInput, after recovered: [RecoveredRun] = [],
    _ work: (Masking) throws -> (BatchOutcome.Result, [RecoveredRun])
  ) -> [BatchOutcome] {
    // Values of one container say nothing of another, and what is learned stays in memory.
    let masking = redacting.masking
    masking.subject = input.shown
    ThisProcess.hasWritten = !recovered.isEmpty
    do {
      let (result, more) = try work(masking)
      return [
        BatchOutcome(path: masking.text(input.shown), result: result, recovered: recovered + more, masking: masking)
      ]
    } catch {
      if let outcomes = input.wrapped(error, masking, isRollback: kind == .rollback) { return outcomes }
      var failure = CommandFailure(error)
      failure.sentence = masking.text(failure.sentence)
      let isBlocked = if case .blocked? = error as? RunError { true } else { false }
      return [
        BatchOutcome(
          path: masking.text(input.shown), result: isBlocked ? .blocked(failure) : .failed(failure),
          recovered: recovered, masking: masking)
      ]
    }
  }

  /// Shows what would be done and asks once, unless nothing would be.
  private func ask(_ planned: [BatchOutcome]) throws {
    let count = planned.count(where: \.isAsked)
    guard count > 0 else { return }
    try Edge.requireTerminal(for: kind.rawValue, or: "nothing was written")
    if !json {
      try paper.print { BatchOutput(kind: kind, id: id, outcomes: planned, rollback: rollback).writePlanned(to: &$0) }
    }
    let containers = ValueWording.counted(count, "container")
    let recovered = Recovered(runs: planned.flatMap(\.recovered))
    try Edge.askToGoOn(kind == .apply ? "Write \(containers)?" : "Roll back \(containers)?", after: recovered)
  }
}

extension BatchOutcome {
  var isAsked: Bool { if case .asked = result { true } else { false } }

  /// The outcome where the command ended before it was the container's turn.
  fileprivate var unreached: BatchOutcome {
    var outcome = self
    if isAsked { outcome.result = .notReached }
    return outcome
  }
}
