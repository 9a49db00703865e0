import Carryover

/// Rows that are opened, closed and gone through.
extension BrowserState {
  /// Opens the row; goes into one that is open.
  mutating func openOrEnter() -> [BrowserEffect] {
    guard let row = selectedRow else { return [] }
    if outline.isOpen(row) { return goToNeighbour(1) }
    outline.open(at: cursor)
    revealOpened()
    return []
  }

  /// Closes the row; goes from one that is closed to what it is in.
  mutating func closeOrLeave() -> [BrowserEffect] {
    if outline.close(at: cursor) == nil {
      guard let parent = outline.parentPosition(of: cursor) else {
        message = "This is not open, and nothing is around it."
        return []
      }
      cursor = parent
    }
    revealCursor()
    return []
  }

  /// Goes so many rows down, or up.
  mutating func goToNeighbour(_ step: Int) -> [BrowserEffect] {
    if !outline.rows.isEmpty { select(row: max(0, min(cursor + step, outline.rows.count - 1))) }
    return []
  }

  /// Opens the row or closes it; of what cannot be opened, shows the details.
  mutating func toggle() -> [BrowserEffect] {
    guard let row = selectedRow else { return [.bell] }
    if outline.isOpen(row) {
      outline.close(at: cursor)
      revealCursor()
    } else if openObstacle == nil {
      return openOrEnter()
    } else {
      open(.storesDetails)
    }
    return []
  }

  /// Scrolls up so that what was opened is in sight, as far as there is room for it, with the cursor.
  private mutating func revealOpened() {
    guard let row = selectedRow, let count = outline.openCount(row) else { return }
    let visible = layout.rows.count
    let last = cursor + min(count, max(0, visible - 1))
    topRow = min(cursor, max(topRow, last - visible + 1))
    revealCursor()
  }

  /// Shows a secret, or hides it again.
  mutating func revealSecret() -> [BrowserEffect] {
    guard let row = selectedRow else { return [] }
    let path = outline.path(row)
    if revealed.remove(path) == nil {
      revealed.insert(path)
    } else {
      outline.close(at: cursor)
    }
    stack.revision += 1
    return []
  }

  /// Why the selected row cannot be opened; nil when it can.
  var openObstacle: String? {
    guard let row = selectedRow else { return "The container has no stores." }
    if isHidden(row) { return hiddenReason }
    if case .root(.store(let store, nil)) = outline.item(row), case .unreadable(let reason) = store.content {
      return reason
    }
    if case .folder = outline.item(row) { return nil }
    guard let value = outline.item(row)?.value(), value.isContainer else {
      return "This contains no other values; \(key("toggle", .stores)) shows all about it."
    }
    return value.count > 0 ? nil : "This is empty."
  }

  private var hiddenReason: String { "This is a secret; \(key("secret", .stores)) shows it." }
}
