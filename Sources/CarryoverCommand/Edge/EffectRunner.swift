import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverVendors

struct PlannedAgain {
  var container: Container
  var plan: Plan
  var others: [RecipeVerdict]
}

/// Carries out what a review asks of the library, and answers with the result.
final class EffectRunner {
  private let migrator: Migrator
  private let reopen: (PlanChoices) throws -> PlannedAgain
  /// Reads the container with what only the stores show.
  private let stores: (PlanChoices) throws -> Container
  private let report: (PlanChoices) throws -> SharedReport
  private var choices: PlanChoices
  private var container: Container
  /// The review goes on there.
  var moved: MovedReview?
  /// Printed below the prompt afterwards.
  var summary: [String] = []

  init(
    _ container: Container, migrator: Migrator, choices: PlanChoices,
    reopen: @escaping (PlanChoices) throws -> PlannedAgain,
    stores: @escaping (PlanChoices) throws -> Container,
    report: @escaping (PlanChoices) throws -> SharedReport
  ) {
    self.container = container
    self.choices = choices
    self.migrator = migrator
    self.reopen = reopen
    self.stores = stores
    self.report = report
  }

  /// Effects that only a terminal can carry out have no result.
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
    case .loadRollback(let runID):
      read { container in
        let plan = try self.migrator.rollbackPlan(in: container, runID: runID)
        return .rollbackPlan(plan, sdks: self.migrator.sdks(of: plan, in: container, now: Console.now))
      }
    case .plan(let choices): replan(choices)
    case .readStores: read { _ in .stores(try self.stores(self.choices)) }
    case .report: read { _ in .reported(try self.report(self.choices)) }
    case .copy, .errand, .extract, .suspend, .bell, .quit, .quitForgetting: []
    }
  }

  /// The run that can be rolled back.
  func lastRun() -> RunSummary.ID? { (try? migrator.lastRun(in: container))?.id }

  /// Newest first.
  func runs() -> [RunSummary] { (try? migrator.history(of: container))?.runs ?? [] }

  func note(_ recovered: [RecoveredRun]) { summary += recovered.map(\.words) }

  private func read(_ work: (Container) throws -> ReviewAction) -> [ReviewAction] {
    do {
      return [try work(container)]
    } catch {
      return [.failed(ReviewFailure(error))]
    }
  }

  /// Choices that no plan can be made under change nothing.
  private func replan(_ choices: PlanChoices) -> [ReviewAction] {
    do {
      let again = try reopen(choices)
      (container, self.choices) = (again.container, choices)
      return [
        .reopened(again.container, others: again.others, runs: runs()), .planned(again.plan, choices),
        .lastRun(lastRun()),
      ]
    } catch let gap as ParameterGap {
      return [.lacking(gap, choices)]
    } catch {
      return [.failed(ReviewFailure(error))]
    }
  }

  /// Runs the work, and reports the result and the container afterwards.
  private func write(
    _ answer: (Result<RunReport, ReviewFailure>) -> ReviewAction, _ work: (Container) throws -> RunReport
  ) -> [ReviewAction] {
    let result = Result { try ThisProcess.uninterrupted { try work(container) } }.mapError { ReviewFailure($0) }
    if case .success(let report) = result {
      note(report.recovered)
      if let id = report.runID {
        let restored = report.outcomes.count { $0.outcome == .restored }
        summary.append(
          report.kind == .apply
            ? "Run \(id) wrote \(report.files.joined(separator: ", "))."
            : "Run \(id) rolled back \(ValueWording.counted(restored, "field")) of run \(report.rolledBack ?? "?").")
      }
    }
    let ended: [ReviewAction] = [.clock(Console.now), answer(result)]
    do {
      let again = try reopen(choices)
      container = again.container
      return ended + [
        .reopened(container, others: again.others, runs: runs()), .replanned(again.plan), .lastRun(lastRun()),
      ]
    } catch {
      return ended + [.failed(ReviewFailure(error))]
    }
  }
}
