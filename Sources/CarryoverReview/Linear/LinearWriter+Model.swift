import Carryover
import CarryoverStorage
import CarryoverSystem
import CarryoverTerminal
import PropertyLists

extension LinearWriter {
  /// A model as it is heard before it is decided: what it is now, what it becomes, each step in a sentence.
  mutating func model(_ field: Field, _ model: FieldModel, whole isWhole: Bool) {
    let now = isWhole ? whole(field.legacy) : value(field.legacy)
    let version = model.version.map { $0 == model.newest ? ", in version \($0), the newest" : ", in version \($0)" }
    let place = field.origin.map { "; found as \(name($0.source.label)) in \(path($0.store))" } ?? ""
    add("Now: \(now)\(field.legacy == nil ? "" : version ?? ", in a version that cannot be told")\(place).")
    if field.status == .unchanged, field.current == field.proposed {
      return add("It stays as it is.")
    }
    guard let proposed = field.proposed else {
      let why = field.status == .absent ? "there is no data" : Self.spoken(ChangeSummary.proposal(field))
      return add("Becomes: nothing; \(ink.sentence(why)). The newest known version is \(model.newest).")
    }
    add("Becomes: \(isWhole ? whole(proposed) : value(proposed)), in version \(model.newest).")
    each(field.steps, atMost: Self.mostSteps) { writer, step in writer.step(step, isWhole) }
    guard !field.isChangedInPlace else { return say("It is changed in its place; nothing else is written over.") }
    add("Target now: \(value(field.current)).")
  }

  /// What a step does, in a sentence; in full also what it makes.
  private mutating func step(_ step: TransformStep, _ isWhole: Bool) {
    guard let from = step.version else { return add("Step: \(ink.sentence(Self.spoken(step.title))).") }
    let done = step.changes.prefix(Self.mostChanges).map { change in
      change.sentence(name: { ink.name($0) }, value: { json($0) })
    }
    let more = step.changes.count - done.count
    let sentence =
      done.isEmpty
      ? "nothing had to be changed (\(ink.sentence(Self.spoken(step.operation ?? step.title))))"
      : done.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
    let made = isWhole ? " It is then \(value(step.result))." : ""
    add("Step from version \(from) to \(from < Int.max ? from + 1 : from): \(sentence).\(made)")
  }

  /// A value in a model as it is heard; text in its quotes, so that it cannot be taken for a number.
  private func json(_ json: JSONValue?) -> String {
    guard let json else { return "nothing" }
    let text = ModelSummary.text(json, limit: Self.rowLimit) { ink.shown($0) }
    return DisplayText.visible(text, limit: Self.rowLimit, ascii: ink.glyphs == .ascii)
  }

  private static let mostSteps = 100
  private static let mostChanges = 20
}
