import Carryover
import PropertyLists

extension ReviewState {
  mutating func decide(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .undo: return replay(history.undo(), forward: false)
    case .redo: return replay(history.redo(), forward: true)
    default: break
    }
    guard let field = selected else { return [.bell] }
    switch command {
    case .confirm: toggle(.migrate, field)
    case .skip: toggle(.skip, field)
    case .keep: toggle(.keep, field)
    case .take(let number):
      guard field.alternatives.indices.contains(number) else {
        message = "There is no value \(number + 1) to take."
        return [.bell]
      }
      toggle(decision(for: field.alternatives[number].value, field), field)
    default: return [.bell]
    }
    return []
  }

  /// Taking the same decision twice takes it back.
  private mutating func toggle(_ decision: Decision, _ field: Field) {
    record(decisions[field.id] == decision ? nil : decision, for: field)
  }

  /// The decision for a value: typing the proposal is confirming it.
  func decision(for value: PropertyListValue, _ field: Field) -> Decision {
    value == field.proposed ? .migrate : .edit(value)
  }

  /// Takes a decision so that it can be undone.
  mutating func record(_ decision: Decision?, for field: Field) {
    let change = HistoryStep.Change(field: field.id, before: decisions[field.id], after: decision)
    guard change.before != change.after else { return }
    history.record(HistoryStep(changes: [change]))
    set(decision, for: field.id)
  }

  /// Takes one decision for several fields, in a step that is undone as one.
  mutating func record(_ decision: Decision?, for fields: [Field]) {
    let changes = fields.map { HistoryStep.Change(field: $0.id, before: decisions[$0.id], after: decision) }
      .filter { $0.before != $0.after }
    guard !changes.isEmpty else { return }
    history.record(HistoryStep(changes: changes))
    for change in changes { set(decision, for: change.field) }
  }

  /// The only place where a decision changes, so that the counts stay true.
  private mutating func set(_ decision: Decision?, for id: Field.ID) {
    guard let row = positions[id] else { return }
    let field = plan.fields[row]
    tally.move(from: FieldState(field, decisions[id]), to: FieldState(field, decision))
    decisions[id] = decision
    revision += 1
  }

  private mutating func replay(_ step: HistoryStep?, forward: Bool) -> [ReviewEffect] {
    guard let step else { return [.bell] }
    for change in forward ? step.changes : step.changes.reversed() {
      set(forward ? change.after : change.before, for: change.field)
    }
    if let change = step.changes.last, let position = positions[change.field] {
      if let row = rows.row(of: position) { select(row: row) }
      let state = FieldState(plan.fields[position], decisions[change.field])
      message = "\(forward ? "Done again" : "Undone"): \(change.field) is \(state.word)."
    }
    return []
  }

  /// What the target will hold of a field as things stand; nil where nothing is written and nothing is there.
  func valueUnderDecision(_ field: Field) -> PropertyListValue? {
    FieldSummary.value(field, decisions[field.id])
  }
}
