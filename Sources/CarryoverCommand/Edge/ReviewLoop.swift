import Carryover
import Review
import Terminal

/// Runs a review on a terminal: events in, frames out, effects carried out in between. Synchronous, on one thread.
final class ReviewLoop {
  private let terminal: any Terminal
  private let migrator: Migrator
  private let reopen: () throws -> (Container, Plan)
  private let operations = OperationLog()
  private var container: Container?
  /// What was done, for the user to find below the prompt afterwards.
  private(set) var summary: [String] = []

  /// - Parameter reopen: Reads the container again and plans it anew, after something was written.
  init(terminal: any Terminal, migrator: Migrator, reopen: @escaping () throws -> (Container, Plan)) {
    self.terminal = terminal
    self.migrator = migrator.observed(by: operations.note)
    self.reopen = reopen
  }

  /// Shows the review until it ends.
  func run(_ container: Container, _ plan: Plan, options: ReviewOptions, after recovery: Recovery) throws
    -> ScreenLoop.Ending
  {
    self.container = container
    note(recovery.runs)
    var state = ReviewState(
      plan: plan, size: terminal.size, options: options, backupLocation: container.stateDirectory + "/runs",
      lastRun: lastRun(), wrapper: container.wrapper, recovered: recovery.runs, recoveryFailure: recovery.failure,
      container: container, zone: Console.secondsFromUTC)
    var shown = state.screen
    let isElsewhere = {
      defer { shown = state.screen }
      return shown != state.screen
    }
    return try ScreenLoop.run(on: terminal, isElsewhere: isElsewhere, frame: { render(state) }) { event in
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
      case .apply(let decisions):
        let plan = state.plan
        write(ReviewAction.applied, &state) { container in
          try self.migrator.apply(plan, decisions: decisions, in: container)
        }
      case .rollback(let plan, let only, let decisions):
        let allowed = state.plan.allowed
        write(ReviewAction.rolledBack, &state) { container in
          try self.migrator.rollback(plan, only: only, decisions: decisions, in: container, allowing: allowed)
        }
      case .loadHistory:
        read(&state) { container in
          let listing = try self.migrator.history(of: container)
          return .history(
            listing.runs, offsets: listing.runs.map { Console.secondsFromUTC(at: $0.moment) },
            problems: listing.problems.map(\.description))
        }
      case .loadRollback(let runID):
        read(&state) { .rollbackPlan(try self.migrator.rollbackPlan(in: $0, runID: runID)) }
      }
    }
    return true
  }

  /// Lets the library look, and answers with what it found.
  private func read(_ state: inout ReviewState, _ work: (Container) throws -> ReviewAction) {
    guard let container else { return }
    let action: ReviewAction
    do {
      action = try work(container)
    } catch {
      action = .failed(ReviewFailure(error))
    }
    _ = perform(reduce(&state, action), &state)
  }

  /// Lets the library write, reports how it went, and shows the container as it is afterwards.
  private func write(
    _ answer: (Result<RunReport, ReviewFailure>) -> ReviewAction, _ state: inout ReviewState,
    _ work: (Container) throws -> RunReport
  ) {
    guard let container else { return }
    // Writing may take its time on a slow disk: the screen says that it is under way.
    let frame = render(state)
    try? terminal.draw(frame.grid, cursor: frame.cursor)
    let result: Result<RunReport, ReviewFailure>
    do {
      let report = try Edge.uninterrupted { try work(container) }
      note(report.recovered)
      if let id = report.runID {
        summary.append(
          report.kind == .apply
            ? "Run \(id) wrote \(report.files.joined(separator: ", "))."
            : "Run \(id) took back run \(report.rolledBack ?? "?").")
      }
      result = .success(report)
    } catch {
      result = .failure(ReviewFailure(error))
    }
    _ = reduce(&state, .operations(operations.take()))
    _ = reduce(&state, .clock(Console.now))
    let effects = reduce(&state, answer(result))
    do {
      let (container, plan) = try reopen()
      self.container = container
      _ = reduce(&state, .reopened(container))
      _ = reduce(&state, .replanned(plan))
      _ = reduce(&state, .lastRun(lastRun()))
    } catch {
      _ = reduce(&state, .failed(ReviewFailure(error)))
    }
    _ = perform(effects, &state)
  }

  private func lastRun() -> LastRun? {
    guard let container, let run = try? migrator.lastRun(in: container) else { return nil }
    return LastRun(id: run.id, files: run.files, fields: run.fields)
  }

  private func note(_ recovered: [RecoveredRun]) {
    for run in recovered { summary.append("Run \(run.id) had been interrupted: \(run.ending.rawValue).") }
  }
}
