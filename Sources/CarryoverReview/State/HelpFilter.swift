/// What is looked for in the help, as it is typed and afterwards.
struct HelpFilter: Hashable, Sendable {
  var line = TypedLine()
  /// Whether the line receives the keys.
  var isTyping = true

  /// Whether text holds every word that was typed, in any order and case.
  func matches(_ text: String) -> Bool {
    let text = text.lowercased()
    return line.text.lowercased().split(separator: " ").allSatisfy { text.contains($0) }
  }
}

extension HelpFilter? {
  /// Ends the typing; what was typed stays, unless it is nothing.
  mutating func keep() {
    self?.isTyping = false
    if self?.line.text.isEmpty == true { self = nil }
  }

  /// Whether text is shown: all of it is without a filter.
  func matches(_ text: String) -> Bool { self?.matches(text) ?? true }
}

extension ReviewState {
  /// What a key means while something is looked for in the help; nil for what is no part of that.
  mutating func searchHelp(_ command: Command) -> [ReviewEffect]? {
    switch command {
    case .searchHelp:
      helpFilter = helpFilter ?? HelpFilter()
      helpFilter?.isTyping = true
    case .back where screen == .help && helpFilter != nil: helpFilter = nil
    case .textMove(let motion) where screen == .helpSearch: helpFilter?.line.move(motion)
    case .textDelete(let motion) where screen == .helpSearch: helpFilter?.line.delete(motion)
    case .accept where screen == .helpSearch: helpFilter.keep()
    case .cancel where screen == .helpSearch: helpFilter = nil
    default: return nil
    }
    helpChanged()
    return []
  }

  /// Types text into the line of the help; false where it is not being typed at.
  mutating func typeInHelp(_ text: String) -> Bool {
    guard screen == .helpSearch else { return false }
    helpFilter?.line.insert(text)
    helpChanged()
    return true
  }

  private mutating func helpChanged() {
    pageTop = 0
    revision += 1
  }
}
