import Carryover
import CarryoverPages
import CarryoverStorage
import CarryoverTerminal

extension Screen {
  static let details = Screen("details", "Details")
}

extension ScreenContent<ReviewState> {
  static var details: ScreenContent {
    text(.details, back: .leftward("Go back to the review.")) { writer, state in
      if let field = state.selected { writer.details(of: field, state) }
    }
    .with {
      $0.subject = { [$0.cursorPosition ?? -1] }
      $0.title = { state, ink in
        guard let field = state.selected else { return Screen.details.title }
        // A field changed in place has the same source and target.
        guard !field.isChangedInPlace else { return ink.name(field.id, columns: 66) }
        return "\(ink.name(field.sourceLabel, columns: 30)) \(ink.words("→")) \(ink.name(field.id, columns: 30))"
      }
    }
  }
}

enum DetailsKeys {
  static let all: [ReviewKey] = [
    ReviewKey(
      [.enter, .right, .character("l")], "details", "Show the details of the field.", in: [.review], .seeing, hint: 2,
      opens: .details, unless: { $0.cursorPosition == nil ? "There is no field here." : nil })
  ]
}

extension PageWriter {
  static let detailLabels = 12

  /// What a decision rests on comes first, so that a small window shows it.
  mutating func details(of field: Field, _ state: ReviewState) {
    standing(field, state)
    decided(field, state.history)
    type(field)
    model(field)
    blank()
    values(field, state)
    let standing = FieldState(field, state.decisions[field.id])
    findings(state.noted(field), asks: !standing.isDecided, explain: state.key("explain", .details))
    otherValues(field, state.decisions[field.id])
    readings(field)
    steps(field)
    places(
      field,
      state.plan.file(of: field).flatMap { file in
        state.plan.targets.first { $0.path.hasSameBytes(as: file) }
      })
  }

  private mutating func standing(_ field: Field, _ state: ReviewState) {
    let decision = state.decisions[field.id]
    let standing = FieldState(field, decision)
    var spans = [
      Span(ink.sign(standing.sign) + " ", standing.role), Span(ink.words(standing.word), standing.role),
    ]
    let change = ChangeSummary.text(field, decision)
    if change != standing.word { spans.append(Span(ink.sentence("  " + change), .muted)) }
    row("State", width: Self.detailLabels, spans)
  }

  private mutating func type(_ field: Field) {
    var form = [Span(ink.words(field.form.words), .muted)]
    if let legacy = field.legacy, let proposed = field.proposed, legacy.kind != proposed.kind {
      let change = "\(legacy.kind.plainWord) → \(proposed.kind.plainWord)"
      form = [
        Span(ink.words(change), .changed), Span(ink.words(": \(field.reader) reads \(field.form.words)"), .muted),
      ]
    }
    row("Type", width: Self.detailLabels, form)
  }

  private mutating func places(_ field: Field, _ target: TargetSummary?) {
    heading("Source and target")
    if let origin = field.origin {
      row(
        "Source", width: Self.detailLabels,
        [Span(ink.text("\(origin.source.label) in \(origin.store)"), .muted)], indent: 2)
    } else {
      let keys = field.sources.map(\.label).joined(separator: ", ")
      row("Looked for", width: Self.detailLabels, [Span(ink.text(keys), .muted)], indent: 2)
    }
    let place = target.map { "\(field.key) in \($0.path)\($0.exists ? "" : ", a new file")" }
    row(
      "Target", width: Self.detailLabels,
      [Span(place.map { ink.text($0) } ?? "nowhere: the name of the new SDK's file is unknown", .muted)], indent: 2)
  }

  private mutating func findings(_ field: Field, asks: Bool, explain: String) {
    guard !field.findings.isEmpty else { return }
    heading("Findings \(field.findings.count)")
    for (index, finding) in field.findings.enumerated() {
      if index > 0 { blank() }
      add(.list([finding.item(asks: asks)]))
    }
    add(
      [
        Span(explain, .key),
        Span(ink.words(" explains \(field.findings.count == 1 ? "this finding" : "these findings")."), .muted),
      ],
      indent: 2)
  }

  private mutating func otherValues(_ field: Field, _ decision: Decision?) {
    guard !field.alternatives.isEmpty else { return }
    heading("Other values: press the number to use one")
    for (index, alternative) in field.alternatives.enumerated() {
      let key = index < 9 ? "\(index + 1) " : "  "
      let isTaken = decision == .edit(alternative.value)
      var spans = [
        Span(key, .key),
        Span(ink.value(alternative.value, columns: max(12, columns / 2)) + "  ", isTaken ? .edited : .value),
        Span(ink.text(alternative.label), .muted),
      ]
      if isTaken { spans.append(Span("  in use", .edited)) }
      add(spans, indent: 2, hanging: 4)
    }
  }

  mutating func model(_ field: Field) {
    guard let model = field.model else { return }
    let version =
      switch model.version {
      case nil: field.legacy == nil ? "there is no data" : "the version is unknown"
      case model.newest?: "version \(model.newest), the newest"
      case let version?: "version \(version); the newest is \(model.newest)"
      }
    row("Model", width: Self.detailLabels, [Span(ink.text(model.name), .value), Span("  " + version, .muted)])
  }

  /// `accepted, then edited: 41`.
  mutating func decided(_ field: Field, _ history: History) {
    let (decisions, isCut) = Self.decisions(for: field.id, history)
    guard !decisions.isEmpty else { return }
    var spans: [Span] = isCut ? [Span(ink.words("…, then "), .muted)] : []
    for (index, decision) in decisions.enumerated() {
      if index > 0 { spans.append(Span(", then ", .muted)) }
      switch decision {
      case nil: spans.append(Span("undone", .muted))
      case .edit(let value):
        spans.append(Span("edited: ", .edited))
        spans.append(Span(ink.value(value, columns: 40), .value))
      case let decision:
        let state = FieldState(field, decision)
        spans.append(Span(ink.words(state.word), state.role))
      }
    }
    row("Decided", width: Self.detailLabels, spans)
  }

  /// The newest decisions for a field, oldest first. Reads a bounded number of changes: one key may have decided any
  /// number of fields.
  private static func decisions(for id: Field.ID, _ history: History) -> (decisions: [Decision?], isCut: Bool) {
    var (found, budget): ([Decision?], Int) = ([], 10_000)
    for changes in history.done.reversed() {
      budget -= changes.count
      guard budget > 0, found.count < 8 else { return (found.reversed(), !found.isEmpty) }
      for change in changes.reversed() where change.field.hasSameBytes(as: id) { found.append(change.after) }
    }
    return (found.reversed(), false)
  }

  mutating func readings(_ field: Field) {
    guard field.readings.isKnown else { return }
    heading("Comparison")
    let plan = field.readings.plan
    reading("Carryover writes", plan)
    reading("the legacy SDK reads", field.readings.legacy)
    reading("the guide writes", field.readings.guide, differs: !field.readings.guide.agrees(with: plan))
    reading("the migrator writes", field.readings.helper, differs: !field.readings.helper.agrees(with: plan))
  }

  private mutating func reading(_ label: String, _ reading: Reading, differs: Bool = false) {
    let (value, note): (Span, String?) =
      switch reading {
      case .value(let value, let note): (Span(ink.value(value, columns: max(12, columns - 30)), .value), note)
      case .nothing(let reason): (Span("nothing", .muted), reason)
      }
    let remark = note.map { ink.sentence($0) }
    add(
      [Span(ink.words(label).padded(21, gap: 1), .label), value]
        + (differs ? [Span("  differs", .conflict)] : [])
        + (remark.map { [Span((differs ? ink.words(" · ") : "  ") + $0, .muted)] } ?? []),
      indent: 2, hanging: 24)
  }

  mutating func steps(_ field: Field) {
    guard !field.steps.isEmpty else { return }
    heading("Conversion")
    for (index, step) in field.steps.enumerated() {
      var spans = [Span("\(index + 1) ", .muted), Span(ink.words(step.title) + "  ", .label)]
      if let result = step.result {
        spans.append(Span(result.kind.word + "  ", .note))
        spans.append(Span(ink.value(result, columns: max(12, columns - 30)), .value))
      } else if let bytes = step.omittedBytes {
        spans.append(Span(ink.words("\(bytes) bytes, too long to keep"), .note))
      } else {
        spans.append(Span("nothing: the transform ends here", .flagged))
      }
      add(spans, indent: 2, hanging: 4)
      changes(step.changes)
    }
  }
}

extension FourWayReadings {
  /// False for an app's own model and for other SDKs: neither guide nor helper says anything there.
  var isKnown: Bool { guide != .nothing(nil) || helper != .nothing(nil) }
}

extension Reading {
  /// Remarks aside.
  func agrees(with other: Reading) -> Bool {
    switch (self, other) {
    case (.value(let own, _), .value(let others, _)): own == others
    case (.nothing, .nothing): true
    default: false
    }
  }
}
