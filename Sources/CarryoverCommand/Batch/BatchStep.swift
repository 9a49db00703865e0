import Carryover

/// What a batch does in one container.
enum BatchStep {
  /// Files would be written.
  case write(BatchJob)
  /// Nothing has to be written.
  case nothing([RecoveredRun])
  /// No run of the container belongs to the batch that is rolled back.
  case notInBatch
}

/// A run of a batch that has not begun.
struct BatchJob {
  /// What would be written. What was asked about is compared with it.
  var basis: AnyHashable
  /// The same in a few words.
  var words: String
  /// What was done about earlier runs first.
  var recovered: [RecoveredRun]
  /// Makes the run.
  var write: () throws -> RunReport
}

/// What became of one container of a batch.
struct BatchOutcome {
  enum Result {
    case written(RunReport)
    /// Would be written if the question is answered with yes.
    case asked(AnyHashable, words: String)
    case unchanged
    case notInBatch
    /// The command was asked to end first.
    case notReached
    /// A finding blocks it, whatever is decided.
    case blocked(CommandFailure)
    case failed(CommandFailure)
  }

  /// The container's path as it is shown.
  var path: String
  var result: Result
  /// Runs that were recovered first.
  var recovered: [RecoveredRun] = []
  /// What is shown of the container goes through it.
  var masking: Masking

  /// The status that the container alone would end with.
  var status: ExitStatus {
    switch result {
    case .blocked(let failure), .failed(let failure): failure.status
    case .notReached: .recoveryNeeded
    default: .done
    }
  }
}

extension BatchOutcome {
  /// The kinds of outcomes in the order in which they are counted. The raw value is the word in JSON output.
  enum Kind: String, CaseIterable {
    case written, unchanged
    case notInBatch = "not-in-batch"
    case blocked
    case decisionsNeeded = "decisions-needed"
    case conflict
    case stalePlan = "stale-plan"
    case usage, error
    case recoveryNeeded = "recovery-needed"
    case notReached = "not-reached"
  }

  var kind: Kind {
    switch result {
    case .written, .asked: .written
    case .unchanged: .unchanged
    case .notInBatch: .notInBatch
    case .notReached: .notReached
    case .blocked: .blocked
    case .failed(let failure): Kind(rawValue: failure.status.name) ?? .error
    }
  }
}
