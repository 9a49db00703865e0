package import Carryover
import CarryoverTerminal

/// The runs of a container, a row each.
package enum RunTable {
  package static func of(_ runs: [RunSummary]) -> Table {
    var table = Table(
      [
        .init(.whole, "run", .head), .init(.whole, "began", isOptional: true), .init(.sentence, "what", .head),
        .init(.whole, "files", isOptional: true), .init(.whole, "fields"), .init(.sentence, "state"),
        .init(.whole, "size"),
      ], heading: true)
    for run in runs {
      table.add([
        .name(run.id), .moment(run.moment), .name(what(run)), .count(run.files.count),
        .count(run.writtenCount),
        .text(standing(run), run.standing.role),
        .words(ByteCount.text(run.size)),
      ])
    }
    return table
  }

  package static func standing(_ run: RunSummary) -> String {
    run.standing.words + (run.backup == nil ? ", pruned" : "")
  }

  package static func what(_ run: RunSummary) -> String {
    run.kind.rawValue + (run.rolledBack.map { " of " + $0 } ?? "") + (run.batch.map { ", batch " + $0.text } ?? "")
  }
}
