import Carryover
import CarryoverTerminal
import PropertyLists

extension PageWriter {
  /// What each of the four parties makes of the value, Carryover's plan first and the others measured by it.
  mutating func readings(_ field: Field) {
    guard field.readings.isKnown else { return }
    heading("What each side reads or writes")
    let plan = field.readings.plan
    reading("Carryover writes", plan, mark: Span("  "))
    reading("the legacy SDK reads", field.readings.legacy, mark: mark(field.readings.legacy, plan, isInput: true))
    reading("the guide writes", field.readings.guide, mark: mark(field.readings.guide, plan))
    reading("the migrator writes", field.readings.helper, mark: mark(field.readings.helper, plan))
    let disagreeing = [field.readings.guide, field.readings.helper].contains { !$0.agrees(with: plan) }
    guard disagreeing else { return }
    add(
      [Span(ink.sign(FieldState.conflict.sign) + " ", .conflict), Span("is not what Carryover writes.", .muted)],
      indent: 2)
  }

  /// What the legacy SDK reads is what the proposal is made from: where it differs, it was changed on the way.
  private func mark(_ reading: Reading, _ plan: Reading, isInput: Bool = false) -> Span {
    if reading.agrees(with: plan) { return Span("= ", .muted) }
    return isInput ? Span("~ ", .changed) : Span(ink.sign(FieldState.conflict.sign) + " ", .conflict)
  }

  private mutating func reading(_ label: String, _ reading: Reading, mark: Span) {
    var spans: [Span] = []
    switch reading {
    case .value(let value, let note):
      spans.append(Span(ink.value(value, columns: max(12, columns - 30)), .value))
      if let note { spans.append(Span("  " + ink.sentence(note), .muted)) }
    case .nothing(let reason):
      spans.append(Span("nothing", .muted))
      if let reason { spans.append(Span("  " + ink.sentence(reason), .muted)) }
    }
    let name = ink.words(label)
    add(
      [mark, Span(name.padded(21, gap: 1), mark.style.role == .conflict ? .conflict : .label)] + spans, indent: 2,
      hanging: 26)
  }

  /// The transform, each step with what it made.
  mutating func steps(_ field: Field) {
    guard !field.steps.isEmpty else { return }
    heading("Step by step")
    for (index, step) in field.steps.enumerated() {
      var spans = [Span("\(index + 1) ", .muted), Span(ink.words(step.title) + "  ", .label)]
      if let result = step.result {
        spans.append(Span(result.kind.word + "  ", .note))
        spans.append(Span(ink.value(result, columns: max(12, columns - 30)), .value))
      } else {
        spans.append(Span("nothing: the transform ends here", .flagged))
      }
      add(spans, indent: 2, hanging: 4)
      changes(step.changes)
    }
  }
}

extension FourWayReadings {
  /// Whether there is anything to compare: of an app's own model, and of another maker's SDK, neither guide nor helper
  /// says anything.
  var isKnown: Bool { guide != .nothing(nil) || helper != .nothing(nil) }
}

extension Reading {
  /// Whether two parties make the same of a value, whatever they remark.
  func agrees(with other: Reading) -> Bool {
    switch (self, other) {
    case (.value(let own, _), .value(let others, _)): own == others
    case (.nothing, .nothing): true
    default: false
    }
  }
}
