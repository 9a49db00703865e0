import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

enum HistoryOutput {
  /// - Parameter wrapper: the archive or backup; nil if runs of the container can be adopted.
  static func blocks(
    _ listing: RunListing, adopting: ShellCommand, in wrapper: ContainerWrapper?
  ) -> [Block] {
    guard !listing.runs.isEmpty || !listing.problems.isEmpty else {
      // An interrupted run may have left no record.
      return [.paragraph("This container has no runs yet.")]
    }
    var blocks = [Block.table(RunTable.of(listing.runs))]
    if let foreign = listing.runs.first(where: { $0.standing == .cameAlong }) {
      blocks += [
        .blank,
        .paragraph(
          "“from elsewhere”: the run came with the container, or the container was copied. It affects no decision, "
            + "and rollback "
            + (wrapper.map { "ignores it. " + $0.explanation } ?? "ignores it until you adopt it:")),
      ]
      if wrapper == nil {
        var command = adopting
        command.add(["--run", foreign.id])
        blocks.append(.commands([command]))
      }
    }
    return blocks + problems(listing.problems.map(\.description))
  }

  static func problems(_ sentences: [String]) -> [Block] {
    sentences.isEmpty ? [] : [.list(sentences.map { Item([.text($0)], sign: .warning, indent: 0) })]
  }

  static func write(_ run: RunSummary, to page: inout PageWriter) {
    page.add("Run \(run.id) · \(RunTable.what(run)) · \(run.moment.text) · \(RunTable.standing(run))")
    let recipes = run.recipes.map { "\($0.title), version \($0.version)" }
    page.add((recipes + ["carryover \(run.tool)", ByteCount.text(run.size)]).joined(separator: " · "))
    page.line(run.backup.map { "Backup: " + $0 } ?? "Its backup was pruned; it cannot be rolled back.")
    if let reason = run.foreign {
      page.add("It came with the container, \(reason.phrase). Carryover does not act on it.")
    }
    for file in run.files {
      page.blank()
      page.line(file)
      var table = Table(
        [
          .init(.whole, "key", .head), .init(.value, "before"), .init(.whole), .init(.value, "after"),
          .init(.whole, "outcome"), .init(.whole, "state"),
        ], indent: 2)
      for field in run.fields where field.id.file.hasSameBytes(as: file) {
        for value in field.values(in: run.kind) {
          // Values that are too long for the record.
          let isRecorded = value.before != nil || value.after != nil || value.outcome != .migrated
          func piece(_ shown: PropertyListValue?) -> Piece {
            isRecorded ? .value(shown, of: value.key) : .text("not recorded", .muted)
          }
          let shown = value.shown(in: run.kind)
          table.add([
            value.piece, piece(value.before), .text("→"), piece(value.after),
            run.isUnknown(field)
              ? .text("unknown until recovered", .flagged)
              : .text(shown.word, shown.role),
            .text(field.isTakenBack ? "rolled back" : "", .muted),
          ])
        }
      }
      page.add(table)
    }
  }

  static func json(_ listing: RunListing, _ container: Container) -> JSONValue {
    .object([
      "schema": "carryover.history/1", "container": container.identity, "runs": listing.runs.map(run),
      "problems": listing.problems.map(\.description),
    ])
  }

  private static func run(_ run: RunSummary) -> JSONValue {
    let others = run.otherRecipes.map(recipe)
    return .object(present: [
      "id": run.id, "kind": run.kind, "moment": run.moment, "recipe": JSONValue(run.recipe.map(recipe)),
      "batch": run.batch, "otherRecipes": others.isEmpty ? nil : others, "tool": run.tool, "standing": run.standing,
      "origin": run.foreign?.word ?? "own", "rolledBack": JSONValue(run.rolledBack), "backup": JSONValue(run.backup),
      "size": JSONValue(run.size), "files": run.files, "fields": run.fields.map(field),
    ])
  }

  private static func recipe(_ recipe: RecipeReference) -> JSONValue {
    .object(present: ["id": recipe.id, "version": recipe.version, "sha256": recipe.digest])
  }

  private static func field(_ field: RunField) -> JSONValue {
    let key = field.id.key
    return .object(present: [
      "id": field.name, "file": field.id.file, "decision": JSONValue(field.decision),
      "before": Secrets.json(field.before, of: key), "after": Secrets.json(field.after, of: key),
      "outcome": field.outcome, "takenBack": field.isTakenBack, "omitted": field.isOmitted ? true : nil,
      "secret": [field.before, field.after].contains { Secrets.areIn($0, of: key) } ? true : nil,
    ])
  }
}

struct CheckOutput {
  let check: RunCheck

  func write(to page: inout PageWriter) {
    for problem in check.problems { page.add(problem.sign, problem.description) }
    page.blank()
    let checked =
      "\(ValueWording.counted(check.runs, "run")), \(ValueWording.counted(check.copies, "copy", "copies")) checked: "
    if check.problems.isEmpty {
      page.add(.done, checked + "everything is in effect as recorded.")
    } else {
      page.add(checked + ValueWording.counted(check.problems.count, "problem") + ".")
    }
  }

  func json(_ container: Container) -> JSONValue {
    .object([
      "schema": "carryover.check/1", "container": container.identity, "runs": check.runs, "copies": check.copies,
      "problems": check.problems.map { problem in
        JSONValue.object([
          "code": problem.parts.code, "run": problem.parts.run, "file": problem.place?.file,
          "key": problem.place?.key, "message": problem.description,
        ])
      },
    ])
  }

  var failure: CommandFailure? {
    guard let worst = check.problems.map(\.status).max(by: { Self.rank($0) < Self.rank($1) }) else { return nil }
    return CommandFailure(
      "The runs did not pass the check: \(ValueWording.counted(check.problems.count, "problem")).", worst)
  }

  /// Recovery comes first, then damage, then changes.
  private static func rank(_ status: ExitStatus) -> Int {
    switch status {
    case .recoveryNeeded: 2
    case .conflict: 0
    default: 1
    }
  }
}

extension RunProblem {
  fileprivate var status: ExitStatus {
    switch self {
    case .interrupted, .leftovers, .foreign: .recoveryNeeded
    case .failed(_, let error): ExitStatus(error)
    case .changed, .unreadable: .conflict
    }
  }

  fileprivate var sign: Sign {
    switch self {
    case .changed, .unreadable: .conflict
    case .leftovers: .warning
    default: .error
    }
  }
}

enum RunReportOutput {
  static func json(_ report: RunReport, recovered: [RecoveredRun], hidesSecrets: Bool = true) -> JSONValue {
    .object(present: [
      "schema": "carryover.report/1", "kind": report.kind, "run": JSONValue(report.runID),
      "rolledBack": report.rolledBack, "files": report.files, "fields": report.outcomes.map(outcome),
      "changes": report.changes.isEmpty
        ? nil : report.changes.map { ChangeDocument.json($0, isHidden: hidesSecrets && $0.isSecret) },
      "synchronizations": report.synchronizations, "recovered": recovered + report.recovered,
      "appLoses": report.losses.isEmpty ? nil : report.losses.json,
    ])
  }

  private static func outcome(_ outcome: FieldOutcome) -> JSONValue {
    .object(present: [
      "id": outcome.field, "file": outcome.file, "outcome": outcome.outcome,
      "reason": JSONValue(outcome.reason ?? (outcome.isOmitted ? "The field was not in this run." : nil)),
    ])
  }

  static func print(
    _ report: RunReport, in container: Container, recovered: [RecoveredRun], json: Bool, rollback: ShellCommand,
    notes: [Block] = [], hidesSecrets: Bool = true, on paper: Paper, _ masking: Masking
  ) throws {
    let commands: [Block] = [.paragraph("To roll it back:"), .commands([rollback])]
    let page = RunReportPage(
      report, backups: container.stateDirectory + "/runs", rollingBack: report.kind == .rollback ? [] : commands,
      hidesSecrets: hidesSecrets)
    let document = RunReportOutput.json(report, recovered: recovered, hidesSecrets: hidesSecrets)
    try paper.print(json: json, document, masking) {
      $0.add(page.blocks + notes)
    }
  }
}

enum RollbackText {
  static func write(_ resolution: RollbackResolution, _ effects: [RollbackEffect], to page: inout PageWriter) {
    let run = resolution.plan.run
    page.add("Run \(run.id) · \(run.kind.rawValue) · \(run.moment.text)")
    var rollback = RollbackPage(resolution)
    rollback.effects = effects
    page.add(rollback.blocks)
  }

  /// The conflicts, with the current value of each key, and how to decide.
  static func conflicts(_ resolution: RollbackResolution, or nothing: String, _ masking: Masking) -> CommandFailure? {
    let undecided = resolution.undecided
    guard let first = undecided.first else { return nil }
    let keys = undecided.map { entry in
      let value = DisplayText.visible(Secrets.text(masking.value(entry.current), of: entry.id.key), limit: 60)
      let name = DisplayText.visible(resolution.plan.name(of: entry))
      return entry.current == nil ? "\(name) is absent now" : "\(name) is \(value) now"
    }
    let name = DisplayText.visible(resolution.plan.name(of: first))
    return CommandFailure(
      "\(nothing) What changed after run \(resolution.plan.run.id) would be lost: "
        + "\(keys.joined(separator: ", ")). Decide with --on-conflict replace or keep, or skip one with "
        + "--skip \(name).", .conflict)
  }
}

extension RollbackPlan {
  /// With the file if several files have the key.
  func name(of entry: RollbackEntry) -> String {
    entries.count { $0.name.hasSameBytes(as: entry.name) } > 1 ? entry.id.file + ":" + entry.id.key : entry.name
  }
}

struct RollbackPreviewOutput {
  let resolution: RollbackResolution
  let effects: [RollbackEffect]
  let preview: RollbackPreview
  let refusal: CommandFailure?
  let masking: Masking

  func write(to page: inout PageWriter) {
    RollbackText.write(resolution, effects, to: &page)
    let counts = RollbackPage(resolution).counts
    page.blank()
    page.add("Rollback: " + (counts.isEmpty ? "nothing to roll back" : counts) + ".")
  }

  var json: JSONValue {
    let run = resolution.plan.run
    return .object([
      "schema": "carryover.rollback/1",
      "run": JSONValue.object(["id": run.id, "kind": run.kind, "moment": run.moment]),
      "files": preview.files.map { JSONValue.object(["path": $0.id, "fate": $0.fate.rawValue]) },
      "fields": resolution.rows.map(Self.field),
      "refused": refusal.map { JSONValue.object(["status": $0.status, "message": $0.sentence]) },
    ])
  }

  private static func field(_ row: RollbackResolution.Row) -> JSONValue {
    let key = row.entry.id.key
    return .object(present: [
      "id": row.entry.name, "file": row.entry.id.file, "current": Secrets.json(row.entry.current, of: key),
      "before": Secrets.json(row.entry.before, of: key), "fate": row.fate.word,
      "secret": [row.entry.current, row.entry.before].contains { Secrets.areIn($0, of: key) } ? true : nil,
    ])
  }
}

extension RollbackResolution.Fate {
  fileprivate var word: String {
    switch self {
    case .restored: "restored"
    case .back: "unchanged"
    case .kept: "kept"
    case .undecided: "conflict"
    }
  }
}
