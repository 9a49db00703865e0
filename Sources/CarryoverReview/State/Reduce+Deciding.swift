import Carryover
import PropertyLists

extension ReviewState {
  mutating func decide(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .undo: return replay(history.undo(), forward: false)
    case .redo: return replay(history.redo(), forward: true)
    default: break
    }
    if let range = listRange, let decision = command.decision { return decideRange(range, decision) }
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

  /// The range, where the keys are about it: on the list, and not on the page of one field.
  var listRange: ClosedRange<Int>? { screens.last == .review ? range : nil }

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
    record([HistoryStep.Change(field: field.id, before: decisions[field.id], after: decision)])
  }

  /// Takes decisions so that they can be undone together.
  mutating func record(_ changes: [HistoryStep.Change]) {
    let changes = changes.filter { $0.before != $0.after }
    guard !changes.isEmpty else { return }
    history.record(HistoryStep(changes: changes))
    if changes.count > 1 { decisions.reserveCapacity(decisions.count + changes.count) }
    for change in changes { set(change.after, for: change) }
    revision += 1
    log.add(.decision, DecisionLog.taken(changes), at: now)
  }

  /// Takes one decision for several fields, in a step that is undone as one.
  mutating func record(_ decision: Decision?, for fields: [Field]) {
    record(fields.map { HistoryStep.Change(field: $0.id, before: decisions[$0.id], after: decision) })
  }

  /// The only place where a decision changes, so that the counts stay true.
  mutating func set(_ decision: Decision?, for change: HistoryStep.Change) {
    guard let position = change.position ?? positions[change.field] else { return }
    let standing = FieldState(facts[position].status, decision)
    tally.move(from: standings[position], to: standing)
    standings[position] = standing
    decisions[change.field] = decision
    decisionsRevision += 1
  }

  private mutating func replay(_ step: HistoryStep?, forward: Bool) -> [ReviewEffect] {
    guard let step else { return [.bell] }
    for change in forward ? step.changes : step.changes.reversed() {
      set(forward ? change.after : change.before, for: change)
    }
    revision += 1
    anchor = nil
    let (positions, rows) = (positions, rows)
    let listed = step.changes.lazy.compactMap { ($0.position ?? positions[$0.field]).flatMap(rows.row(of:)) }.first
    if let listed { select(row: listed) }
    let verb = forward ? "Done again" : "Undone"
    let hidden = listed == nil ? step.changes.count == 1 ? ", not listed" : ", none of them listed" : ""
    if step.changes.count == 1, let change = step.changes.first, let position = positions[change.field] {
      message = "\(verb): \(change.field) is \(standings[position].word)\(hidden)."
    } else {
      message = "\(verb): \(step.changes.count) decisions\(hidden)."
    }
    log.add(.decision, DecisionLog.replayed(step.changes, verb: verb), at: now)
    return []
  }

  /// What the target will hold of a field as things stand; nil where nothing is written and nothing is there.
  func valueUnderDecision(_ field: Field) -> PropertyListValue? {
    FieldSummary.value(field, decisions[field.id])
  }
}

extension Command {
  /// The decision that can be taken for many fields alike.
  fileprivate var decision: Decision? {
    switch self {
    case .confirm: .migrate
    case .skip: .skip
    case .keep: .keep
    default: nil
    }
  }
}
