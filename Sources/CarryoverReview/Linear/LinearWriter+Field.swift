import Carryover
import CarryoverTerminal
import PropertyLists

extension LinearWriter {
  /// A field in a line, for lists.
  mutating func row(_ field: Field, _ number: Int, _ decision: Decision?) {
    let change = ink.sentence(Self.spoken(ChangeSummary.proposal(field)))
    let decided = decision.map { "; " + outcome(field, $0, limit: Self.rowLimit) } ?? ""
    add(
      "\(number). \(name(field.id)), \(FieldState(field, decision).word): "
        + "legacy \(value(field.legacy, limit: Self.rowLimit)), "
        + "proposed \(value(field.proposed, limit: Self.rowLimit)), \(change)\(decided).")
  }

  /// A field as it is heard before it is decided.
  mutating func field(_ field: Field, _ number: Int, of count: Int, _ decision: Decision?) {
    add("\(number) of \(count). \(name(field.id)), \(FieldState(field, decision).word).")
    if let model = field.model {
      self.model(field, model, whole: false)
    } else {
      legacy(field, value(field.legacy))
      let change = ink.sentence(Self.spoken(ChangeSummary.proposal(field)))
      add("Proposed: \(value(field.proposed)); \(change).")
      target(field, value(field.current))
    }
    decided(field, decision)
    findings(field.findings)
    alternatives(field)
  }

  private mutating func target(_ field: Field, _ value: String) {
    add("Target now: \(field.isChangedInPlace ? "the legacy value itself: it is changed in its place" : value).")
  }

  private mutating func legacy(_ field: Field, _ value: String) {
    guard let origin = field.origin else {
      let keys = field.sources.map { name($0.label) }.joined(separator: ", ")
      return add("Legacy: \(value)" + (keys.isEmpty ? "." : "; looked for \(keys)."))
    }
    add("Legacy: \(value); found as \(name(origin.source.label)) in \(path(origin.store)).")
  }

  /// What was decided; nothing where nothing was.
  mutating func decided(_ field: Field, _ decision: Decision?) {
    guard let decision else { return }
    add("Decided: \(FieldState(field, decision).word), \(outcome(field, decision)).")
  }

  /// What comes of a decision.
  func outcome(_ field: Field, _ decision: Decision, limit: Int = valueLimit) -> String {
    switch decision {
    case .accept where field.status == .conflict: "the conflict stays"
    case .migrate, .accept:
      "\(value(field.proposed, limit: limit)) \(field.status == .unchanged ? "stands there already" : "is written")"
    case .edit(let edited): "\(value(edited, limit: limit)) is written"
    case .skip: "nothing is written"
    case .omit: "nothing is written by this run"
    case .keep: "\(value(field.current, limit: limit)) stays"
    }
  }

  /// Findings with what to do about each.
  mutating func findings(_ findings: [Finding]) {
    let count = findings.count
    each(Array(findings.enumerated())) { writer, item in
      writer.finding(item.element, count > 1 ? "Finding \(item.offset + 1) of \(count)" : "Finding")
    }
  }

  /// A finding: how grave, which, what happened, what to do.
  mutating func finding(_ finding: Finding, _ title: String = "Finding") {
    add(
      "\(title), \(finding.severity.rawValue), \(finding.code.rawValue): \(ink.sentence(finding.message)) "
        + "What to do: \(ink.sentence(finding.remedy))")
  }

  private mutating func alternatives(_ field: Field) {
    for (index, alternative) in field.alternatives.enumerated() {
      add("Other value \(index + 1): \(value(alternative.value)), \(ink.sentence(alternative.label)).")
    }
  }

  /// All about a field: values in full, the moments they stand for, four readings, every step.
  mutating func details(_ field: Field, _ number: Int, of count: Int, _ decision: Decision?, _ options: ReviewOptions) {
    add("Details of field \(number) of \(count), \(name(field.id)), \(FieldState(field, decision).word).")
    if let model = field.model {
      self.model(field, model, whole: true)
    } else {
      legacy(field, whole(field.legacy))
      moment(field.legacy, options)
      members(field.legacy, kept: field.proposed)
      add("Proposed: \(whole(field.proposed)); \(ink.sentence(Self.spoken(ChangeSummary.proposal(field)))).")
      moment(field.proposed, options)
    }
    if case .edit(let edited) = decision { add("Edited: \(whole(edited)).") }
    if field.model == nil { target(field, whole(field.current)) }
    decided(field, decision)
    if field.findings.isEmpty { say("There is nothing to warn about here.") }
    findings(field.findings)
    alternatives(field)
    // The steps of a model are said with its data.
    guard field.model == nil else { return }
    readings(field)
    for (index, step) in field.steps.enumerated() {
      add("Step \(index + 1): \(ink.sentence(Self.spoken(step.title))) gives \(value(step.result)).")
    }
  }

  private mutating func moment(_ found: PropertyListValue?, _ options: ReviewOptions) {
    guard let found, let reading = MomentReading(ofTime: ink.shown(found)) else { return }
    let moment = MomentText.both(reading.moment, offset: options.zoneOffset)
    say("That is \(moment), read as \(reading.unit.words).")
  }

  /// The top-level members of JSON text, with what becomes of each.
  private mutating func members(_ legacy: PropertyListValue?, kept proposed: PropertyListValue?) {
    guard case .string(let before) = legacy, before.utf8.count <= Ink.textLimit,
      case .string(let after) = proposed, let names = JSONOutline.memberNames(before),
      let left = JSONOutline.memberNames(after).map(Set.init)
    else { return }
    let stripped = names.filter { !left.contains($0) }
    guard !stripped.isEmpty else { return }
    let list = stripped.prefix(100).map { ink.text($0) }.joined(separator: ", ")
    add("Members of it that are left out: \(list).")
  }

  /// What each of the four parties makes of the value; nothing where guide and helper say nothing, as of another maker's
  /// SDK.
  private mutating func readings(_ field: Field) {
    guard field.readings.isKnown else { return }
    reading("The legacy SDK reads", field.readings.legacy)
    reading("The migration guide says", field.readings.guide)
    reading("The reference helper writes", field.readings.helper)
    reading("Carryover writes", field.readings.plan)
  }

  private mutating func reading(_ title: String, _ reading: Reading) {
    switch reading {
    case .value(let found, let note):
      add("\(title): \(value(found))" + (note.map { "; " + ink.sentence(Self.spoken($0)) } ?? "") + ".")
    case .nothing(let reason):
      add("\(title): nothing" + (reason.map { "; " + ink.sentence(Self.spoken($0)) } ?? "") + ".")
    }
  }
}
