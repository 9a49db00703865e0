import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// What a list of containers needs of the review that its containers are opened for.
struct ListedReview {
  /// The arguments of the workers that plan the containers; nil if none is planned.
  let workers: (ListChoices) -> [String]?
  /// A batch that applies, or that rolls back the last run of each container.
  let batch: (RunKind, ListChoices, [BatchInput]) -> ContainerBatch
  /// Takes what was written, to be printed when the screen is gone.
  let note: (String) -> Void
}

/// Carries out what a list of containers asks for, on the screen and line by line.
final class ListRunner {
  private let candidates: [ContainerCandidate]
  private let container: ContainerArguments
  private let review: ListedReview?
  private let masking: Masking
  private let wake: @Sendable () -> Void
  private(set) var states: ContainerStates?
  /// What the user was shown.
  private var previewed: (listed: [ListedContainer], batch: ContainerBatch, outcomes: [[BatchOutcome]])?

  init(
    _ candidates: [ContainerCandidate], in container: ContainerArguments, for review: ListedReview?,
    _ choices: ListChoices, _ masking: Masking, wake: @escaping @Sendable () -> Void
  ) {
    (self.candidates, self.container, self.review, self.wake) = (candidates, container, review, wake)
    self.masking = masking
    readStates(choices)
  }

  private func readStates(_ choices: ListChoices) {
    states?.end()
    states = review?.workers(choices).map {
      ContainerStates(candidates, at: container.path, arguments: $0, wake: wake)
    }
  }

  func state(_ place: String, _ choices: ListChoices, size: Size, options: ReviewOptions) -> PickerState {
    PickerState(
      candidates, place: place, isPlanning: states != nil, isReviewing: review != nil, choices: choices, size: size,
      options: options)
  }

  /// Leaves to the loop what only it can carry out.
  /// - Parameters:
  ///   - show: shows which container of a batch is next.
  ///   - isStopped: whether the user stops a batch; asked before each of its containers.
  func carryOut(
    _ effect: PickerEffect, _ state: inout PickerState, show: (PickerState) -> Void = { _ in },
    unless isStopped: () -> Bool = { false }
  ) {
    switch effect {
    case .preview(let kind, let listed): preview(kind, listed, &state, show, isStopped)
    case .write: write(&state, show, isStopped)
    case .history(let candidate): showHistory(of: candidate, &state)
    case .replan: readStates(state.choices)
    case .choose, .errand, .suspend, .bell, .leave: break
    }
  }

  private func preview(
    _ kind: RunKind, _ all: [ListedContainer], _ state: inout PickerState, _ show: (PickerState) -> Void,
    _ isStopped: () -> Bool
  ) {
    guard let review else { return state.comeBack(size: state.size) }
    // An archive is read-only, so it has no runs.
    let listed = all.filter { kind == .apply || $0.candidate.kind != nil }
    let batch = review.batch(kind, state.choices, listed.map { BatchInput($0, in: container) })
    let outcomes = Console.holdingErrors {
      batch.planned {
        state.progress(of: listed.count)
        show(state)
        return isStopped()
      }
    }.result
    states?.readAgain(zip(listed, outcomes).filter { $0.1.contains(where: \.isRecovered) }.map(\.0.candidate))
    guard outcomes.count == listed.count else { return state.comeBack(size: state.size) }
    previewed = (listed, batch, outcomes)
    state.show(batch.output(outcomes.flatMap(\.self)).listedPlan, on: .containersPreview)
  }

  private func write(_ state: inout PickerState, _ show: (PickerState) -> Void, _ isStopped: () -> Bool) {
    guard let (listed, batch, outcomes) = previewed else { return state.comeBack(size: state.size) }
    previewed = nil
    let (output, notices) = ThisProcess.uninterrupted {
      Console.holdingErrors {
        batch.write(outcomes) {
          state.progress(of: listed.count)
          show(state)
          return isStopped()
        }
      }
    }
    if let rollback = output.rollbackOfBatch {
      review?.note("Batch \(batch.id.text): \(output.doneCounts) To roll it back: \(rollback.text)")
    }
    let written = zip(listed, outcomes).filter { $0.1.contains(where: \.isAsked) }
    states?.readAgain(written.map(\.0.candidate))
    state.show(ListedBatch(output.blocks(after: notices), kind: output.kind), on: .containersResult)
  }

  private func showHistory(of candidate: ContainerCandidate, _ state: inout PickerState) {
    do {
      let selection = ContainerSelection.path(candidate.path)
      let opened = try container.open(selection, masking, quietly: true)
      let listing = try Edge.migrator(opened).history(of: opened.container)
      masking.learn(listing.runs)
      var adopting = container.command("recover", selection)
      adopting.add("--adopt", if: true)
      state.show(
        historyOf: candidate.path,
        HistoryOutput.blocks(listing, adopting: adopting, in: opened.container.wrapper))
    } catch {
      state.comeBack(size: state.size, failure: ReviewFailure(error))
    }
  }
}

extension BatchInput {
  /// Listed archives, and the containers in them, are read-only, so none of them is opened.
  fileprivate init(_ listed: ListedContainer, in list: ContainerArguments) {
    container = list
    container.path = FilePath.join(list.path, listed.candidate.path)
    (container.choosing.container, container.choosing.app) = (nil, nil)
    shown = listed.candidate.path
    if let reason = listed.obstacle {
      obstacle = CommandFailure("Not opened: \(reason).", .error)
    } else if listed.candidate.kind == nil {
      obstacle = RunError.wrapped(ContainerWrapper(.archive, path: container.path))
      isArchive = true
    } else {
      obstacle = ContainerOpener().wrapper(above: container.path).map(RunError.wrapped)
    }
  }
}

extension ApplyJob {
  /// The step of a batch from a list. It decides by finding, and leaves out a container with undecided fields
  /// or saved decisions.
  static func step(
    _ container: ContainerArguments, _ planning: PlanningArguments, _ policy: DecisionPolicy, of batch: BatchID,
    _ masking: Masking
  ) throws -> BatchStep {
    let job = try ApplyJob(container, planning, for: .apply(asking: false), masking) { plan in
      ConflictPolicy.fail.applied(to: plan, policy.applied(to: plan, [:]))
    }
    do {
      try job.check(or: job.recovered.runs.isEmpty ? "" : job.recovered.nothingElse)
    } catch let failure as CommandFailure where [.decisionsNeeded, .conflict].contains(failure.status) {
      let fields = job.plan.undecided(job.decisions).map(\.id).joined(separator: ", ")
      throw CommandFailure("Undecided: \(fields). Open the container to decide, or decide by finding.", failure.status)
    }
    let file = Edge.savedReview(of: job.opened)
    let saved = job.plan.recipePlans.map { file.read(for: $0) }
    if let problem = saved.lazy.compactMap(\.problem).first {
      throw CommandFailure("The saved decisions cannot be read. \(problem.description)", .decisionsNeeded)
    }
    let count = saved.filter { $0.foreign == nil }.reduce(0) { $0 + ($1.review?.decisions.count ?? 0) }
    if count > 0 {
      throw CommandFailure(
        "\(ValueWording.counted(count, "saved decision")) from an earlier review. Open the container to restore or "
          + "discard them.", .decisionsNeeded)
    }
    return job.step(of: batch, planning, masking)
  }
}
