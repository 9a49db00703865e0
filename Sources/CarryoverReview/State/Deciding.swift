import Carryover
import PropertyLists

extension ReviewState {
  /// Takes the last decision back.
  mutating func undo() -> [ReviewEffect] { replay(history.undo(), forward: false) }

  /// Takes the last undo back.
  mutating func redo() -> [ReviewEffect] { replay(history.redo(), forward: true) }

  /// Decides for the field with the cursor, or for the range; the same decision again is taken back.
  mutating func decide(_ decision: Decision) -> [ReviewEffect] {
    if let range = listRange { return decideRange(range, decision) }
    guard let field = selected else { return [.bell] }
    record(decisions[field.id] == decision ? nil : decision, for: field)
    return []
  }

  /// The range, where the keys are about it: on the list, and not on the page of one field.
  var listRange: ClosedRange<Int>? { topScreen == .review ? range : nil }

  /// The decision for a value: typing the proposal is confirming it.
  func decision(for value: PropertyListValue, _ field: Field) -> Decision {
    value == field.proposed ? .migrate : .edit(value)
  }

  /// Takes a decision so that it can be undone.
  mutating func record(_ decision: Decision?, for field: Field) {
    record([HistoryStep.Change(field: field.id, before: decisions[field.id], after: decision)])
  }

  /// Takes decisions so that they can be undone together.
  /// - Returns: what to say of the decisions that follow from them.
  @discardableResult
  mutating func record(_ changes: [HistoryStep.Change]) -> String? {
    let (changes, message) = completed(changes.filter { $0.before != $0.after })
    guard !changes.isEmpty else { return nil }
    history.record(HistoryStep(changes: changes))
    if changes.count > 1 { decisions.reserveCapacity(decisions.count + changes.count) }
    for change in changes { set(change.after, for: change) }
    layOutVerdict()
    stack.revision += 1
    log.add(.decision, DecisionLog.taken(changes), at: now)
    if let message { self.message = message }
    return message
  }

  /// Changes with those that follow from them, and what to say of these: where the target keeps another user, what
  /// describes the legacy one is skipped with it, in the same step.
  func completed(_ changes: [HistoryStep.Change]) -> (changes: [HistoryStep.Change], message: String?) {
    var (changes, message) = (changes, String?.none)
    var last = Dictionary(
      changes.enumerated().map { (StringByBytes($1.field), $0) }, uniquingKeysWith: { $1 })
    for pair in plan.describingFields {
      let naming = decisions[pair.named.id]
      let change = last[pair.named.id].map { changes[$0] }
      let (before, after) = (pair.decision(naming), pair.decision(change.map(\.after) ?? naming))
      let own = decisions[pair.field.id]
      if let index = last[pair.field.id] {
        // A skip that is taken back means that the field is wanted all the same.
        if changes[index].after == nil, after != nil { changes[index].after = .migrate }
      } else if before != after, own == before || after != nil && own == .migrate {
        last[pair.field.id] = changes.count
        changes.append(HistoryStep.Change(field: pair.field.id, before: own, after: after))
        message =
          after == nil
          ? "\(pair.field.id) goes with \(pair.named.id): it is no longer skipped."
          : "\(pair.field.id) is skipped too: it does not describe the target's user."
      }
    }
    return (changes, message)
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
    layOutVerdict()
    stack.revision += 1
    list.anchor = nil
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
