import Carryover
import CarryoverReview
import CarryoverTerminal
import PropertyLists

/// What a rollback would do: for a person to read, and as `carryover.rollback/1`, the published form of
/// `rollback --dry-run --json`.
struct RollbackPreviewOutput {
  let resolution: RollbackResolution
  let preview: RollbackPreview
  /// Why it would be refused, with the exit status.
  let refusal: CommandFailure?
  let masking: Masking

  func write(to page: inout TextPage) {
    RollbackText.write(resolution, to: &page)
    page.blank()
    for file in preview.files { page.add("\(file.id) \(Self.words(file.fate)).", hanging: 2) }
    let counts = [
      (.restored, "to roll back"), (.back, "unchanged"), (.kept, "skipped"), (.undecided, "in conflict"),
    ]
    .map { (fate: RollbackResolution.Fate, words) in (resolution.rows.count { $0.fate == fate }, words) }
    .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    page.blank()
    page.add("Rollback: " + (counts.isEmpty ? ["nothing to roll back"] : counts).joined(separator: ", ") + ".")
  }

  private static func words(_ fate: RollbackPreview.FileFate) -> String {
    switch fate {
    case .restored: "would be restored as a whole"
    case .edited: "would be edited key by key"
    case .removed: "would be removed"
    case .unchanged: "would stay as it is"
    }
  }

  var json: JSONValue {
    let run = resolution.plan.run
    return .object([
      JSONMember("schema", .string("carryover.rollback/1")),
      JSONMember(
        "run",
        .object([
          JSONMember("id", .string(run.id)), JSONMember("kind", .string(run.kind.rawValue)),
          JSONMember("moment", .string(run.moment.text)),
        ])),
      JSONMember(
        "files",
        .array(
          preview.files.map {
            .object([JSONMember("path", .string($0.id)), JSONMember("fate", .string($0.fate.rawValue))])
          })),
      JSONMember("fields", .array(resolution.rows.map(Self.field))),
      JSONMember(
        "refused",
        refusal.map {
          .object([
            JSONMember("status", JSONValue(Int($0.status.rawValue))), JSONMember("message", .string($0.sentence)),
          ])
        } ?? .null),
    ])
  }

  private static func field(_ row: RollbackResolution.Row) -> JSONValue {
    let key = row.entry.id.key
    let secret = SecretKeys.holds(key) ? [JSONMember("secret", .boolean(true))] : []
    return .object(
      [
        JSONMember("id", .string(row.entry.name)), JSONMember("file", .string(row.entry.id.file)),
        JSONMember("current", SecretKeys.json(row.entry.current, of: key)),
        JSONMember("before", SecretKeys.json(row.entry.before, of: key)),
        JSONMember("fate", .string(row.fate.word)),
      ] + secret)
  }
}

extension RollbackResolution.Fate {
  /// The word in JSON output.
  fileprivate var word: String {
    switch self {
    case .restored: "restored"
    case .back: "unchanged"
    case .kept: "kept"
    case .undecided: "conflict"
    }
  }
}
