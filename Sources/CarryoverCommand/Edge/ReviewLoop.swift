import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// Runs a review on a terminal: events in, frames out, effects in between. Synchronous, on one thread.
final class ReviewLoop {
  private let terminal: any Terminal
  private let job: ReviewJob
  private var end: ReviewEffect?

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
    defer { runner.summary += keeper.finish(state, of: job.container.name, isForgetting: end == .quitForgetting) }
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
        end = job.perform(reduce(&state, input), on: terminal, of: { state }) { $0(&state) }
        if state.screen == .quit {
          keeper.beforeAsking(state)
          _ = reduce(&state, .keeping(Keeping(keeper.problem)))
        }
        return end == nil
      })
  }
}

extension ReviewJob {
  /// Carries out effects, and those that their results ask for.
  /// - Parameters:
  ///   - terminal: nil line by line.
  ///   - change: changes the state, and may show the change.
  /// - Returns: the effect that ends the review; nil if it goes on.
  func perform(
    _ effects: [ReviewEffect], on terminal: (any Terminal)?, of state: () -> ReviewState,
    _ change: (_ work: (inout ReviewState) -> [ReviewEffect]) throws -> [ReviewEffect]
  ) rethrows -> ReviewEffect? {
    var pending = effects[...]
    while let effect = pending.popFirst() {
      switch effect {
      case .quit, .quitForgetting: return effect
      case .bell: break
      case .copy(let text): terminal?.copyToClipboard(text)
      case .suspend:
        keeper.keep(state())
        terminal?.suspend()
      case .errand(let errand):
        let state = state()
        keeper.keep(state)
        let errands = Errands(terminal, state.container, targets: state.plan.targets.map(\.path))
        let answer = errands.carryOut(errand)
        pending += try change { reduce(&$0, .answer(answer)) }
      case .apply, .rollback:
        if let terminal {
          // Writing can take long on a slow disk: the screen says that it has begun.
          let frame = render(state())
          try? terminal.draw(frame.grid, cursor: frame.cursor)
        }
        pending += try carryOut(effect, state(), change)
        // What was applied is not offered again, even if the process is killed now.
        keeper.keep(state())
      case .loadHistory, .loadRollback, .plan, .report: pending += try carryOut(effect, state(), change)
      }
    }
    return nil
  }

  private func carryOut(
    _ effect: ReviewEffect, _ state: ReviewState,
    _ change: (_ work: (inout ReviewState) -> [ReviewEffect]) throws -> [ReviewEffect]
  ) rethrows -> [ReviewEffect] {
    let news = runner.carryOut(effect, of: state.plan)
    // The results of a run are shown together.
    return try change { state in news.flatMap { reduce(&state, $0) } }
  }
}
