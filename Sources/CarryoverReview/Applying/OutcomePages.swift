import Carryover
import CarryoverPages
import CarryoverTerminal

extension Screen {
  package static let result = Screen("result", "Result")
  package static let failure = Screen("failure", "Failed")
}

extension ScreenContent<ReviewState> {
  static var result: ScreenContent { text(.result, back: .out) { $0.add($1.resultBlocks) } }
  static var failure: ScreenContent { text(.failure, back: .out) { $0.failure($1.pages.failure) } }
}

extension ReviewState {
  fileprivate var resultBlocks: [Block] {
    guard let report = pages.report else { return [] }
    let history = Piece.key(key("history", .result))
    var rollingBack: [Block] = []
    if report.kind == .apply, report.runID != nil, pages.lastRun == report.runID {
      rollingBack.append(
        .paragraph([.key(key("roll-back", .result)), .text(" previews the rollback of this run.")], indent: 2))
    }
    let there = " shows the runs; \(key("open", .history)) there opens one, where you can roll back single keys."
    rollingBack.append(
      .paragraph([history, .text(report.kind == .rollback ? " shows the runs." : there)], indent: 2))
    if offersRolledBack {
      let words = " offers the decisions of that run again: change one, and apply again."
      rollingBack.append(.paragraph([.key(key("decisions", .result)), .text(words)], indent: 2))
    }
    return RunReportPage(report, backups: backupLocation, rollingBack: rollingBack).blocks
      + (report.kind == .apply ? otherBlocks : [])
  }
}
