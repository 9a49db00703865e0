import Carryover
import CarryoverReview
import CarryoverSystem
import CarryoverTerminal

/// The runs of a container for a person to read.
enum HistoryText {
  static func lines(_ listing: RunListing, columns: Int, _ masking: Masking) -> [String] {
    let problems = listing.problems.map { "! " + $0.description }
    guard !listing.runs.isEmpty else {
      // An interrupted run may have left no record.
      return problems.isEmpty ? ["There is no run in this container yet."] : problems
    }
    let foreign = listing.runs.contains { $0.standing == .cameAlong }
    let note =
      "“came along”: the run came with the container, from another user, an earlier version or an unknown program. It "
      + "settles no field, and rollback ignores it until you adopt it: carryover recover PATH --adopt --run ID."
    return table(listing.runs, columns: columns, masking) + (foreign ? ["", note] : []) + problems
  }

  /// A row a run.
  static func table(_ runs: [RunSummary], columns: Int, _ masking: Masking) -> [String] {
    var table = Table(limits: [30, 20, nil, 6, 6, 25, 10], masking: masking)
    table.add(["run", "began", "what", "files", "fields", "standing", "size"])
    for run in runs {
      table.add([
        run.id, run.moment.text, what(run), "\(run.files.count)", "\(run.fields.count(where: \.isChanged))",
        standing(run), ByteCount.text(run.size),
      ])
    }
    return table.lines(columns: columns)
  }

  /// One run, field by field.
  static func lines(_ run: RunSummary, columns: Int, _ masking: Masking) -> [String] {
    var lines = [
      "Run \(run.id) · \(what(run)) · \(run.moment.text) · \(standing(run))",
      DisplayText.visible(
        "\(run.recipe.title), version \(run.recipe.version) · carryover \(run.tool) · \(ByteCount.text(run.size))"),
      run.backup.map { "Backup: " + $0 } ?? "Its copies were pruned; it cannot be taken back.",
    ]
    if let reason = run.foreign {
      lines.append("It came with the container; \(reason.phrase). Carryover does not act on it.")
    }
    for file in run.files {
      lines += ["", file]
      var table = Table(limits: [30, nil, 1, nil, 10, 10], masking: masking)
      for field in run.fields where field.id.file == file {
        table.add([
          "  " + field.id.key, SecretKeys.text(masking.value(field.before), of: field.id.key), "→",
          SecretKeys.text(masking.value(field.after), of: field.id.key), field.outcome.rawValue,
          field.isTakenBack ? "taken back" : "",
        ])
      }
      lines += table.lines(columns: columns)
    }
    return lines
  }

  private static func what(_ run: RunSummary) -> String {
    run.kind.rawValue + (run.rolledBack.map { " of " + $0 } ?? "")
  }

  private static func standing(_ run: RunSummary) -> String {
    let word =
      switch run.standing {
      case .holds: "holds"
      case .partlyTakenBack: "partly taken back"
      case .takenBack: "taken back"
      case .interrupted: "interrupted"
      case .cameAlong: "came along"
      }
    return run.backup == nil ? word + ", pruned" : word
  }
}

extension RunField {
  /// Whether the run changed the key.
  var isChanged: Bool { outcome == .migrated || outcome == .restored || before != after }
}
