import Carryover
import CarryoverTerminal

extension ReviewState: Counting {
  func counts(_ digit: Key) -> Bool {
    Bindings.counting.contains(screen) && Bindings.binding(for: digit, in: screen, options.keymap) == nil
  }
}

/// Numbers: in front of a key, and the number of a row to go to.
extension ReviewState {
  /// Does what a key with a number in front of it means: a move so often, or to that row.
  mutating func perform(_ command: Command, times: Int) -> [ReviewEffect] {
    switch command {
    case .move(.first), .move(.last): return go(toRow: times)
    case .move, .nextToDecide, .previousToDecide, .nextField, .previousField, .nextConflict, .previousConflict:
      for _ in 0..<min(times, max(1, rowCount)) {
        let effects = perform(command)
        if !effects.isEmpty { return effects }
      }
      return []
    default: return perform(command)
    }
  }

  /// How many rows, or lines, there are where the keys go.
  private var rowCount: Int {
    switch screens.last ?? .review {
    case .review: max(rows.count, panes.warnings.count, panes.details.lines.count)
    case .history: runs.runs.count
    case .run: draft?.plan.entries.count ?? 0
    default: page.lines.count
    }
  }

  /// Goes to a row, or a line, counted from 1; to the last where there are not so many.
  private mutating func go(toRow number: Int) -> [ReviewEffect] {
    let index = max(0, number - 1)
    let (visibleRuns, visibleKeys) = (runsLayout.listRows.count, keysLayout.listRows.count)
    switch screens.last ?? .review {
    case .review:
      switch activePane {
      case .fields: select(row: min(index, rows.count - 1))
      case .warnings: panes.warnings.top = index
      case .details: panes.details.top = index
      }
    case .history: runs.select(row: index, visible: visibleRuns)
    case .run: draft?.select(row: index, visible: visibleKeys)
    default: pageTop = clampedPageTop(index)
    }
    return []
  }

  /// What is done with the number of a row that is being typed.
  mutating func typeRow(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .goTo: rowEntry = TypedLine()
    case .textDelete(let motion): rowEntry?.delete(motion)
    case .textMove(let motion): rowEntry?.move(motion)
    case .accept:
      let number = rowEntry.flatMap { Int($0.text) }
      rowEntry = nil
      guard let number else { return [.bell] }
      return go(toRow: number)
    default: rowEntry = nil
    }
    return []
  }

  /// Types a digit; false for anything else.
  mutating func typeDigit(_ key: Key) -> Bool {
    guard screen == .goTo, case .character(let digit) = key, ("0"..."9").contains(digit),
      (rowEntry?.characters.count ?? 0) < 7
    else { return false }
    rowEntry?.insert(String(digit))
    return true
  }
}
