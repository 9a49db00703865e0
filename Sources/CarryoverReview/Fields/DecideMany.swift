import Carryover

extension ReviewState {
  /// The rows that are decided at once: those of the range, or else every listed field.
  private var manyRows: Range<Int> { range.map { $0.lowerBound..<($0.upperBound + 1) } ?? 0..<rows.count }

  /// What can be decided at once among the listed fields, or in the range, with how many fields each concerns.
  var manyMenu: ChoiceMenu {
    let group = selected?.group
    var counts: [ManyChoice: Int] = [:]
    var flagged = 0
    var waitingInGroup = 0
    var conflicts = (inGroup: 0, all: 0)
    for row in manyRows {
      guard let position = rows[row] else { continue }
      let standing = standings[position]
      for choice in ManyChoice.allCases where choice.concerns(facts[position], standing, group) {
        counts[choice, default: 0] += 1
      }
      if standing == .conflict { conflicts.all += 1 }
      guard facts[position].group == group else { continue }
      if standing.waits { waitingInGroup += 1 }
      if standing == .toDecide, facts[position].hasProposal { flagged += 1 }
      if standing == .conflict { conflicts.inGroup += 1 }
    }
    let words = ManyWords(
      group: group?.rawValue ?? "the group", isPart: isFiltered || range != nil, flagged: flagged, conflicts: conflicts,
      onlyConflicts: counts[.replaceConflicts] ?? 0, waitingInGroup: waitingInGroup,
      undo: key("undo", .review))
    let items = ManyChoice.allCases.compactMap { choice -> ChoiceMenu.Item? in
      if choice == .groupWithFlagged, flagged == 0 { return nil }
      return ChoiceMenu.Item(
        key: choice.key, words: words.title(choice), count: counts[choice] ?? 0, note: words.note(choice),
        meaning: .decide(choice))
    }
    let scope =
      range.map { ": only the \(counted($0.count, "field")) in the range" }
      ?? (isFiltered ? ": only the \(counted(rows.count, "field")) listed" : "")
    return ChoiceMenu(title: Screen.decideMany.title + scope, items: items)
  }

  /// Takes a decision for every listed field it concerns, or every one in the range, in one step.
  mutating func decideMany(_ choice: ManyChoice) {
    let group = selected?.group
    var changes: [HistoryStep.Change] = []
    for row in manyRows {
      guard let position = rows[row], choice.concerns(facts[position], standings[position], group) else {
        continue
      }
      changes.append(
        HistoryStep.Change(
          field: facts[position].id, before: decision(at: position), after: choice.decision, position: position))
    }
    let more = record(changes).map { " " + $0 } ?? ""
    message = "\(changes.count) \(choice.decision?.pastWord ?? "undone")." + more
  }
}

/// The wording of the menu.
private struct ManyWords {
  var group: String
  /// Whether only some fields are decided: those listed, or those in a range.
  var isPart: Bool
  /// How many of the group are to decide and have a proposal.
  var flagged: Int
  var conflicts: (inGroup: Int, all: Int)
  var onlyConflicts: Int
  var waitingInGroup: Int
  /// What brings decisions back that were taken back.
  var undo: String

  private var all: String { isPart ? "all these" : "all" }

  func title(_ choice: ManyChoice) -> String {
    switch choice {
    case .clean: "accept \(all) ready fields"
    case .group: "accept \(all) proposals in group \(group)"
    case .groupWithFlagged: "the same, including \(flagged) undecided"
    case .skipGroup: "skip \(all) fields in group \(group)"
    case .keepConflicts: "keep \(all) conflicting target values"
    case .replaceConflicts: "replace \(all) conflicting target values"
    case .takeBack: isPart ? "undo every decision on these fields" : "undo every decision"
    }
  }

  func note(_ choice: ManyChoice) -> String {
    switch choice {
    case .clean: "Undecided and already decided fields are not changed."
    case .group: leftOut(flagged: flagged)
    case .groupWithFlagged: leftOut(flagged: 0)
    case .skipGroup: waitingInGroup == 0 ? "Decided fields are not changed." : "Including \(waitingInGroup) undecided."
    case .keepConflicts, .replaceConflicts:
      conflicts.all > onlyConflicts
        ? "Not included: \(conflicts.all - onlyConflicts) also flagged for another reason."
        : "Nothing is written before you apply."
    case .takeBack: "Afterwards, \(undo) in the review restores them."
    }
  }

  private func leftOut(flagged: Int) -> String {
    var parts: [String] = []
    if flagged > 0 { parts.append("\(flagged) undecided") }
    if conflicts.inGroup > 0 { parts.append("\(conflicts.inGroup) in conflict") }
    return parts.isEmpty
      ? "Decided fields are not changed." : "Not included: \(parts.joined(separator: " and ")) in the group."
  }
}
