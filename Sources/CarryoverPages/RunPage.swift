package import Carryover
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

extension PageWriter {
  private static let labels = 10

  /// The facts about a run.
  /// - Parameters:
  ///   - zone: the offset of local time from UTC, in seconds.
  ///   - isBrief: whether its fields need the room.
  package mutating func run(_ run: RunSummary, zone: Int, isBrief: Bool = false, files most: Int = 3) {
    var standing = [Span(run.standing.words, run.standing.role)]
    if run.backup == nil { standing.append(Span(", its backup is pruned", .flagged)) }
    row("State", width: Self.labels, standing)
    guard !isBrief else { return }
    row("Started", width: Self.labels, [Span(ink.words(MomentText.both(run.moment, offset: zone)))])
    let recipes = run.recipes.map { "\($0.id) \($0.version)" }.joined(separator: ", ")
    row("Recipe", width: Self.labels, [Span(ink.name("\(recipes), Carryover \(run.tool)"), .muted)])
    if run.size > 0 { row("Backup", width: Self.labels, [Span(sizeText(run.size), .muted)]) }
    if let other = run.rolledBack { row("Rolled back", width: Self.labels, [Span(ink.name(other), .value)]) }
    for (index, file) in run.files.prefix(most).enumerated() {
      row(index == 0 ? "Files" : "", width: Self.labels, [Span(ink.text(file), .value)])
    }
    if run.files.count > most { row("", width: Self.labels, [Span("and \(run.files.count - most) more", .muted)]) }
  }

  /// The outcomes of the first fields of a run, a line each.
  package mutating func fields(of run: RunSummary, atMost limit: Int = .max) {
    let fields = run.fields.prefix(max(0, limit))
    guard !fields.isEmpty else { return }
    if limit >= 12 { blank() }
    let names = nameColumns(fields.lazy.map(\.name))
    let room = max(1, (columns - names - 20) / 2)
    for field in fields {
      let name = ink.name(field.name, columns: names)
      // Whether an interrupted run wrote its keys is known only once it is recovered.
      let isUnknown = run.isUnknown(field)
      let role = isUnknown ? Role.flagged : field.outcome.role
      var spans = [
        Span(ink.sign(isUnknown ? .warning : field.isTakenBack ? .omitted : field.outcome.sign) + " ", role),
        Span(name.padded(names), .label), Span(ink.value(field.before, of: field.id.key, columns: room), .value),
      ]
      if field.before != field.after {
        spans.append(Span(ink.words(" → "), .muted))
        spans.append(Span(ink.value(field.after, of: field.id.key, columns: room), .value))
      }
      let word =
        isUnknown
        ? "unknown until recovered" : field.isTakenBack ? Outcome.restored.word : field.outcome.word(in: run.kind)
      spans.append(Span("  " + word, field.isTakenBack ? .skipped : role))
      add(spans, hanging: 2)
    }
  }
}
