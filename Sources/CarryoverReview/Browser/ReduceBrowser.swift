import Carryover
import CarryoverTerminal
import PropertyLists

/// Changes the state by one action and says what the program around it has to do. Pure, and looks only into what is
/// opened.
package func reduce(_ state: inout BrowserState, _ action: BrowserAction) -> [BrowserEffect] {
  let effects = state.take(action)
  state.refreshPage()
  return effects
}

extension BrowserState {
  fileprivate mutating func take(_ action: BrowserAction) -> [BrowserEffect] {
    switch action {
    case .key(let key): return press(key)
    case .paste(let text) where screen == .helpSearch: typeInHelp { $0.insert(text) }
    case .paste(let text):
      guard screen == .search else { return [.bell] }
      typeSearch { $0.insert(text) }
    case .mouse(let mouse): return use(mouse)
    case .resized(let size):
      self.size = size
      revealCursor()
    }
    return []
  }

  mutating func press(_ key: Key) -> [BrowserEffect] {
    message = nil
    if takesCount(key) { return [] }
    let times = count.use()
    guard let binding = BrowserBindings.binding(for: key, in: screen, options.keymap) else {
      if screen == .helpSearch, case .character(let character) = key {
        typeInHelp { $0.insert(String(character)) }
        return []
      }
      guard screen == .search, case .character(let character) = key else { return [.bell] }
      typeSearch { $0.insert(String(character)) }
      return []
    }
    if let reason = binding.disabledReason(self) {
      message = reason
      return [.bell]
    }
    let command = binding.command(key)
    return times.map { perform(command, times: $0) } ?? perform(command)
  }

  mutating func perform(_ command: BrowserCommand) -> [BrowserEffect] {
    switch command {
    case .move(let move): self.move(move)
    case .open: open()
    case .close: close()
    case .activate: return activate()
    case .showDetails: show(.details)
    case .neighbour(let move): moveCursor(move)
    case .search: beginSearch()
    case .keepSearch: keepSearch()
    case .endSearch:
      guard search != nil else { return leave() }
      endSearch()
      revision += 1
    case .nextMatch: goToMatch(step: 1)
    case .previousMatch: goToMatch(step: -1)
    case .textMove(let motion) where screen == .helpSearch: helpFilter?.line.move(motion)
    case .textDelete(let motion) where screen == .helpSearch: typeInHelp { $0.delete(motion) }
    case .textMove(let motion): search?.line?.move(motion)
    case .textDelete(let motion): typeSearch { $0.delete(motion) }
    case .reveal: revealSecret()
    case .copyValue: return copyValue()
    case .copyPath:
      guard let row = selectedRow else { return [.bell] }
      return copy(outline.path(row).text, "The path")
    case .help: show(.help)
    case .searchHelp:
      helpFilter = helpFilter ?? HelpFilter()
      helpFilter?.isTyping = true
    case .keepHelp: helpFilter.keep()
    case .wholeHelp: typeInHelp(nil)
    case .back where helpFilter != nil: typeInHelp(nil)
    case .back: back()
    case .leave: return leave()
    case .suspend: return [.suspend]
    }
    return []
  }

  /// Changes the line that narrows the help, or drops it.
  private mutating func typeInHelp(_ change: ((inout TypedLine) -> Void)?) {
    if let change, var filter = helpFilter {
      change(&filter.line)
      helpFilter = filter
    } else {
      helpFilter = nil
    }
    pageTop = 0
    revision += 1
  }

  private func leave() -> [BrowserEffect] { [.leave] }

  private mutating func show(_ screen: BrowserScreen) {
    screens.append(screen)
    pageTop = 0
  }

  private mutating func back() {
    if screens.count > 1 { screens.removeLast() }
    pageTop = 0
  }

  private mutating func move(_ move: Move) {
    guard screens.last == .outline else {
      let visible = PageLayout(size: size).rows.count
      pageTop = clampedPageTop(ListWindow.row(move, from: pageTop, of: page.lines.count, visible: visible))
      return
    }
    moveCursor(move)
  }

  mutating func moveCursor(_ move: Move) {
    guard !outline.rows.isEmpty else { return }
    cursor = ListWindow.row(move, from: cursor, of: outline.rows.count, visible: layout.rows.count)
    pageTop = 0
    revealCursor()
  }

  private mutating func open() {
    guard let row = selectedRow else { return }
    if outline.isOpen(row) {
      moveCursor(.down)
    } else {
      outline.open(at: cursor)
      revealOpened()
    }
  }

  private mutating func close() {
    if outline.close(at: cursor) == nil {
      guard let parent = outline.parentPosition(of: cursor) else {
        message = "This is not open, and nothing is around it."
        return
      }
      cursor = parent
    }
    revealCursor()
  }

  private mutating func activate() -> [BrowserEffect] {
    guard let row = selectedRow else { return [.bell] }
    if outline.isOpen(row) {
      outline.close(at: cursor)
      revealCursor()
    } else if openObstacle == nil {
      open()
    } else {
      show(.details)
    }
    return []
  }

  /// Scrolls up so that what was opened is in sight, as far as there is room for it, with the cursor.
  private mutating func revealOpened() {
    guard let row = selectedRow, let count = outline.openValue(row)?.count else { return }
    let visible = layout.rows.count
    let last = cursor + min(count, max(0, visible - 1))
    top = min(cursor, max(top, last - visible + 1))
    revealCursor()
  }

  private mutating func revealSecret() {
    guard let row = selectedRow else { return }
    let path = outline.path(row)
    if revealed.remove(path) == nil {
      revealed.insert(path)
    } else {
      outline.close(at: cursor)
    }
    revision += 1
  }

  /// Why the selected row cannot be opened; nil when it can.
  var openObstacle: String? {
    guard let row = selectedRow else { return "The container has no stores." }
    if isHidden(row) { return hiddenReason }
    if case .root(.store(let store, nil)) = outline.item(row), case .unreadable(let reason) = store.content {
      return reason
    }
    guard let value = outline.item(row)?.value(), value.isContainer else {
      return "This contains no other values; \(options.key("toggle", BrowserScreen.outline)) shows all about it."
    }
    return value.count > 0 ? nil : "This is empty."
  }

  private var hiddenReason: String { "This is a secret; \(options.key("secret", BrowserScreen.outline)) shows it." }

  func clampedPageTop(_ line: Int) -> Int {
    max(0, min(line, page.lines.count - PageLayout(size: size).rows.count))
  }
}
