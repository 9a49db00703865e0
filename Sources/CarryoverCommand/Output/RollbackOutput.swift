import Carryover
import CarryoverPages
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

enum RollbackText {
  static func write(_ resolution: RollbackResolution, to page: inout PageWriter) {
    let run = resolution.plan.run
    page.add("Run \(run.id) · \(run.kind.rawValue) · \(run.moment.text)")
    page.add(self.page(resolution).blocks)
  }

  static func page(_ resolution: RollbackResolution) -> RollbackPage {
    let chosen = Dictionary(
      resolution.rows.map { ($0.entry.id, RollbackChoice($0)) }, uniquingKeysWith: { first, _ in first })
    let rows = resolution.plan.entries.map { ($0, chosen[$0.id] ?? .stays) }
    return RollbackPage(resolution.plan.files, rows, isWhole: { resolution.isWhole($0) })
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
  let preview: RollbackPreview
  let refusal: CommandFailure?
  let masking: Masking

  func write(to page: inout PageWriter) {
    RollbackText.write(resolution, to: &page)
    let counts = RollbackText.page(resolution).counts
    page.blank()
    page.add("Rollback: " + (counts.isEmpty ? "nothing to roll back" : counts) + ".")
  }

  var json: JSONValue {
    let run = resolution.plan.run
    return [
      "schema": "carryover.rollback/1",
      "run": ["id": .string(run.id), "kind": .string(run.kind.rawValue), "moment": .string(run.moment.text)],
      "files": .array(preview.files.map { ["path": .string($0.id), "fate": .string($0.fate.rawValue)] }),
      "fields": .array(resolution.rows.map(Self.field)),
      "refused": refusal.map { ["status": JSONValue(Int($0.status.rawValue)), "message": .string($0.sentence)] }
        ?? .null,
    ]
  }

  private static func field(_ row: RollbackResolution.Row) -> JSONValue {
    let key = row.entry.id.key
    return .object(present: [
      "id": .string(row.entry.name), "file": .string(row.entry.id.file),
      "current": Secrets.json(row.entry.current, of: key), "before": Secrets.json(row.entry.before, of: key),
      "fate": .string(row.fate.word), "secret": Secrets.holds(key) ? true : nil,
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
