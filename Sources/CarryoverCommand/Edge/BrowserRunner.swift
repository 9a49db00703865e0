import Carryover
import CarryoverPages
import CarryoverReview

/// Runs the effects of the stores on the screen, and answers with their results.
final class BrowserRunner {
  private let migrator: Migrator
  private let allowed: Set<FindingCode>
  private let reopen: () throws -> Container
  private var container: Container
  /// Printed below the prompt afterwards.
  private(set) var summary: [String] = []

  init(
    _ container: Container, migrator: Migrator, allowing allowed: Set<FindingCode>,
    reopen: @escaping () throws -> Container
  ) {
    self.container = container
    self.migrator = migrator
    self.allowed = allowed
    self.reopen = reopen
  }

  /// Effects that only a terminal can carry out do nothing.
  func carryOut(_ effect: BrowserEffect, _ state: inout BrowserState) {
    switch effect {
    case .change:
      guard let plan = state.changePlan else { return }
      write(&state) { try self.migrator.change(plan, in: $0, allowing: self.allowed) }
    case .rollback(let plan):
      write(&state) { try self.migrator.rollback(plan, in: $0, allowing: self.allowed) }
    case .loadRollback:
      do {
        state.preview(try migrator.rollbackPlan(in: container))
      } catch {
        state.show(ReviewFailure(error))
      }
    case .loadHistory:
      do {
        state.list(try migrator.history(of: container))
      } catch {
        state.show(ReviewFailure(error))
      }
    case .copy, .errand, .suspend, .bell, .leave: break
    }
  }

  private func write(_ state: inout BrowserState, _ work: (Container) throws -> RunReport) {
    let result = Result { try ThisProcess.uninterrupted { try work(container) } }.mapError { ReviewFailure($0) }
    if case .success(let report) = result {
      summary += report.recovered.map(\.description)
      if let id = report.runID {
        let files = report.files.joined(separator: ", ")
        summary.append(
          report.rolledBack.map { "Run \(id) rolled back run \($0): \(files)." } ?? "Run \(id) wrote \(files).")
      }
    }
    let again = try? reopen()
    container = again ?? container
    state.finish(result, again)
  }
}
