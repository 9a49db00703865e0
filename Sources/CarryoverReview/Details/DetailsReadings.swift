import Carryover
import CarryoverTerminal
import PropertyLists

extension PageWriter {
  /// What each of the four parties makes of the value, Carryover's plan first and the others measured by it.
  mutating func readings(_ field: Field) {
    guard field.readings.isKnown else { return }
    heading("Comparison")
    let plan = field.readings.plan
    reading("Carryover writes", plan)
    reading("the legacy SDK reads", field.readings.legacy)
    reading("the guide writes", field.readings.guide, differs: !field.readings.guide.agrees(with: plan))
    reading("the migrator writes", field.readings.helper, differs: !field.readings.helper.agrees(with: plan))
  }

  /// - Parameter differs: whether it is not what Carryover writes.
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

  /// The transform, each step with what it made.
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
