import Carryover
import Review
import Terminal

/// Runs a review on a terminal: events in, frames out, effects carried out in between. Synchronous, on one thread.
final class ReviewLoop {
  private let terminal: any Terminal
  private let runner: EffectRunner

  init(terminal: any Terminal, runner: EffectRunner) {
    self.terminal = terminal
    self.runner = runner
  }

  /// Shows the review until it ends.
  func run(_ container: Container, _ plan: Plan, options: ReviewOptions, after recovery: Recovery) throws
    -> ScreenLoop.Ending
  {
    runner.note(recovery.runs)
    var state = ReviewState(
      plan: plan, size: terminal.size, options: options, backupLocation: container.stateDirectory + "/runs",
      lastRun: runner.lastRun(), wrapper: container.wrapper, recovered: recovery.runs,
      recoveryFailure: recovery.failure,
      container: container, zone: Console.secondsFromUTC)
    return try ScreenLoop.run(on: terminal, frame: { render(state) }) { event in
      guard let action = ReviewAction(event) else { return true }
      _ = reduce(&state, .clock(Console.now))
      return perform(reduce(&state, action), &state)
    }
  }

  /// Carries effects out; false once the review is to end.
  private func perform(_ effects: [ReviewEffect], _ state: inout ReviewState) -> Bool {
    for effect in effects {
      switch effect {
      case .quit: return false
      case .suspend: terminal.suspend()
      case .bell: break
      case .copy(let text): terminal.copyToClipboard(text)
      case .apply, .rollback:
        // Writing may take its time on a slow disk: the screen says that it is under way.
        let frame = render(state)
        try? terminal.draw(frame.grid, cursor: frame.cursor)
        carryOut(effect, &state)
      case .loadHistory, .loadRollback: carryOut(effect, &state)
      }
    }
    return true
  }

  private func carryOut(_ effect: ReviewEffect, _ state: inout ReviewState) {
    var effects: [ReviewEffect] = []
    for action in runner.carryOut(effect, of: state.plan) { effects += reduce(&state, action) }
    _ = perform(effects, &state)
  }
}
