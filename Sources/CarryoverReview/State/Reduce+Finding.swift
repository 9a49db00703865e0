import Carryover

extension ReviewState {
  /// Whether the keys go into the line of a search or of a filter.
  var isFindingTyped: Bool { screen == .search || screen == .filter }

  /// What concerns the search and the filter: their lines while they are typed, and leaving them.
  mutating func find(_ command: Command) -> [ReviewEffect] {
    switch command {
    case .search: beginSearch()
    case .filter: beginFilter()
    case .recall(let older): return recall(older: older)
    case .complete: return completeFilter()
    case .leaveFinding: return leaveFinding()
    case .textMove(let motion):
      if screen == .search { search?.line?.move(motion) } else { filter?.line?.move(motion) }
    case .textDelete(let motion): typeFinding { $0.delete(motion) }
    case .accept:
      guard screen == .search else { return keepFilter() }
      keepSearch()
    case .cancel:
      if screen == .search { endSearch() } else { cancelFilter() }
    default: return [.bell]
    }
    return []
  }

  /// Types a text into the search or the filter; of several lines it makes one.
  mutating func typeFinding(_ text: String) -> [ReviewEffect] {
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    typeFinding { $0.insert(line) }
    return []
  }

  private mutating func typeFinding(_ change: (inout TypedLine) -> Void) {
    if screen == .search { typeSearch(change) } else { typeFilter(change) }
  }

  /// Leaves one thing at a time, the one begun last on the way from the list to all fields.
  private mutating func leaveFinding() -> [ReviewEffect] {
    if anchor != nil {
      anchor = nil
    } else if search != nil {
      endSearch()
    } else if filter != nil {
      endFilter()
    } else {
      return [.bell]
    }
    return []
  }
}
