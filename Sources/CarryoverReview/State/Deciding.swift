import Carryover
import CarryoverPages

extension ReviewState {
  mutating func undo() { say("Undone", decided.undo(in: indexed)) }
  mutating func redo() { say("Redone", decided.redo(in: indexed)) }

  /// Decides for the field with the cursor, or for the range. The same decision again undoes it.
  mutating func decide(_ decision: Decision) {
    if let range = listRange { return decideRange(range, decision) }
    guard let field = selected else { return emit(.bell) }
    record(decisions[field.id] == decision ? nil : decision, for: field)
  }

  func decision(at position: Int) -> Decision? { standings[position].isDecided ? decisions[facts[position].id] : nil }

  /// The range, on the list only: the page of a field is about that field.
  var listRange: ClosedRange<Int>? { topScreen == .review ? range : nil }

  /// Typing the proposal accepts it.
  func decision(for value: PropertyListValue, _ field: Field) -> Decision {
    value == field.proposed ? .migrate : .edit(value)
  }

  mutating func record(_ decision: Decision?, for field: Field) {
    record([DecisionChange(field: field.id, before: decisions[field.id], after: decision)])
  }

  /// Records decisions so that they can be undone together.
  /// - Returns: the message about decisions that follow from them.
  @discardableResult mutating func record(_ changes: [DecisionChange]) -> String? {
    let (changes, message) = completed(changes.filter { $0.before != $0.after })
    guard !changes.isEmpty else { return nil }
    decided.record(changes, in: indexed)
    log.add(.decision, "\(DecisionLog.words(changes.first?.after)): \(DecisionLog.names(changes))", at: now)
    if let message { self.message = message }
    return message
  }

  /// Adds the changes that follow, in the same step: if the target keeps another user, the fields that describe the
  /// legacy user are skipped; if that user is replaced, they are no longer skipped.
  func completed(_ changes: [DecisionChange]) -> (changes: [DecisionChange], message: String?) {
    var (changes, message) = (changes, String?.none)
    var last = Dictionary(changes.enumerated().map { (StringByBytes($1.field), $0) }, uniquingKeysWith: { $1 })
    for pair in plan.describingFields {
      let naming = decisions[pair.named.id]
      let change = last[pair.named.id].map { changes[$0] }
      let newNaming: Decision? = change.map(\.after) ?? naming
      let (before, after) = (pair.decision(naming), pair.decision(newNaming))
      let own = decisions[pair.field.id]
      if let index = last[pair.field.id] {
        // Undoing such a skip migrates the field after all.
        if changes[index].after == nil, after != nil { changes[index].after = .migrate }
      } else if before != after, own != after, own == before || after != nil && own == .migrate {
        last[pair.field.id] = changes.count
        changes.append(DecisionChange(field: pair.field.id, before: own, after: after))
        if !pair.keepsAnother(newNaming) {
          message = "\(pair.field.id) is no longer skipped: it follows \(pair.named.id)."
        } else if !pair.field.isFollowing {
          message = "\(pair.field.id) is skipped too: it does not describe the new SDK's user."
        }
      }
    }
    return (changes, message)
  }

  private mutating func say(_ verb: String, _ changes: [DecisionChange]?) {
    guard let changes else { return emit(.bell) }
    list.endRange()
    let (positions, rows) = (positions, rows)
    let listed = changes.lazy.compactMap { ($0.position ?? positions[$0.field]).flatMap(rows.row(of:)) }.first
    if let listed { select(row: listed) }
    let hidden = listed == nil ? changes.count == 1 ? ", not listed" : ", none of them listed" : ""
    if changes.count == 1, let change = changes.first, let position = positions[change.field] {
      message = "\(verb): \(change.field) is \(standings[position].word)\(hidden)."
    } else {
      message = "\(verb): \(changes.count) decisions\(hidden)."
    }
    log.add(.decision, "\(verb): \(DecisionLog.names(changes))", at: now)
  }

  func valueUnderDecision(_ field: Field) -> PropertyListValue? { FieldSummary.value(field, decisions[field.id]) }

  var range: ClosedRange<Int>? { list.range }

  mutating func toggleRange() {
    if range == nil { list.beginRange() } else { list.endRange() }
  }

  /// Decides every field of the range that can take the decision. If all of them have it already, it is undone.
  mutating func decideRange(_ range: ClosedRange<Int>, _ decision: Decision) {
    var able: [DecisionChange] = []
    for row in range {
      guard let position = rows.element(row) else { continue }
      let before = self.decision(at: position)
      guard before == decision || facts[position].allows(decision) else { continue }
      able.append(DecisionChange(field: facts[position].id, before: before, after: decision, position: position))
    }
    let unable = range.count - able.count
    guard !able.isEmpty else { return refuse(decision.obstacle(range.count, all: true) + ".") }
    let isUndone = able.allSatisfy { $0.before == decision }
    if isUndone { for index in able.indices { able[index].after = nil } }
    let changes = able.filter { $0.before != $0.after }
    var parts = ["\(changes.count) \(isUndone ? "undone" : decision.pastWord)"]
    if able.count > changes.count {
      parts.append("\(able.count - changes.count) \(able.count - changes.count == 1 ? "was" : "were") already")
    }
    if unable > 0 { parts.append(decision.obstacle(unable, all: false)) }
    record(changes)
    message = parts.joined(separator: "; ") + "."
  }
}

extension Decision {
  /// `accepted`, `kept`.
  var pastWord: String { FieldState(.ready, self).word }

  fileprivate func obstacle(_ count: Int, all: Bool) -> String {
    let who = !all ? "\(count)" : count == 1 ? "The field" : "None of the \(count) fields"
    let has = !all && count > 1 ? "have" : "has"
    let isNone = all && count > 1
    switch self {
    case .keep: return isNone ? "\(who) has a target value to keep" : "\(who) \(has) no target value to keep"
    default: return isNone ? "\(who) has a proposal" : "\(who) \(has) no proposal"
    }
  }
}

/// The decisions of a review, and what follows from them for each field.
struct ReviewDecisions: Sendable {
  private(set) var decisions: Decisions
  /// Those at the start or at the last apply. Quitting loses nothing if they are the present ones.
  private(set) var settled: Decisions
  /// The state of each field under its decision, by its position in the plan.
  private(set) var standings: [FieldState]
  private(set) var tally = Tally()
  /// How many undecided fields have a recommended proposal.
  private(set) var recommended = 0
  private(set) var history: History

  init(_ decisions: Decisions, settled: Decisions, _ history: History = History(), of plan: IndexedPlan) {
    self.decisions = decisions.filter { plan.positions[$0.key] != nil }
    self.settled = settled.filter { plan.positions[$0.key] != nil }
    self.history = history
    standings = plan.plan.fields.map { FieldState($0, decisions[$0.id]) }
    for (standing, fact) in zip(standings, plan.facts) {
      tally.add(standing)
      if standing.waits && fact.isRecommended { recommended += 1 }
    }
  }

  /// Those for fields that another plan has, too.
  func kept(from old: IndexedPlan, in new: IndexedPlan) -> ReviewDecisions {
    let kept = decisions.filter { old.isSame($0.key, in: new) }
    return ReviewDecisions(
      kept, settled: settled.filter { kept[$0.key] == $0.value }, history.kept { old.isSame($0, in: new) }, of: new)
  }

  var unappliedCount: Int {
    decisions.count { settled[$0.key] != $0.value } + settled.count { decisions[$0.key] == nil }
  }

  /// Of a run's decisions, those that it did not leave for another run.
  mutating func settle(_ run: Decisions) {
    let left = settled.filter { run[$0.key] == .omit }
    settled = decisions.filter { run[$0.key] != .omit }.merging(left)
  }

  mutating func record(_ changes: [DecisionChange], in plan: IndexedPlan) {
    history.done.append(changes)
    history.undone = []
    for change in changes { set(change.after, for: change, plan) }
  }

  /// Undoes what one key decided, and returns it.
  mutating func undo(in plan: IndexedPlan) -> [DecisionChange]? {
    guard let changes = history.done.popLast() else { return nil }
    history.undone.append(changes)
    for change in changes.reversed() { set(change.before, for: change, plan) }
    return changes
  }

  mutating func redo(in plan: IndexedPlan) -> [DecisionChange]? {
    guard let changes = history.undone.popLast() else { return nil }
    history.done.append(changes)
    for change in changes { set(change.after, for: change, plan) }
    return changes
  }

  private mutating func set(_ decision: Decision?, for change: DecisionChange, _ plan: IndexedPlan) {
    guard let position = change.position ?? plan.positions[change.field] else { return }
    let standing = FieldState(plan.facts[position].status, decision)
    tally.move(from: standings[position], to: standing)
    if plan.facts[position].isRecommended {
      recommended += (standing.waits ? 1 : 0) - (standings[position].waits ? 1 : 0)
    }
    standings[position] = standing
    decisions[change.field] = decision
  }
}

struct DecisionChange: Hashable, Sendable {
  var field: Field.ID
  var before: Decision?
  var after: Decision?
  var position: Int?
}

/// The changes to decisions, together those that one key made.
struct History: Hashable, Sendable {
  var done: [[DecisionChange]] = []
  var undone: [[DecisionChange]] = []

  /// Without the decisions for other fields. Another plan may list the rest in other places.
  func kept(_ isKept: (Field.ID) -> Bool) -> History {
    func kept(_ steps: [[DecisionChange]]) -> [[DecisionChange]] {
      steps.map { changes in
        changes.filter { isKept($0.field) }.map { DecisionChange(field: $0.field, before: $0.before, after: $0.after) }
      }
      .filter { !$0.isEmpty }
    }
    return History(done: kept(done), undone: kept(undone))
  }
}

/// The log's texts about decisions. They name fields, never values.
enum DecisionLog {
  static func words(_ decision: Decision?) -> String {
    switch decision {
    case nil: "Undone"
    case .keep: "Kept the target's value"
    case let decision?: decision.pastWord.capitalised
    }
  }

  static func names(_ changes: [DecisionChange]) -> String {
    let shown = changes.prefix(5).map { String($0.field.prefix(80)) }.joined(separator: ", ")
    return changes.count > 5 ? "\(shown) and \(changes.count - 5) more" : shown
  }
}
