import Carryover
import CarryoverTerminal
import PropertyLists

extension ScreenContent<ReviewState> {
  /// All about one field.
  static var details: ScreenContent {
    text(.details, back: .leftward("Go back to the review.")) { writer, state in
      if let field = state.selected { writer.details(of: field, state) }
    }
    .with {
      $0.title = { state, ink in
        guard let field = state.selected else { return Screen.details.title }
        // What is changed in its place comes from where it goes to.
        guard !field.isChangedInPlace else { return ink.name(field.id, columns: 66) }
        return "\(ink.name(field.sourceLabel, columns: 30)) \(ink.words("→")) \(ink.name(field.id, columns: 30))"
      }
    }
  }
}

/// What opens the details.
enum DetailsKeys {
  static let all: [KeyBinding<ReviewState>] = [
    KeyBinding(
      [.enter, .right, .character("l")], "details", "Show the details of the field.", in: [.review], .seeing, hint: 2,
      opens: .details, unless: { $0.cursorPosition == nil ? "There is no field here." : nil })
  ]
}

extension PageWriter {
  /// The width of the labels in the details.
  static let detailLabels = 12

  /// All about a field: how it stands, its values, what was observed, what else it could be, how the proposal came
  /// about, and where it comes from and goes. What a decision rests on comes first: a small window shows it at once.
  mutating func details(of field: Field, _ state: ReviewState) {
    standing(field, state)
    decided(field, state.history)
    type(field)
    model(field)
    blank()
    values(field, state)
    let standing = FieldState(field, state.decisions[field.id])
    findings(field, asks: !standing.isDecided, explain: state.key("explain", .details))
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

  /// The form the target's reader requires, and what becomes of the type where it changes.
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

  /// Where the value comes from, and where it goes.
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
      [Span(place.map { ink.text($0) } ?? "nowhere: the target cannot be named", .muted)], indent: 2)
  }

  /// What was observed about the field.
  private mutating func findings(_ field: Field, asks: Bool, explain: String) {
    guard !field.findings.isEmpty else { return }
    heading("Findings \(field.findings.count)")
    for (index, finding) in field.findings.enumerated() {
      if index > 0 { blank() }
      self.finding(finding, asks: asks)
    }
    add(
      [
        Span(explain, .key),
        Span(ink.words(" explains \(field.findings.count == 1 ? "this finding" : "these findings")."), .muted),
      ],
      indent: 2)
  }

  /// What may be wanted instead of the proposal, with the key that takes it.
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
}
