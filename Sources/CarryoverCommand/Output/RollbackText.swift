import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// What a rollback would do, key by key, for a person to read.
enum RollbackText {
  static func lines(_ resolution: RollbackResolution, columns: Int, _ masking: Masking) -> [String] {
    let run = resolution.plan.run
    var lines = ["Run \(run.id) · \(run.kind.rawValue) · \(run.moment.text)"]
    for file in resolution.plan.files {
      let rows = resolution.rows.filter { $0.entry.id.file == file.id }
      guard !rows.isEmpty || resolution.isWhole(file) else { continue }
      lines += ["", file.id + " · " + how(file, resolution)]
      var table = Table(limits: [30, nil, 1, nil, 24], masking: masking)
      table.add(["  key", "now", "", "before the run", ""])
      for row in rows {
        let key = row.entry.id.key
        table.add([
          "  " + key, SecretKeys.text(masking.value(row.entry.current), of: key), "→",
          SecretKeys.text(masking.value(row.entry.before), of: key),
          fate(row),
        ])
      }
      lines += table.lines(columns: columns)
    }
    return lines
  }

  /// What stands in the way, with the value each key holds now, and how to decide.
  static func conflicts(
    _ resolution: RollbackResolution, or nothing: String, _ masking: Masking
  ) -> CommandFailure? {
    let undecided = resolution.undecided
    guard let first = undecided.first else { return nil }
    let keys = undecided.map { entry in
      let value = DisplayText.visible(SecretKeys.text(masking.value(entry.current), of: entry.id.key), limit: 60)
      let name = DisplayText.visible(resolution.plan.name(of: entry.id))
      return entry.current == nil ? "\(name) is gone" : "\(name) holds \(value) now"
    }
    let name = DisplayText.visible(resolution.plan.name(of: first.id))
    return CommandFailure(
      "\(nothing) What was changed since run \(resolution.plan.run.id) would be lost: "
        + "\(keys.joined(separator: ", ")). Decide with --on-conflict replace or keep, or leave one as it is with "
        + "--skip \(name).", .conflict)
  }

  private static func how(_ file: RollbackFile, _ resolution: RollbackResolution) -> String {
    switch file.state {
    case .asLeft: resolution.isWhole(file) ? "goes back as a whole" : "is edited key by key"
    case .asBefore: "is as it was before the run"
    case .changed: "was changed since; is edited key by key"
    case .unreadable(let reason): reason
    }
  }

  private static func fate(_ row: RollbackResolution.Row) -> String {
    switch (row.fate, row.entry.state) {
    case (.restored, .conflict): "replaces a change"
    case (.restored, _): "goes back"
    case (.back, _): "is back already"
    case (.kept, _): "stays"
    case (.undecided, _): "conflict"
    }
  }
}

extension RollbackPlan {
  /// The name of a key on the command line. If several files contain the key, the name includes the file.
  func name(of place: KeyPlace) -> String {
    entries.count { $0.id.key == place.key } > 1 ? place.file + ":" + place.key : place.key
  }
}
