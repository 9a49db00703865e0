import Carryover
import CarryoverContainers
import CarryoverReview

/// What became of runs that had been interrupted, before a review begins.
struct Recovery {
  /// The runs that were brought to an end.
  var runs: [RecoveredRun] = []
  /// Why one could not be.
  var failure: ReviewFailure?

  /// Nothing.
  init() {}

  /// Brings what was interrupted in a container to its end. Writes nothing where nothing was.
  /// - Parameter asking: whether the user can be asked, at a prompt, about a run that came with the container.
  init(of opened: OpenedContainer, allowing allowed: Set<FindingCode>, asking: Bool, _ masking: Masking) {
    do {
      _ = try ForeignState(opened: opened, allowed: allowed, masking: masking).settle(asking: asking)
      runs = try ThisProcess.uninterrupted {
        try Edge.migrator(opened).recover(in: opened.container, allowing: allowed)
      }
    } catch {
      failure = ReviewFailure(error)
    }
  }
}

extension ReviewFailure {
  /// An error in the words of the command.
  init(_ error: any Error) { self.init(message: CommandFailure(error).sentence, remedy: "") }
}
