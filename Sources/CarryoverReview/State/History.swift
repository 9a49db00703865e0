import Carryover

/// What one key did to the decisions: each field's decision before and after, so that it can be taken back and done
/// again exactly.
struct HistoryStep: Hashable, Sendable {
  struct Change: Hashable, Sendable {
    var field: Field.ID
    var before: Decision?
    var after: Decision?
    /// Where the field stands in the plan, if that is known.
    var position: Int?
  }

  var changes: [Change]
}

/// The decisions taken since the review started, in order.
struct History: Hashable, Sendable {
  private(set) var done: [HistoryStep] = []
  private(set) var undone: [HistoryStep] = []

  mutating func record(_ step: HistoryStep) {
    done.append(step)
    undone.removeAll()
  }

  mutating func undo() -> HistoryStep? {
    guard let step = done.popLast() else { return nil }
    undone.append(step)
    return step
  }

  mutating func redo() -> HistoryStep? {
    guard let step = undone.popLast() else { return nil }
    done.append(step)
    return step
  }

  /// Forgets the decisions for other fields than these. Another plan may list the rest in other places.
  mutating func keep(_ isKept: (Field.ID) -> Bool) {
    func kept(_ steps: [HistoryStep]) -> [HistoryStep] {
      steps.compactMap { step in
        let changes = step.changes.filter { isKept($0.field) }.map { change in
          HistoryStep.Change(field: change.field, before: change.before, after: change.after)
        }
        return changes.isEmpty ? nil : HistoryStep(changes: changes)
      }
    }
    (done, undone) = (kept(done), kept(undone))
  }
}
