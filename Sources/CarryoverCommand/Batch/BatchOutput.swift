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

  var plannedBlocks: [Block] { [.paragraph(plannedCounts)] + others + lines }

  /// - Parameter notices: what was said on the way.
  func blocks(after notices: [String] = []) -> [Block] {
    let fields = reports.flatMap(\.outcomes).counts(in: kind)
    return [.paragraph(doneCounts)] + (fields.isEmpty ? [] : [.paragraph("Fields: \(fields).")])
      + (rollbackOfBatch.map { [.paragraph("Batch \(id.text). To roll it back:"), .commands([$0])] } ?? [])
      + (notices.isEmpty ? [] : [.blank, .list(notices, indent: 0)]) + others + lines
  }

  /// For a list of containers.
  var listedPlan: ListedBatch {
    let fields = outcomes.map { if case .asked(_, _, let fields) = $0.result { fields } else { 0 } }
    return ListedBatch(
      plannedBlocks, kind: kind, count: outcomes.count(where: \.isAsked), fields: fields.reduce(0, +),
      recovered: outcomes.count(where: \.isRecovered))
  }

  /// Nil if nothing was written.
  var rollbackOfBatch: ShellCommand? {
    guard !reports.isEmpty else { return nil }
    var command = rollback
    command.add("--batch", id.text)
    return command
  }

  /// First the containers that change, then those that need something. The others are only counted.
  private var lines: [Block] {
    let told = outcomes.filter { outcome in
      switch outcome.kind {
      case .unchanged, .notInBatch: !outcome.recovered.isEmpty
      case .readOnly: false
      default: true
      }
    }
    let lines = (told.filter { $0.kind == .written } + told.filter { $0.kind != .written }).flatMap { blocks($0) }
    return (lines.isEmpty ? [] : [.blank] + lines) + wrappedLines
  }

  /// The SDKs that the batch is not about, with the containers in which each loses something.
  private var others: [Block] {
    let all = outcomes.flatMap(\.others)
    let items = all.map(\.recipe).distinct { $0.id }.map { recipe in
      let some = all.filter { $0.recipe.id == recipe.id }
      return Item(
        [
          .text(
            "\(recipe.title) still loses values in \(ValueWording.counted(some.count, "container")): --recipe "
              + "\(recipe.id), or --recipe all for every SDK.")
        ], sign: some[0].verdict.sign, role: some[0].verdict.role, indent: 0)
    }
    return items.isEmpty ? [] : [.list(items)]
  }

  private var wrappedLines: [Block] {
    let wrapped = outcomes.filter { $0.kind == .readOnly }
    guard !wrapped.isEmpty else { return [] }
    let archives = wrapped.count { if case .unopenedArchive = $0.result { true } else { false } }
    let containers = wrapped.count - archives
    let counts = [
      archives == 0 ? nil : ValueWording.counted(archives, "archive"),
      containers == 0 ? nil : ValueWording.counted(containers, "container") + " in archives or backups",
    ].compactMap(\.self).joined(separator: " and ")
    let head =
      "\(counts), which \(archives == 1 && containers == 0 ? "is" : "are") read-only: to migrate one, open it in the review, "
      + "or extract it with carryover extract. To migrate every archive in a folder: carryover extract FOLDER --output "
      + "DIR, then the apply command that it prints."
    return [.blank, .paragraph(head)]
      + wrapped.map { .paragraph([.sign(.omitted), .place(" " + $0.path)], hanging: 4) }
  }

  private func blocks(_ outcome: BatchOutcome) -> [Block] {
    let sentences = words(outcome) + outcome.recovered.map { outcome.masking.text($0.description) }
    let head: Pieces = [.sign(outcome.kind.sign(asked: outcome.isAsked)), .place(" " + outcome.path)]
    let others = outcome.others.map { told in
      Item(
        [.text(outcome.masking.text(told.line(option: "--recipe ")))], sign: told.verdict.sign, role: told.verdict.role,
        indent: 4)
    }
    guard outcome.kind == .written else {
      return [.paragraph(head), .paragraph(sentences.joined(separator: " "), indent: 4), .list(others)]
    }
    return [.paragraph(head + [.text(": " + sentences.joined(separator: " "))], hanging: 4), .list(others)]
  }

  private func words(_ outcome: BatchOutcome) -> [String] {
    switch outcome.result {
    case .written(let report):
      [report.outcomes.counts(in: kind) + "."] + report.losses.map { outcome.masking.text($0.sentence) }
    case .asked(_, let words, _): [words]
    case .unchanged: [kind == .apply ? "There is nothing to write." : "There is nothing to roll back."]
    case .notInBatch: ["No run of this container belongs to the batch."]
    case .notReached: ["The batch ended before this container. Nothing was written. Run it again."]
    case .blocked(let failure), .readOnly(let failure), .unopenedArchive(let failure), .failed(let failure):
      [failure.sentence]
    }
  }

  private var plannedCounts: String { counts(written: kind == .apply ? "to write" : "to roll back") }
  var doneCounts: String { counts(written: kind == .apply ? "applied" : "rolled back") }

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
      JSONMember(kind.rawValue, outcomes.count { $0.kind == kind }.json)
    }
    return .object(present: [
      "schema": "carryover.batch/1", "redacted": outcomes.contains { $0.masking.isOn } ? true : nil,
      "kind": kind, "batch": JSONValue(reports.isEmpty ? nil : id), "counts": JSONValue.object(counts),
      "exitStatus": failure?.status ?? .done, "containers": outcomes.map(json),
    ])
  }

  private func json(_ outcome: BatchOutcome) -> JSONValue {
    var report: JSONValue?
    if case .written(let made) = outcome.result {
      report = outcome.masking.document(RunReportOutput.json(made, recovered: outcome.recovered))
    }
    let message: String? =
      switch outcome.result {
      case .blocked(let failure), .readOnly(let failure), .unopenedArchive(let failure), .failed(let failure):
        failure.sentence
      default: nil
      }
    return .object([
      "path": outcome.path, "outcome": outcome.kind, "exitStatus": outcome.status, "message": message,
      "recovered": outcome.masking.element(outcome.recovered.json), "report": report,
    ])
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
    case .readOnly: "in archives (read-only: open each, or extract all)"
    }
  }

  fileprivate func sign(asked: Bool) -> Sign {
    switch self {
    case .written: asked ? .ready : .done
    case .unchanged: .unchanged
    case .notInBatch, .notReached, .readOnly: .omitted
    case .decisionsNeeded: .undecided
    case .conflict: .conflict
    case .blocked, .stalePlan, .usage, .error, .recoveryNeeded: .error
    }
  }
}
