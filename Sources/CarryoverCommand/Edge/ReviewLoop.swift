import Carryover
import Review
import Terminal

/// Runs a review on a terminal: events in, frames out, effects carried out in between. Synchronous, on one thread.
final class ReviewLoop {
  private let terminal: any Terminal
  private let migrator: Migrator
  private let reopen: () throws -> (Container, Plan)
  private let operations = OperationLog()
  private let keeper: DecisionKeeper
  private var container: Container?
  private var isForgetting = false
  /// What was done, for the user to find below the prompt afterwards.
  private(set) var summary: [String] = []

  /// - Parameters:
  ///   - keeper: Keeps the decisions that are not applied.
  ///   - reopen: Reads the container again and plans it anew, after something was written.
  init(
    terminal: any Terminal, migrator: Migrator, keeper: DecisionKeeper, reopen: @escaping () throws -> (Container, Plan)
  ) {
    self.terminal = terminal
    self.migrator = migrator.observed(by: operations.note)
    self.keeper = keeper
    self.reopen = reopen
  }

  /// Shows the review until it ends, and keeps what was decided and not applied, however it ends.
  /// - Parameter offer: what an earlier review has kept, and what is wrong with the file of it.
  func run(
    _ container: Container, _ plan: Plan, options: ReviewOptions, after recovery: Recovery, offer: KeptOffer
  ) throws -> ScreenLoop.Ending {
    self.container = container
    note(recovery.runs)
    var state = ReviewState(
      plan: plan, size: terminal.size, options: options, backupLocation: container.stateDirectory + "/runs",
      lastRun: lastRun(), wrapper: container.wrapper, recovered: recovery.runs, recoveryFailure: recovery.failure,
      container: container, zone: Console.secondsFromUTC)
    if let review = offer.review { _ = reduce(&state, .kept(review)) }
    if let problem = offer.problem {
      // A path does not fit into the last line.
      _ = reduce(&state, .notice("What an earlier review may have kept cannot be read; why is said when you leave."))
      summary.append(problem.description)
    }
    defer { finish(state) }
    var shown = state.screen
    let isElsewhere = {
      defer { shown = state.screen }
      return shown != state.screen
    }
    return try ScreenLoop.run(
      on: terminal, isElsewhere: isElsewhere, frame: { render(state) },
      pause: {
        guard keeper.passingBy(state) else { return false }
        _ = reduce(&state, .keeping(Keeping(keeper.problem)))
        return true
      },
      take: { event in
        guard let action = ReviewAction(event) else { return true }
        _ = reduce(&state, .clock(Console.now))
        let goesOn = perform(reduce(&state, action), &state)
        if state.screen == .quit {
          keeper.beforeAsking(state)
          _ = reduce(&state, .keeping(Keeping(keeper.problem)))
        }
        return goesOn
      })
  }

  /// Keeps what is to be kept, and says so.
  private func finish(_ state: ReviewState) {
    guard !isForgetting else {
      keeper.forget(state)
      return
    }
    keeper.keep(state)
    let count = state.decisionsToKeep.count
    guard count > 0 else { return }
    if let problem = keeper.problem {
      summary.append("\(Self.decisions(count)) could not be kept. \(problem.description)")
    } else {
      summary.append("\(Self.decisions(count)) kept for the next review of \(container?.name ?? "this container").")
    }
  }

  private static func decisions(_ count: Int) -> String { "\(count) decision\(count == 1 ? "" : "s")" }

  /// Carries effects out; false once the review is to end.
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
    keeper.fieldsChanged()
    // What was applied is not offered again, even if the process is killed now.
    keeper.keep(state)
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

/// What an earlier review of a container has kept.
struct KeptOffer {
  /// The decisions; nil where there are none.
  var review: KeptReview?
  /// Why a file that is there cannot be read.
  var problem: SavedReviewError?

  init(_ file: SavedReviewFile, _ plan: Plan) {
    let (review, problem) = file.read(for: plan)
    self.review = review.map { KeptReview($0, plan) }
    self.problem = problem
  }
}
