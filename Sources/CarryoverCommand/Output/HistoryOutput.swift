import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

enum HistoryOutput {
  /// - Parameter wrapper: the archive or backup; nil if runs of the container can be adopted.
  static func write(
    _ listing: RunListing, adopting: ShellCommand, in wrapper: ContainerWrapper?, to page: inout PageWriter
  ) {
    guard !listing.runs.isEmpty || !listing.problems.isEmpty else {
      // An interrupted run may have left no record.
      return page.add("There is no run in this container yet.")
    }
    page.add(table(listing.runs))
    if let foreign = listing.runs.first(where: { $0.standing == .cameAlong }) {
      page.blank()
      page.add(
        "“from elsewhere”: the run came with the container, or the container was copied. It affects no decision, and rollback "
          + (wrapper.map { "ignores it. " + $0.explanation } ?? "ignores it until you adopt it:"))
      if wrapper == nil {
        var command = adopting
        command.add(["--run", foreign.id])
        page.add(.commands([command]))
      }
    }
    for problem in listing.problems { page.add(.warning, problem.description) }
  }

  static func table(_ runs: [RunSummary]) -> Table {
    var table = Table(
      [
        .init(.whole, "run", .head), .init(.whole, "began", isOptional: true), .init(.sentence, "what", .head),
        .init(.whole, "files", isOptional: true), .init(.whole, "fields"), .init(.sentence, "state"),
        .init(.whole, "size"),
      ], heading: true)
    for run in runs {
      table.add([
        .name(run.id), .moment(run.moment), .name(what(run)), .count(run.files.count),
        .count(run.fields.count(where: \.isChanged)),
        .text(run.standing.words + (run.backup == nil ? ", pruned" : ""), run.standing.role),
        .words(ByteCount.text(run.size)),
      ])
    }
    return table
  }

  static func write(_ run: RunSummary, to page: inout PageWriter) {
    page.add("Run \(run.id) · \(what(run))")
    page.run(run, zone: 0, files: .max)
    page.line(run.backup.map { "Backup: " + $0 } ?? "Its backup was pruned; it cannot be rolled back.")
    if let reason = run.foreign {
      page.add("It came with the container; \(reason.phrase). Carryover does not act on it.")
    }
    page.fields(of: run)
  }

  private static func what(_ run: RunSummary) -> String {
    run.kind.rawValue + (run.rolledBack.map { " of " + $0 } ?? "") + (run.batch.map { ", batch " + $0.text } ?? "")
  }

  static func json(_ listing: RunListing, _ container: Container) -> JSONValue {
    [
      "schema": "carryover.history/1",
      "container": ["kind": .string(container.kind.rawValue), "bundleID": JSONValue(container.bundleID)],
      "runs": .array(listing.runs.map(run)), "problems": .array(listing.problems.map { .string($0.description) }),
    ]
  }

  private static func run(_ run: RunSummary) -> JSONValue {
    let others = run.otherRecipes.map(recipe)
    return .object(present: [
      "id": .string(run.id), "kind": .string(run.kind.rawValue), "moment": .string(run.moment.text),
      "recipe": recipe(run.recipe), "batch": run.batch.map { .string($0.text) },
      "otherRecipes": others.isEmpty ? nil : .array(others), "tool": .string(run.tool),
      "standing": .string(run.standing.rawValue), "origin": .string(run.foreign?.word ?? "own"),
      "rolledBack": JSONValue(run.rolledBack), "backup": JSONValue(run.backup), "size": JSONValue(run.size),
      "files": JSONValue(run.files), "fields": .array(run.fields.map(field)),
    ])
  }

  private static func recipe(_ recipe: RecipeReference) -> JSONValue {
    .object(
      [JSONMember("id", .string(recipe.id)), JSONMember("version", JSONValue(recipe.version))] + recipe.fileMembers)
  }

  private static func field(_ field: RunField) -> JSONValue {
    let key = field.id.key
    return .object(present: [
      "id": .string(field.name), "file": .string(field.id.file), "decision": JSONValue(field.decision),
      "before": Secrets.json(field.before, of: key), "after": Secrets.json(field.after, of: key),
      "outcome": .string(field.outcome.rawValue), "takenBack": .boolean(field.isTakenBack),
      "secret": Secrets.holds(key) ? true : nil,
    ])
  }
}

extension RunField {
  var isChanged: Bool { outcome == .migrated || outcome == .restored || before != after }
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
    [
      "schema": "carryover.check/1",
      "container": ["kind": .string(container.kind.rawValue), "bundleID": JSONValue(container.bundleID)],
      "runs": JSONValue(check.runs), "copies": JSONValue(check.copies),
      "problems": .array(
        check.problems.map { problem in
          [
            "code": .string(problem.code), "run": JSONValue(problem.run), "file": JSONValue(problem.place?.file),
            "key": JSONValue(problem.place?.key), "message": .string(problem.description),
          ]
        }),
    ]
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
