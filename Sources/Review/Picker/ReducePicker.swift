import Carryover
import Terminal

/// Changes the state by one event and says what the program around it has to do. Pure.
public func reduce(_ state: inout PickerState, _ action: BrowserAction) -> [PickerEffect] {
  let effects = state.take(action)
  state.refreshPage()
  return effects
}

extension PickerState {
  fileprivate mutating func take(_ action: BrowserAction) -> [PickerEffect] {
    switch action {
    case .key(let key): return press(key)
    case .paste(let text):
      guard screen == .filter else { return [.bell] }
      filter?.insert(text)
      refilter()
    case .resized(let size):
      self.size = size
      revealCursor()
    }
    return []
  }

  private mutating func press(_ key: Key) -> [PickerEffect] {
    message = nil
    guard let binding = PickerBindings.binding(for: key, in: screen) else {
      guard screen == .filter, case .character(let character) = key else { return [.bell] }
      filter?.insert(String(character))
      refilter()
      return []
    }
    if let reason = binding.disabledReason(self) {
      message = reason
      return [.bell]
    }
    return perform(binding.command(key))
  }

  private mutating func perform(_ command: PickerCommand) -> [PickerEffect] {
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
    case .textMove(let motion): filter?.move(motion)
    case .textDelete(let motion):
      filter?.delete(motion)
      refilter()
    case .help: showsHelp = true
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
    if failure != nil { writer.failure(failure) } else { writer.keys(PickerBindings.all, origin: .list, self) }
    page = writer.page
    pageTop = max(0, min(pageTop, page.lines.count - layout.rows.count))
  }
}
