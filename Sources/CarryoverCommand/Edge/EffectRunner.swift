import Carryover
import CarryoverReview
import CarryoverVendors

/// Carries out what a review asks of the library, on a screen or by prompts, and answers with what came of it.
final class EffectRunner {
  private let migrator: Migrator
  private let operations = OperationLog()
  private let reopen: () throws -> (Container, Plan)
  private var container: Container
  /// What was done, for the user to find below the prompt afterwards.
  var summary: [String] = []

  /// - Parameter reopen: Reads the container again and plans it anew, after something was written.
  init(_ container: Container, migrator: Migrator, reopen: @escaping () throws -> (Container, Plan)) {
    self.container = container
    self.migrator = migrator.observed(by: operations.note)
    self.reopen = reopen
  }

  /// Carries an effect out; nothing comes of those that only a terminal can carry out.
  /// - Parameter plan: The plan under review.
  func carryOut(_ effect: ReviewEffect, of plan: Plan) -> [ReviewAction] {
    switch effect {
    case .apply(let decisions):
      write(ReviewAction.applied) { try self.migrator.apply(plan, decisions: decisions, in: $0) }
    case .rollback(let rollback, let only, let decisions):
      write(ReviewAction.rolledBack) {
        try self.migrator.rollback(rollback, only: only, decisions: decisions, in: $0, allowing: plan.allowed)
      }
    case .loadHistory:
      read {
        let listing = try self.migrator.history(of: $0)
        return .history(
          listing.runs, offsets: listing.runs.map { Console.secondsFromUTC(at: $0.moment) },
          problems: listing.problems.map(\.description))
      }
    case .loadRollback(let runID): read { .rollbackPlan(try self.migrator.rollbackPlan(in: $0, runID: runID)) }
    case .copy, .suspend, .bell, .quit, .quitForgetting: []
    }
  }

  /// Which run a rollback would take back.
  func lastRun() -> LastRun? {
    guard let run = try? migrator.lastRun(in: container) else { return nil }
    return LastRun(id: run.id, files: run.files, fields: run.fields)
  }

  func note(_ recovered: [RecoveredRun]) {
    for run in recovered { summary.append("Run \(run.id) had been interrupted: \(run.ending.rawValue).") }
  }

  /// Lets the library look.
  private func read(_ work: (Container) throws -> ReviewAction) -> [ReviewAction] {
    do {
      return [try work(container)]
    } catch {
      return [.failed(ReviewFailure(error))]
    }
  }

  /// Lets the library write, reports how it went, and how the container is afterwards.
  private func write(
    _ answer: (Result<RunReport, ReviewFailure>) -> ReviewAction, _ work: (Container) throws -> RunReport
  ) -> [ReviewAction] {
    let result: Result<RunReport, ReviewFailure>
    do {
      let report = try ThisProcess.uninterrupted { try work(container) }
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
    let ended: [ReviewAction] = [.operations(operations.take()), .clock(Console.now), answer(result)]
    do {
      let (container, plan) = try reopen()
      self.container = container
      return ended + [.reopened(container), .replanned(plan), .lastRun(lastRun())]
    } catch {
      return ended + [.failed(ReviewFailure(error))]
    }
  }
}
