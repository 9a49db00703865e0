import Carryover
import CarryoverPages
package import CarryoverSystem

package struct ActivityLog: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case decision, run
    case failure = "failed"
  }

  package struct Entry: Hashable, Sendable {
    package var moment: Moment?
    package var kind: Kind
    /// A sentence or a part of one. It may name keys and paths, never values.
    package var text: String
  }

  package private(set) var entries: [Entry] = []
  package private(set) var droppedCount = 0
  package static let limit = 5000

  mutating func add(_ kind: Kind, _ text: String, at moment: Moment?) {
    entries.append(Entry(moment: moment, kind: kind, text: text))
    // In blocks: removing the first entry costs the length of the log.
    if entries.count > Self.limit + 500 {
      droppedCount += entries.count - Self.limit
      entries.removeFirst(entries.count - Self.limit)
    }
  }
}

/// The log's texts about decisions. They name fields, never values.
enum DecisionLog {
  static func words(_ decision: Decision?) -> String {
    switch decision {
    case .migrate, .accept: "Accepted"
    case .skip, .omit: "Skipped"
    case .keep: "Kept the target's value"
    case .edit: "Edited"
    case nil: "Undone"
    }
  }

  static func names(_ changes: [HistoryStep.Change]) -> String {
    let shown = changes.prefix(5).map { String($0.field.prefix(80)) }.joined(separator: ", ")
    return changes.count > 5 ? "\(shown) and \(changes.count - 5) more" : shown
  }
}

extension ReviewState {
  mutating func noteStart(_ kind: RunKind) {
    switch kind {
    case .rollback: log.add(.run, "Asked to roll back run \(pages.draft?.plan.run.id ?? "?")", at: now)
    default: log.add(.run, "You asked to apply \(counted(pages.preview.changes.count, "key"))", at: now)
    }
  }

  mutating func note(_ result: Result<RunReport, ReviewFailure>) {
    switch result {
    case .failure(let failure): log.add(.failure, failure.message, at: now)
    case .success(let report):
      for run in report.recovered { noteRecovered(run) }
      log.add(.run, Self.sentence(report), at: now)
    }
  }

  mutating func noteRecovered(_ run: RecoveredRun) { log.add(.run, String(run.words.dropLast()), at: now) }

  private static func sentence(_ report: RunReport) -> String {
    guard let id = report.runID else { return "Nothing had to be written" }
    let files = report.files.joined(separator: ", ")
    let calls = counted(report.synchronizations, "fsync call")
    let syncs = report.synchronizations > 0 ? "; flushed to disk with \(calls)" : ""
    switch report.kind {
    case .rollback: return "Run \(id) rolled back run \(report.rolledBack ?? "?"): \(files)\(syncs)"
    default:
      let written = report.outcomes.count { $0.outcome == .migrated }
      return "Run \(id) wrote \(counted(written, "key")) to \(files)\(syncs)"
    }
  }
}
