import Carryover
import PropertyLists

extension ReviewState {
  /// The rows between the field where the range began and the cursor; nil without a range.
  var range: ClosedRange<Int>? {
    guard let anchor = list.anchor, let start = positions[anchor].flatMap({ rows.row(of: $0) }), let end = cursorRow
    else {
      return nil
    }
    return min(start, end)...max(start, end)
  }

  /// Begins a range at the cursor, or leaves it.
  mutating func toggleRange() -> [ReviewEffect] {
    guard cursor != nil else { return [.bell] }
    list.anchor = list.anchor == nil ? cursor : nil
    return []
  }

  /// Decides alike for every field of the range that can be; where all of these are decided so already, takes it back.
  mutating func decideRange(_ range: ClosedRange<Int>, _ decision: Decision) -> [ReviewEffect] {
    var able: [HistoryStep.Change] = []
    for row in range {
      guard let position = rows[row] else { continue }
      let before = self.decision(at: position)
      guard before == decision || facts[position].canTake(decision) else { continue }
      able.append(
        HistoryStep.Change(field: facts[position].id, before: before, after: decision, position: position))
    }
    let unable = range.count - able.count
    guard !able.isEmpty else {
      message = decision.obstacle(range.count, all: true) + "."
      return [.bell]
    }
    let isTakenBack = able.allSatisfy { $0.before == decision }
    if isTakenBack { for index in able.indices { able[index].after = nil } }
    let changes = able.filter { $0.before != $0.after }
    var parts = ["\(changes.count) \(isTakenBack ? "undone" : decision.pastWord)"]
    if able.count > changes.count {
      parts.append("\(able.count - changes.count) \(able.count - changes.count == 1 ? "was" : "were") already")
    }
    if unable > 0 { parts.append(decision.obstacle(unable, all: false)) }
    record(changes)
    message = parts.joined(separator: "; ") + "."
    return []
  }
}

extension Decision {
  /// What was done by it: `4 confirmed`.
  var pastWord: String {
    switch self {
    case .migrate, .accept: "accepted"
    case .skip, .omit: "skipped"
    case .keep: "kept"
    case .edit: "edited"
    }
  }

  /// Why a number of fields cannot carry it.
  fileprivate func obstacle(_ count: Int, all: Bool) -> String {
    let who = !all ? "\(count)" : count == 1 ? "The field" : "None of the \(count) fields"
    let has = !all && count > 1 ? "have" : "has"
    let isNone = all && count > 1
    switch self {
    case .keep: return isNone ? "\(who) has a value of the target's to keep" : "\(who) \(has) no target's value to keep"
    default: return isNone ? "\(who) has a proposal" : "\(who) \(has) no proposal"
    }
  }
}
