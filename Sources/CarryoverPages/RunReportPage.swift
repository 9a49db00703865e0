package import Carryover
import CarryoverSystem
package import CarryoverTerminal
package import PropertyLists

/// The outcome of a run: what it did, field by field and file by file, and how to roll it back.
package struct RunReportPage {
  private let report: RunReport
  private let backups: String
  private let rollingBack: [Block]
  private let hidesSecrets: Bool

  /// - Parameters:
  ///   - backups: the folder of the runs.
  ///   - rollingBack: how the run is rolled back, by a command or by keys.
  ///   - hidesSecrets: false if the user asked to see those among changed values.
  package init(_ report: RunReport, backups: String, rollingBack: [Block], hidesSecrets: Bool = true) {
    (self.report, self.backups, self.rollingBack) = (report, backups, rollingBack)
    self.hidesSecrets = hidesSecrets
  }

  package var blocks: [Block] {
    [.paragraph(answer)] + report.losses.blocks(isDone: true) + recovered + outcomes + files + wayBack
  }

  /// Of an edit the values, which can be deep in a key's value.
  private var outcomes: [Block] {
    guard !report.changes.isEmpty else { return report.outcomeBlocks }
    let stores = report.changes.map(\.path.store).distinct()
    return [.heading("Values", count: report.changes.count)]
      + stores.flatMap { store -> [Block] in
        let own = report.changes.filter { $0.path.store.hasSameBytes(as: store) }
        let head: [Block] = stores.count > 1 ? [.path(store, .plain)] : []
        return head + ChangedValues(own, hidesSecrets: hidesSecrets).blocks
      }
  }

  private var answer: Pieces {
    func run(_ words: String, _ id: String?) -> Pieces { id.map { [.text(words, .muted), .name($0, .value)] } ?? [] }
    let id = report.runID
    let counts = report.changes.isEmpty ? report.outcomes.counts(in: report.kind) : report.changes.counts
    switch report.kind {
    case .apply, .rollback, .edit: if id == nil { return [.text("There was nothing to write.")] }
    case .cleanup: if id == nil { return [.text("There was nothing to remove.")] }
    }
    let words: Pieces =
      switch report.kind {
      case .apply: [.text("Applied", .confirmed)] + run("  run ", id)
      case .cleanup: [.text("Cleaned up", .confirmed)] + run("  run ", id)
      case .edit: [.text("Changed", .confirmed)] + run("  run ", id)
      case .rollback:
        [.text("Rolled back", .confirmed)] + run("  run ", report.rolledBack) + run("  as run ", id)
      }
    return words + (counts.isEmpty ? [] : [.text(": \(counts).")])
  }

  private var recovered: [Block] {
    guard !report.recovered.isEmpty else { return [] }
    return [.heading("Interrupted runs, recovered first"), .list(report.recovered.map(\.description))]
  }

  private var files: [Block] {
    let count = report.files.count
    guard count > 0 else { return [] }
    return [.heading("Files", count: count)] + report.files.map { .path($0) }
      + [.paragraph("Verified: \(verified).", .muted, indent: 2)]
  }

  private var verified: String {
    let (count, gone) = (report.files.count, report.removed.count)
    // A rollback removes a file that its run had created.
    if gone == count { return count == 1 ? "the file is gone" : "the files are gone" }
    // An edit removes keys, too.
    let planned = [.rollback, .edit].contains(report.kind) ? "is as planned" : "contains the planned values"
    let which = count == 1 ? "the file" : gone > 0 ? "each other file" : "each file"
    // In a new file, there was nothing to change.
    let isNew = report.created.count == count - gone
    return (gone > 0 ? "\(counted(gone, "file")) \(gone == 1 ? "is" : "are") gone; " : "")
      + "\(which) \(planned)" + (isNew ? "" : "; nothing else in it changed")
  }

  private var wayBack: [Block] {
    guard let id = report.runID else { return [] }
    let backup: [Block] =
      report.kind == .rollback
      ? [] : [.paragraph("Backup and record:", indent: 2), .path("\(backups)/\(id)")]
    return backup.isEmpty && rollingBack.isEmpty ? [] : [.heading("Rolling back")] + backup + rollingBack
  }
}

extension RunReport {
  /// A row for each field, by file if a run of several files says so.
  package var outcomeBlocks: [Block] {
    let outcomes = outcomes.filter { !$0.isOmitted }
    guard !outcomes.isEmpty else { return [] }
    var seen: Set<StringByBytes?> = []
    let files = outcomes.map(\.file).filter { seen.insert($0.map(StringByBytes.init(_:))).inserted }
    return [.heading("Fields", count: outcomes.count)]
      + files.flatMap { file -> [Block] in
        var table = Table(
          [.init(.whole, "", .head), .init(.name, "", .head), .init(.whole, "", .head), .init(.sentence, "why")],
          indent: file == nil ? 2 : 4)
        for outcome in outcomes where outcome.file.map(StringByBytes.init(_:)) == file.map(StringByBytes.init(_:)) {
          let told = outcome.told
          table.add([
            .sign(told.sign, told.role), .name(outcome.field.isEmpty ? "\"\"" : outcome.field, .label),
            .text(told.word(in: kind), told.role),
            .place(outcome.reason ?? "", .muted),
          ])
        }
        return (file.map { [.path($0, .plain)] } ?? []) + [.table(table)]
      }
  }
}

extension [FieldOutcome] {
  /// How many fields ended in each way: `7 written, 1 skipped`.
  package func counts(in kind: RunKind) -> String {
    let counts = Outcome.allCases.map { outcome in
      (count: count { !$0.isOmitted && $0.told == outcome }, word: outcome.word(in: kind))
    }
    return (counts + [(count(where: \.isOmitted), FieldState.omitted.word)]).filter { $0.count > 0 }
      .map { "\($0.count) \($0.word)" }.joined(separator: ", ")
  }
}

extension PageWriter {
  private static let labels = 10

  /// The facts about a run.
  /// - Parameters:
  ///   - zone: the offset of local time from UTC, in seconds.
  ///   - isBrief: whether its fields need the room.
  package mutating func run(_ run: RunSummary, zone: Int, isBrief: Bool = false) {
    var standing = [Span(run.standing.words, run.standing.role)]
    if run.backup == nil { standing.append(Span(", backup pruned", .flagged)) }
    row("State", width: Self.labels, standing)
    guard !isBrief else { return }
    row("Started", width: Self.labels, [Span(ink.words(MomentText.both(run.moment, offset: zone)))])
    let recipes = run.recipes.map { "\($0.id) \($0.version)" }
    row(
      recipes.isEmpty ? "Made by" : "Recipe", width: Self.labels,
      [Span(ink.name((recipes + ["Carryover \(run.tool)"]).joined(separator: ", ")), .muted)])
    if run.size > 0 { row("Backup", width: Self.labels, [Span(ByteCount.text(run.size), .muted)]) }
    if let other = run.rolledBack { row("Rolled back", width: Self.labels, [Span(ink.name(other), .value)]) }
    for (index, file) in run.files.prefix(3).enumerated() {
      row(index == 0 ? "Files" : "", width: Self.labels, [Span(ink.text(file), .value)])
    }
    if run.files.count > 3 { row("", width: Self.labels, [Span("and \(run.files.count - 3) more", .muted)]) }
  }

  /// The outcomes of the first values of a run, a line each.
  package mutating func fields(of run: RunSummary, atMost limit: Int) {
    let limit = max(0, limit)
    let values = run.fields.prefix(limit).flatMap { field in field.values(in: run.kind).map { (field, $0) } }
      .prefix(limit)
    guard !values.isEmpty else { return }
    if limit >= 12 { blank() }
    let names = nameColumns(values.lazy.map(\.1.name))
    let room = max(1, (columns - names - 20) / 2)
    for (field, value) in values {
      let name = ink.name(value.name, columns: names, isPath: value.isPath)
      // Whether an interrupted run wrote its keys is known only once it is recovered.
      let isUnknown = run.isUnknown(field)
      let shown = value.shown(in: run.kind)
      let role = isUnknown ? Role.flagged : shown.role
      var spans = [
        Span(ink.sign(isUnknown ? .warning : field.isTakenBack ? .omitted : shown.sign) + " ", role),
        Span(name.padded(names), .label), Span(ink.value(value.before, of: value.key, columns: room), .value),
      ]
      if value.before != value.after {
        spans.append(Span(ink.words(" → "), .muted))
        spans.append(Span(ink.value(value.after, of: value.key, columns: room), .value))
      }
      let word =
        isUnknown ? "unknown until recovered" : field.isTakenBack ? Outcome.restored.word : shown.word
      spans.append(Span("  " + word, field.isTakenBack ? .skipped : role))
      add(spans, hanging: 2)
    }
  }
}

/// A value that a run changed, as its history shows it.
package struct RunValue {
  package let name: String
  /// Whether the name is a path as text, in which the names are already escaped.
  package let isPath: Bool
  /// The key that tells whether the value is a secret.
  package let key: String
  package let before: PropertyListValue?
  package let after: PropertyListValue?
  package let outcome: Outcome
  /// Whether the field was not in the run.
  fileprivate var isOmitted = false

  package var piece: Piece { isPath ? .path(name) : .name(name) }

  /// The outcome, in the words of the result of a run.
  package func shown(in kind: RunKind) -> (word: String, sign: Sign, role: Role) {
    let omitted = FieldState.omitted
    return isOmitted
      ? (omitted.word, omitted.sign, omitted.role) : (outcome.word(in: kind), outcome.sign, outcome.role)
  }
}

extension RunField {
  /// The field's value; for an edit and for a rollback, the values in it that differ, named as in the result of an edit.
  package func values(in kind: RunKind) -> [RunValue] {
    let isEdit = kind == .edit
    let found =
      isEdit || kind == .rollback
      ? RunValue.differing(at: id, before, after, outcome, isInner: !isEdit) : []
    guard found.isEmpty else { return found }
    let path = InspectedPath(store: id.file, labels: [.name(id.key)])
    return [
      RunValue(
        name: isEdit ? path.labelText : name, isPath: isEdit, key: id.key, before: Secrets.shown(before),
        after: Secrets.shown(after), outcome: outcome, isOmitted: isOmitted)
    ]
  }
}

extension RunValue {
  /// The differences between two values of a key.
  /// - Parameter isInner: whether to omit the key's own value, which may differ as a whole.
  static func differing(
    at place: KeyPlace, _ before: PropertyListValue?, _ after: PropertyListValue?, _ outcome: Outcome, isInner: Bool
  ) -> [RunValue] {
    let found = StoreDifference(path: place.file, key: place.key, before: before, after: after)
      .values(where: \.isSecret).filter { !isInner || $0.path.labels.count > 1 }
    return found.map { path, difference in
      func shown(_ child: InspectedChild?) -> PropertyListValue? {
        difference.isSecret
          ? child.map { _ in .string(Secrets.standIn) } : Secrets.shown(child?.raw.propertyListValue)
      }
      return RunValue(
        name: path.labelText, isPath: true, key: "", before: shown(difference.before), after: shown(difference.after),
        outcome: outcome == .migrated && difference.after == nil ? .dropped : outcome)
    }
  }
}

extension RunKind {
  package var word: String { rawValue }
  /// At the start of a sentence.
  package var noun: String { self == .apply ? "Migration" : word.prefix(1).uppercased() + word.dropFirst() }
}

extension RunStanding {
  package var words: String {
    switch self {
    case .holds: "in effect"
    case .partlyTakenBack: "partly rolled back"
    case .takenBack: "rolled back"
    case .interrupted: "interrupted"
    case .cameAlong: "from elsewhere"
    }
  }

  package var role: Role {
    switch self {
    case .holds: .confirmed
    case .partlyTakenBack: .changed
    case .takenBack: .skipped
    case .interrupted: .flagged
    case .cameAlong: .muted
    }
  }
}

extension Outcome {
  package var role: Role {
    switch self {
    case .migrated, .restored: .confirmed
    case .unchanged, .absent: .skipped
    case .skipped, .dropped: .flagged
    case .conflict: .conflict
    case .failed: .error
    }
  }

  /// A cleanup and an edit remove what another run does not migrate.
  package func word(in kind: RunKind) -> String {
    if kind == .edit { return self == .dropped ? "removed" : word }
    return kind == .cleanup && [.migrated, .dropped].contains(self) ? "removed" : word
  }
}
