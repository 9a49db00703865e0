import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// Runs a review on a terminal: events in, frames out, effects in between. Synchronous, on one thread.
final class ReviewLoop {
  private let terminal: any Terminal
  private let job: ReviewJob
  private var isForgetting = false

  init(_ terminal: any Terminal, _ job: ReviewJob) {
    (self.terminal, self.job) = (terminal, job)
  }

  private var runner: EffectRunner { job.runner }
  private var keeper: DecisionKeeper { job.keeper }

  /// Shows the review until it ends, and saves the decisions that were not applied.
  func run(options: ReviewOptions) throws -> ScreenLoop.Ending {
    var state = job.state(size: terminal.size, options: options)
    if let problem = job.keptProblem {
      // A path does not fit into the last line.
      _ = reduce(&state, .notice("The saved decisions cannot be read; the reason is printed when you leave."))
      runner.summary.append(problem.description)
    }
    defer { runner.summary += keeper.finish(state, of: job.container.name, isForgetting: isForgetting) }
    // These screens have to be seen before a key acts on them: nothing typed ahead may apply a plan or dismiss a
    // result.
    let asking = ReviewState.table.asking.union([.result, .failure])
    return try ScreenLoop.run(
      on: terminal, screen: { state.screen }, asking: asking, frame: { render(state) },
      pause: {
        guard keeper.passingBy(state) else { return false }
        _ = reduce(&state, .keeping(Keeping(keeper.problem)))
        return true
      },
      take: { event in
        guard let input = ScreenInput(event) else { return true }
        _ = reduce(&state, .clock(Console.now))
        let goesOn = perform(reduce(&state, input), &state)
        if state.screen == .quit {
          keeper.beforeAsking(state)
          _ = reduce(&state, .keeping(Keeping(keeper.problem)))
        }
        return goesOn
      })
  }

  /// Carries out effects; false when the review ends.
  private func perform(_ effects: [ReviewEffect], _ state: inout ReviewState) -> Bool {
    for effect in effects {
      switch effect {
      case .quit: return false
      case .quitForgetting:
        isForgetting = true
        return false
      case .suspend:
        keeper.keep(state)
        terminal.suspend()
      case .bell: break
      case .copy(let text): terminal.copyToClipboard(text)
      case .errand(let errand):
        keeper.keep(state)
        _ = perform(reduce(&state, .answer(errands(state).carryOut(errand))), &state)
      case .apply, .rollback:
        // Writing can take long on a slow disk: the screen says that it has begun.
        let frame = render(state)
        try? terminal.draw(frame.grid, cursor: frame.cursor)
        let asked = carryOut(effect, &state)
        keeper.fieldsChanged()
        // What was applied is not offered again, even if the process is killed now.
        keeper.keep(state)
        _ = perform(asked, &state)
      case .loadHistory, .loadRollback, .plan, .report: _ = perform(carryOut(effect, &state), &state)
      }
    }
    return true
  }

  private func errands(_ state: ReviewState) -> Errands {
    Errands(terminal, state.container, targets: state.plan.targets.map(\.path))
  }

  private func carryOut(_ effect: ReviewEffect, _ state: inout ReviewState) -> [ReviewEffect] {
    runner.carryOut(effect, of: state.plan).flatMap { reduce(&state, $0) }
  }
}
