import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverTerminal

struct BatchOutput {
  let kind: RunKind
  let id: BatchID
  let outcomes: [BatchOutcome]
  let rollback: ShellCommand

  private var reports: [RunReport] {
    outcomes.compactMap { if case .written(let report) = $0.result { report } else { nil } }
  }

  var failure: CommandFailure? {
    let statuses = Set(outcomes.map(\.status))
    let failed = outcomes.count { $0.status != .done }
    guard let worst = ExitStatus.worstFirst.first(where: statuses.contains), worst != .done else {
      guard kind == .rollback, outcomes.allSatisfy({ $0.kind == .notInBatch }) else { return nil }
      return CommandFailure("No container here has a run of this batch. carryover history shows the batches.", .error)
    }
    let done = kind == .apply ? "applied" : "rolled back"
    return CommandFailure(
      "\(failed) of \(ValueWording.counted(outcomes.count, "container")) \(failed == 1 ? "was" : "were") not \(done).",
      worst)
  }

  // MARK: - Text

  func writePlanned(to page: inout PageWriter) {
    for outcome in outcomes { write(outcome, to: &page) }
    page.blank()
    page.add(counts(written: kind == .apply ? "to write" : "to roll back"))
  }

  func write(to page: inout PageWriter) {
    for outcome in outcomes {
      if case .written = outcome.result, outcome.recovered.isEmpty { continue }
      write(outcome, to: &page)
    }
    page.blank()
    page.add(counts(written: kind == .apply ? "applied" : "rolled back"))
    let fields = reports.flatMap(\.outcomes).counts(in: kind)
    if !fields.isEmpty { page.add("Fields: \(fields).") }
    guard !reports.isEmpty else { return }
    page.add("Batch \(id.text). To roll it back:")
    var command = rollback
    command.add("--batch", id.text)
    page.add(.commands([command]))
  }

  private func write(_ outcome: BatchOutcome, to page: inout PageWriter) {
    let sentences = words(outcome) + outcome.recovered.map { outcome.masking.text($0.description) }
    page.add([.sign(outcome.kind.sign(asked: outcome.isAsked)), .place(" " + outcome.path)])
    page.add(sentences.joined(separator: " "), indent: 4)
  }

  private func words(_ outcome: BatchOutcome) -> [String] {
    switch outcome.result {
    case .written: []
    case .asked(_, let words): [words]
    case .unchanged: [kind == .apply ? "There is nothing to write." : "There is nothing to roll back."]
    case .notInBatch: ["No run of this container belongs to the batch."]
    case .notReached: ["The command ended before this container. Nothing was written. Run the command again."]
    case .blocked(let failure), .failed(let failure): [failure.sentence]
    }
  }

  /// `8 containers: 5 applied, 2 unchanged, 1 undecided.`
  private func counts(written: String) -> String {
    let parts = BatchOutcome.Kind.allCases.compactMap { kind -> String? in
      let count = outcomes.count { $0.kind == kind }
      return count == 0 ? nil : "\(count) \(kind == .written ? written : kind.word)"
    }
    return "\(ValueWording.counted(outcomes.count, "container")): \(parts.joined(separator: ", "))."
  }

  // MARK: - JSON

  var json: JSONValue {
    let counts = BatchOutcome.Kind.allCases.map { kind in
      JSONMember(kind.rawValue, JSONValue(outcomes.count { $0.kind == kind }))
    }
    return .object(present: [
      "schema": "carryover.batch/1", "redacted": outcomes.contains { $0.masking.isOn } ? true : nil,
      "kind": .string(kind.rawValue), "batch": JSONValue(reports.isEmpty ? nil : id.text), "counts": .object(counts),
      "exitStatus": JSONValue(Int((failure?.status ?? .done).rawValue)), "containers": .array(outcomes.map(json)),
    ])
  }

  private func json(_ outcome: BatchOutcome) -> JSONValue {
    var report = JSONValue.null
    if case .written(let made) = outcome.result {
      report = outcome.masking.document(RunReportOutput.json(made, recovered: outcome.recovered))
    }
    let message: String? =
      switch outcome.result {
      case .blocked(let failure), .failed(let failure): failure.sentence
      default: nil
      }
    return [
      "path": .string(outcome.path), "outcome": .string(outcome.kind.rawValue),
      "exitStatus": JSONValue(Int(outcome.status.rawValue)), "message": JSONValue(message),
      "recovered": outcome.masking.element(RunReportOutput.json(outcome.recovered)), "report": report,
    ]
  }
}

extension BatchOutcome.Kind {
  fileprivate var word: String {
    switch self {
    case .written: "written"
    case .unchanged: "unchanged"
    case .notInBatch: "not in the batch"
    case .blocked: "blocked"
    case .decisionsNeeded: "undecided"
    case .conflict: "in conflict"
    case .stalePlan: "changed meanwhile"
    case .usage: "refused"
    case .error: "failed"
    case .recoveryNeeded: "to recover"
    case .notReached: "not reached"
    }
  }

  fileprivate func sign(asked: Bool) -> Sign {
    switch self {
    case .written: asked ? .ready : .done
    case .unchanged: .unchanged
    case .notInBatch, .notReached: .omitted
    case .decisionsNeeded: .undecided
    case .conflict: .conflict
    case .blocked, .stalePlan, .usage, .error, .recoveryNeeded: .error
    }
  }
}
