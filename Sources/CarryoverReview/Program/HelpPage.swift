import CarryoverTerminal

extension ScreenContent {
  /// The help: the actions of the screen below by task, each of which can be run, then what the signs mean.
  static func help(
    _ screen: Screen, _ marks: @escaping @Sendable (inout PageWriter, State) -> Void
  ) -> ScreenContent {
    text(screen, back: Back(keys: [.escape, .character("q"), .character("?")])) { writer, state in
      let words = ActionWords(state.stack.actions.words)
      if state.options.lineColumns != nil { writer.lineHelp(words) }
      writer.actions(state.listedActions, isNarrowed: !words.isEmpty, state)
      if let number = Int(state.stack.actions.words) { writer.words("Enter goes to row \(number).") }
      marks(&writer, state)
      if writer.lines.isEmpty { writer.words("No action matches.", .muted) }
    }
    .with {
      $0.title = { state, ink in ink.words("\(screen.title): \(state.actionsOrigin.title)") }
      $0.opened = { $0.stack.actions = ActionChoice() }
      $0.closed = { if $0.stack.typing?.screen == State.table.palette { $0.stack.typing = nil } }
      $0.chosen = Chosen(number: { $0.stack.actions.index }, select: { $0.stack.actions.index = $1 })
      $0.click = { $0.clickAction(at: $1) }
    }
  }

  /// The name of an action being typed.
  static func palette(_ screen: Screen) -> ScreenContent {
    line(screen, prompt: ":").with {
      $0.words = { state in
        guard !state.stack.actions.words.isEmpty, Int(state.stack.actions.words) == nil else { return ("", false) }
        let count = state.page.anchors.count
        return ("\(count) found", count == 0)
      }
      $0.note = { state in
        state.message.map { ($0, true) } ?? ("enter runs the action · a number goes to that row", false)
      }
    }
  }
}

extension PageWriter {
  /// Signs with what they mean, as far as they match what is looked for.
  mutating func marks(_ title: String, _ words: String, _ marks: [(mark: String, role: Role, words: String)]) {
    let wanted = ActionWords(words)
    let shown = marks.filter { wanted.match("\($0.mark) \($0.words)") }
    guard !shown.isEmpty else { return }
    heading(title)
    for (mark, role, text) in shown { add([Span(mark + "  ", role), Span(ink.words(text))], indent: 2) }
  }

  /// Actions with their keys, and for each why it cannot be run now. By task, unless they are narrowed.
  fileprivate mutating func actions<State: Program>(
    _ actions: [ListedAction<State>], isNarrowed: Bool, _ state: State
  ) {
    let labels = actions.map { Self.label($0.binding, state) }
    let width = min(columns / 3, (labels.map { DisplayWidth.columns(of: $0) }.max() ?? 0)) + 2
    var group: BindingGroup?
    for (action, label) in zip(actions, labels) {
      if !isNarrowed, group != action.binding.group {
        group = action.binding.group
        heading(action.binding.group.rawValue)
      }
      anchor()
      let isOpen = action.obstacle == nil
      var spans = [
        Span(label.padded(width - 1, gap: 1), isOpen ? .key : .muted),
        Span(ink.words(action.binding.help), isOpen ? .plain : .muted),
      ]
      if let obstacle = action.obstacle { spans.append(Span("  " + ink.words(obstacle), .flagged)) }
      add(spans, indent: 2, hanging: 2 + width)
    }
  }

  /// The keys of an action; line by line also the word that does for them.
  private static func label<State: Program>(_ binding: KeyBinding<State>, _ state: State) -> String {
    guard state.options.lineColumns != nil else { return binding.allKeysLabel }
    let place = binding.screens.contains(state.actionsOrigin) ? state.actionsOrigin : nil
    return place.flatMap { state.lineWords(binding, in: $0) }
      ?? (binding.keys.map(\.name).filter { $0 != binding.name } + (binding.isFamily ? [] : [binding.name]))
      .joined(separator: " ")
  }
}
