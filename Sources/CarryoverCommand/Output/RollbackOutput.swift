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
    for file in resolution.plan.files {
      let rows = resolution.rows.filter { $0.entry.id.file.hasSameBytes(as: file.id) }
      guard !rows.isEmpty || resolution.isWhole(file) else { continue }
      page.blank()
      page.line(file.id)
      page.add(how(file, resolution), indent: 2)
      var table = Table(
        [
          .init(.whole, "", .head), .init(.name, "key", .head), .init(.value, "now"), .init(.whole),
          .init(.value, "before the run"), .init(.whole, "", .head),
        ], indent: 2, heading: true)
      for row in rows {
        let key = row.entry.id.key
        let (sign, fate) = fate(row)
        table.add([
          .sign(sign), .name(row.entry.name), .value(row.entry.current, of: key), .text("→"),
          .value(row.entry.before, of: key), .text(fate),
        ])
      }
      page.add(table)
    }
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

  private static func how(_ file: RollbackFile, _ resolution: RollbackResolution) -> String {
    switch file.state {
    case .asLeft: resolution.isWhole(file) ? "is rolled back as a whole" : "is edited key by key"
    case .asBefore: "is as it was before the run"
    case .changed: "was changed since; is edited key by key"
    case .unreadable(let reason): reason
    }
  }

  private static func fate(_ row: RollbackResolution.Row) -> (Sign, String) {
    switch (row.fate, row.entry.state) {
    case (.restored, .conflict): (.ready, "replaces a change")
    case (.restored, _): (.ready, "roll back")
    case (.back, _): (.unchanged, "unchanged")
    case (.kept, _): (.omitted, "skipped")
    case (.undecided, _): (.conflict, "conflict")
    }
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
    page.blank()
    for file in preview.files { page.add("\(file.id) \(Self.words(file.fate)).", hanging: 2) }
    let counts = [(.restored, "to roll back"), (.back, "unchanged"), (.kept, "skipped"), (.undecided, "in conflict")]
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
