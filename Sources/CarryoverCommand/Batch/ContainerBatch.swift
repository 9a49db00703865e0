import Carryover
import CarryoverContainers
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// One command in many containers: each is planned, decided and written by itself, so a failure in one does not stop
/// the others.
struct ContainerBatch {
  let kind: RunKind
  let id = BatchID(Console.now, digits: .random(in: 0...0xFF_FFFF))
  let inputs: [BatchInput]
  /// The command that rolls the batch back, without its id.
  let rollback: ShellCommand
  let redacting: RedactionArguments
  let yes: Bool
  let json: Bool
  let paper: Paper
  /// Recovers an interrupted run of the container first.
  let step: (ContainerArguments, BatchID, Masking) throws -> BatchStep

  func run() throws {
    let asked = yes ? nil : planned()
    if let asked { try ask(asked.flatMap(\.self)) }
    try ThisProcess.uninterrupted {
      let output = write(asked)
      try paper.print(json: json, output.json) { $0.add(output.blocks()) }
      // Said before a waiting signal ends the process.
      if let failure = output.failure { throw failure.reported(redacting.masking) }
    }
  }

  /// What would become of each input, up to the one before which the user stops.
  /// - Parameter isStopped: called before each input.
  func planned(unless isStopped: () -> Bool = { false }) -> [[BatchOutcome]] {
    var outcomes: [[BatchOutcome]] = []
    for input in inputs {
      guard !isStopped() else { break }
      outcomes.append(planned(input))
    }
    return outcomes
  }

  /// Writes the inputs one after the other; the user, or a signal that waits, ends it between two of them.
  /// - Parameters:
  ///   - asked: what the user has agreed to; nil if the question was not asked.
  ///   - isStopped: called before each input.
  func write(_ asked: [[BatchOutcome]]?, unless isStopped: () -> Bool = { false }) -> BatchOutput {
    var outcomes: [BatchOutcome] = []
    var (hasBegun, isOver) = (false, false)
    for (index, input) in inputs.enumerated() {
      isOver = isOver || ThisProcess.isAskedToEnd || isStopped()
      if isOver {
        outcomes += (asked?[index] ?? [BatchOutcome(path: input.shown, result: .notReached, masking: Masking(false))])
          .map(\.unreached)
      } else if let known = asked?[index], !known.contains(where: \.isAsked) {
        outcomes += known
      } else {
        outcomes += written(input, asked?[index].first, &hasBegun)
      }
    }
    return output(outcomes)
  }

  func output(_ outcomes: [BatchOutcome]) -> BatchOutput {
    BatchOutput(kind: kind, id: id, outcomes: outcomes, rollback: rollback)
  }

  /// The outcomes of the containers in an archive or a backup.
  private func planned(_ input: BatchInput) -> [BatchOutcome] {
    attempt(input) { job, masking in .asked(job.basis, words: masking.text(job.words), fields: job.fields) }
  }

  /// - Parameter asked: what the user has agreed to; nil if the question was not asked.
  private func written(_ input: BatchInput, _ asked: BatchOutcome?, _ hasBegun: inout Bool) -> [BatchOutcome] {
    attempt(input, after: asked?.recovered ?? []) { job, _ in
      if case .asked(let basis, _, _)? = asked?.result, basis != job.basis {
        throw CommandFailure(
          "The planned changes differ from those in the question. Nothing was written. Run the command again.",
          .stalePlan)
      }
      // For a command that is killed before its summary.
      if !hasBegun { Console.error("carryover: Batch \(id.text) started.") }
      hasBegun = true
      return .written(try job.write())
    }
  }

  private func attempt(
    _ input: BatchInput, after recovered: [RecoveredRun] = [],
    _ work: (BatchJob, Masking) throws -> BatchOutcome.Result
  ) -> [BatchOutcome] {
    // Values of one container say nothing of another, and what is learned stays in memory.
    let masking = redacting.masking
    masking.subject = input.shown
    ThisProcess.hasWritten = !recovered.isEmpty
    var outcome = BatchOutcome(path: "", result: .unchanged, recovered: recovered, masking: masking)
    do {
      if let obstacle = input.obstacle { throw obstacle }
      switch try step(input.container, id, masking) {
      case .write(let job):
        outcome.result = try work(job, masking)
        outcome.recovered += job.recovered
        outcome.others = job.others
      case .nothing(let recovered, let others):
        outcome.recovered += recovered
        outcome.others = others
      case .notInBatch: outcome.result = .notInBatch
      }
    } catch {
      if let outcomes = input.wrapped(error, masking, isRollback: kind == .rollback) { return outcomes }
      var failure = CommandFailure(error)
      failure.sentence = masking.text(failure.sentence)
      switch error as? RunError {
      case .blocked?: outcome.result = .blocked(failure)
      case .wrapped?: outcome.result = input.isArchive ? .unopenedArchive(failure) : .readOnly(failure)
      default: outcome.result = .failed(failure)
      }
    }
    outcome.path = masking.text(input.shown)
    outcome.isRecovered = ThisProcess.hasWritten
    return [outcome]
  }

  private func ask(_ planned: [BatchOutcome]) throws {
    let count = planned.count(where: \.isAsked)
    guard count > 0 else { return }
    let containers = ValueWording.counted(count, "container")
    try Edge.confirm(
      kind == .apply ? "Write \(containers)?" : "Roll back \(containers)?", unless: false, for: kind.rawValue,
      or: "nothing was written", after: Recovered(runs: planned.flatMap(\.recovered))
    ) {
      guard !json else { return }
      try paper.print { $0.add(output(planned).plannedBlocks) }
    }
  }
}

extension ApplyJob {
  /// Its part of a batch, once it has been checked.
  func step(of batch: BatchID, _ planning: PlanningArguments, _ masking: Masking) -> BatchStep {
    let others = others(beside: planning, masking).filter { !$0.isGap && !$0.verdict.losses.isEmpty }
    guard changesFiles else { return .nothing(recovered.runs, others: others) }
    let changes = plan.changes(decisions)
    let targets = plan.recipePlans.compactMap(\.target?.path)
    let counts = "\(FieldSummary.counts(plan, decisions)): \(targets.joined(separator: ", "))"
    let words = ([counts] + plan.losses(ofRun: decisions).map(\.sentence)).joined(separator: ". ")
    return .write(
      BatchJob(
        basis: [AnyHashable(changes), AnyHashable(targets)], words: words, fields: changes.count,
        recovered: recovered.runs, others: others
      ) { try write(with: Edge.migrator(opened).recording(batch), masking) })
  }

  /// The verdicts on the SDKs that the run is not about, the most serious first. Empty if they cannot be computed: that
  /// does not stop the run.
  func others(beside planning: PlanningArguments, _ masking: Masking) -> [RecipeVerdict] {
    let (migrator, container) = (Edge.migrator(opened), opened.container)
    let given = planning.values.forOthers
    var options = PlannerOptions(parameters: given, allowed: planning.allowed)
    guard let removed = try? migrator.removedByCleanups(in: container) else { return [] }
    options.removed = removed
    let others = try? migrator.verdicts(
      beside: plan.recipePlans, among: PlanChoices.callable(under: planning.recipe), in: container, options: options,
      given: given, shown: masking.findings)
    return RecipeVerdict.sorted(others ?? [])
  }
}

enum BatchStep {
  case write(BatchJob)
  case nothing([RecoveredRun], others: [RecipeVerdict] = [])
  case notInBatch
}

struct BatchJob {
  /// What would be written, to be compared with what the user agreed to.
  var basis: AnyHashable
  var words: String
  /// How many would be written.
  var fields: Int
  var recovered: [RecoveredRun]
  var others: [RecipeVerdict] = []
  var write: () throws -> RunReport
}

struct BatchOutcome {
  enum Result {
    case written(RunReport)
    /// Written if the user answers yes.
    case asked(AnyHashable, words: String, fields: Int)
    case unchanged
    case notInBatch
    /// The command was told to stop before this container.
    case notReached
    /// A finding blocks it, whatever is decided.
    case blocked(CommandFailure)
    /// It is in an archive or a backup.
    case readOnly(CommandFailure)
    /// It is a listed archive with any number of containers.
    case unopenedArchive(CommandFailure)
    case failed(CommandFailure)
  }

  var path: String
  var result: Result
  var recovered: [RecoveredRun] = []
  /// Whether an interrupted run was recovered, even if something failed after that.
  var isRecovered = false
  /// The SDKs that the batch is not about and that lose something here.
  var others: [RecipeVerdict] = []
  var masking: Masking

  var status: ExitStatus {
    switch result {
    case .blocked(let failure), .readOnly(let failure), .unopenedArchive(let failure), .failed(let failure):
      failure.status
    case .notReached: .recoveryNeeded
    default: .done
    }
  }

  var isAsked: Bool { if case .asked = result { true } else { false } }

  fileprivate var unreached: BatchOutcome {
    var outcome = self
    if isAsked { outcome.result = .notReached }
    return outcome
  }

  /// In the order in which they are counted; the raw value is the word in JSON.
  enum Kind: String, CaseIterable, JSONConvertible {
    case written, unchanged
    case notInBatch = "not-in-batch"
    case blocked
    case decisionsNeeded = "decisions-needed"
    case conflict
    case stalePlan = "stale-plan"
    case usage, error
    case recoveryNeeded = "recovery-needed"
    case notReached = "not-reached"
    case readOnly = "read-only"
  }

  var kind: Kind {
    switch result {
    case .written, .asked: .written
    case .unchanged: .unchanged
    case .notInBatch: .notInBatch
    case .notReached: .notReached
    case .blocked: .blocked
    case .readOnly, .unopenedArchive: .readOnly
    case .failed(let failure): Kind(rawValue: failure.status.name) ?? .error
    }
  }
}

struct BatchInput {
  var container: ContainerArguments
  var shown: String
  /// The reason not to open it; nil to open it.
  var obstacle: (any Error)?
  /// Whether it is an archive that is not opened.
  var isArchive = false
}

extension ContainerArguments {
  /// Whether the path is a folder of several containers, which makes a batch.
  func isFolder(of error: ContainerError) -> Bool {
    guard choosing.container == nil, choosing.app == nil,
      case .holdsContainers(let candidates, let more) = error.kind, candidates.count + more > 1,
      let listing = try? ContainerOpener().containers(at: path)
    else { return false }
    return listing.wrapper == nil
  }

  /// Whether the path is a folder of containers, or an archive of several, which are all extracted. Of a backup on the
  /// disk, an app has to be chosen.
  func isExtractedWhole(after error: ContainerError) -> Bool {
    guard choosing.container == nil, choosing.app == nil, case .holdsContainers = error.kind else { return false }
    if (try? POSIXFileSystem().status(path))?.kind == .regular { return true }
    if let wrapper = ContainerOpener().wrapper(above: path) { return wrapper.form == .archive }
    return (try? ContainerOpener().containers(at: path)).map { $0.wrapper == nil } ?? false
  }

  /// The containers, archives and backups at the paths, each once, in the order of the paths.
  func inputs(_ paths: [String]) throws -> [BatchInput] {
    _ = try options()
    if choosing.container != nil || choosing.app != nil {
      throw CommandFailure.usage(
        "\(choosing.app == nil ? "--container" : "--app") chooses a single container; for a batch, give only paths.")
    }
    let absent = paths.lazy.compactMap { ContainerOpener().absence(of: $0) }
    if let error = absent.first { throw error }
    if paths.count > 1 { try requireNoPlan(paths) }
    var found = AuditInputs(paths)
    var inputs: [BatchInput] = []
    while let input = found.next() {
      var container = self
      container.path = input.path
      inputs.append(BatchInput(container: container, shown: input.shown))
    }
    guard !inputs.isEmpty else { throw CommandFailure("There is no container at these paths.", .error) }
    return inputs
  }

  /// A plan names its container and has decisions of its own, which suit no other.
  private func requireNoPlan(_ paths: [String]) throws {
    let files = SavedPlanFile(fileSystem: POSIXFileSystem())
    guard let plan = try paths.first(where: { try files.read($0) != nil }) else { return }
    throw CommandFailure.usage(
      "“\(DisplayText.visible(plan))” is a saved plan. Apply saved plans one at a time: each has its own container and "
        + "decisions.")
  }
}

extension BatchInput {
  /// The containers of a read-only archive or backup with several; nil for any other error.
  func wrapped(_ error: any Error, _ masking: Masking, isRollback: Bool) -> [BatchOutcome]? {
    guard let error = error as? ContainerError, case .holdsContainers(_, more: 0) = error.kind,
      let listing = try? ContainerOpener().containers(at: container.path), let wrapper = listing.wrapper
    else { return nil }
    let failure = CommandFailure(RunError.wrapped(wrapper))
    return listing.candidates.map { candidate in
      BatchOutcome(
        path: FilePath.join(shown, candidate.path), result: isRollback ? .notInBatch : .readOnly(failure),
        masking: masking)
    }
  }
}
