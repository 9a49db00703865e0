import Carryover
import CarryoverTerminal

/// Changes the state by one event and says what the program around it has to do. Pure.
package func reduce(_ state: inout PickerState, _ action: BrowserAction) -> [PickerEffect] {
  let effects = state.take(action)
  state.refreshPage()
  return effects
}

extension PickerState {
  fileprivate mutating func take(_ action: BrowserAction) -> [PickerEffect] {
    switch action {
    case .key(let key): return press(key)
    case .paste(let text) where screen == .helpSearch: helpFilter?.line.insert(text)
    case .paste(let text):
      guard screen == .filter else { return [.bell] }
      filter?.insert(text)
      refilter()
    case .mouse(let mouse): return use(mouse)
    case .resized(let size):
      self.size = size
      revealCursor()
    }
    return []
  }

  mutating func press(_ key: Key) -> [PickerEffect] {
    message = nil
    if takesCount(key) { return [] }
    let times = count.use()
    guard let binding = PickerBindings.binding(for: key, in: screen, options.keymap) else {
      if screen == .helpSearch, case .character(let character) = key {
        helpFilter?.line.insert(String(character))
        return []
      }
      guard screen == .filter, case .character(let character) = key else { return [.bell] }
      filter?.insert(String(character))
      refilter()
      return []
    }
    if let reason = binding.disabledReason(self) {
      message = reason
      return [.bell]
    }
    let command = binding.command(key)
    return times.map { perform(command, times: $0) } ?? perform(command)
  }

  mutating func perform(_ command: PickerCommand) -> [PickerEffect] {
    switch command {
    case .move(let move): self.move(move)
    case .choose: return selected.map { [.choose($0)] } ?? [.bell]
    case .filter:
      filter = filter ?? TypedLine()
      isTyping = true
    case .keepFilter:
      isTyping = false
      if filter?.text.isEmpty == true { filter = nil }
    case .dropFilter:
      isTyping = false
      filter = nil
      refilter()
    case .textMove(let motion) where screen == .helpSearch: helpFilter?.line.move(motion)
    case .textDelete(let motion) where screen == .helpSearch: helpFilter?.line.delete(motion)
    case .textMove(let motion): filter?.move(motion)
    case .textDelete(let motion):
      filter?.delete(motion)
      refilter()
    case .help: showsHelp = true
    case .searchHelp:
      helpFilter = helpFilter ?? HelpFilter()
      helpFilter?.isTyping = true
      pageTop = 0
    case .keepHelp: helpFilter.keep()
    case .wholeHelp: helpFilter = nil
    case .back where helpFilter != nil: helpFilter = nil
    case .back:
      showsHelp = false
      failure = nil
      pageTop = 0
    case .leave: return [.leave]
    case .suspend: return [.suspend]
    }
    return []
  }

  private mutating func move(_ move: Move) {
    if showsHelp || failure != nil {
      let visible = PageLayout(size: size).rows.count
      pageTop = ListWindow.row(move, from: pageTop, of: page.lines.count, visible: visible)
    } else if let row {
      cursor = shown[ListWindow.row(move, from: row, of: shown.count, visible: rows.count)]
      revealCursor()
    }
  }

  mutating func refreshPage() {
    guard showsHelp || failure != nil else { return }
    let layout = PageLayout(size: size)
    var writer = PageWriter(columns: layout.columns.count, ink: Ink(options))
    if failure != nil {
      writer.failure(failure)
    } else {
      writer.keys(PickerBindings.registry.shown(options.keymap), origin: .list, filter: helpFilter, self)
      writer.nothingFound(helpFilter)
    }
    page = writer.page
    pageTop = max(0, min(pageTop, page.lines.count - layout.rows.count))
  }
}
