import CarryoverTerminal

extension ScreenContent {
  /// The help: every key, then what the signs mean.
  static func help(
    _ screen: Screen, _ marks: @escaping @Sendable (inout PageWriter, State) -> Void
  ) -> ScreenContent {
    text(screen, back: Back(keys: [.escape, .character("q"), .character("?")])) { writer, state in
      let words = HelpWords(state.stack.helpWords)
      if state.options.lineColumns != nil { writer.lineHelp(words) }
      writer.keys(
        State.table.shown(state.options.keymap).filter { state.isOffered($0) },
        origin: state.stack.screens.dropLast().last ?? State.table.home, words,
        state)
      marks(&writer, state)
      guard writer.lines.isEmpty else { return }
      writer.add([
        Span(writer.ink.words("No line of the help holds “")),
        Span(writer.ink.text(state.options.repeatsTyped ? state.stack.helpWords : "…"), .value),
        Span(writer.ink.words("”.")),
      ])
    }
    .with { $0.opened = { $0.stack.helpWords = "" } }
  }
}

extension Program {
  /// Narrows the help to the lines that hold every word.
  mutating func narrowHelp(to words: String) {
    stack.helpWords = words
    stack.pageTop = 0
    stack.revision += 1
  }
}

/// What is looked for in the help.
struct HelpWords {
  private let words: [Substring]

  var isEmpty: Bool { words.isEmpty }

  init(_ text: String) { words = text.lowercased().split(separator: " ") }

  /// Whether text holds every word, in any order and case.
  func match(_ text: String) -> Bool {
    let text = text.lowercased()
    return words.allSatisfy { text.contains($0) }
  }
}

extension PageWriter {
  /// Marks with what they mean, as far as they hold what is looked for.
  mutating func marks(_ title: String, _ words: String, _ marks: [(mark: String, role: Role, words: String)]) {
    let wanted = HelpWords(words)
    let shown = marks.filter { wanted.match("\($0.mark) \($0.words)") }
    guard !shown.isEmpty else { return }
    heading(title)
    for (mark, role, text) in shown { add([Span(mark + "  ", role), Span(ink.words(text))], indent: 2) }
  }

  /// The bindings of the screen the help was opened from first, then those of the others by group, with the places they
  /// work in; for each why it can do nothing now.
  fileprivate mutating func keys<State: Program>(
    _ bindings: [KeyBinding<State>], origin: Screen, _ words: HelpWords, _ state: State
  ) {
    let keyWidth = (bindings.map { DisplayWidth.columns(of: Self.label($0, origin, state)) }.max() ?? 0) + 2
    let here = bindings.filter { $0.screens.contains(origin) }
    section("Here: \(origin.title)", here, origin, words, keyWidth, state)
    // Read aloud, the keys of every other screen are too many.
    guard state.options.lineColumns == nil || !words.isEmpty else { return }
    for group in BindingGroup.allCases {
      let others = bindings.filter { $0.group == group && !$0.screens.contains(origin) }
      section(group.rawValue, others, origin, words, keyWidth, state)
    }
  }

  /// The keys of a binding; line by line also the word that does for them.
  private static func label<State: Program>(_ binding: KeyBinding<State>, _ origin: Screen, _ state: State) -> String {
    guard state.options.lineColumns != nil else { return binding.allKeysLabel }
    let place = binding.screens.contains(origin) ? origin : State.table.screens.first(where: binding.screens.contains)
    return state.lineWords(binding, in: place ?? origin)
      ?? (binding.keys.map(\.name).filter { $0 != binding.name } + (binding.isFamily ? [] : [binding.name]))
      .joined(separator: " ")
  }

  private mutating func section<State: Program>(
    _ title: String, _ bindings: [KeyBinding<State>], _ origin: Screen, _ words: HelpWords, _ keyWidth: Int,
    _ state: State
  ) {
    var isFirst = true
    for binding in bindings {
      let label = Self.label(binding, origin, state)
      var remark: Span?
      if !binding.screens.contains(origin) {
        let places = State.table.screens.filter { binding.screens.contains($0) }.map { $0.title.lowercased() }
        remark = Span("  in: " + places.joined(separator: ", "), .muted)
      } else if let reason = binding.disabledReason(state) {
        remark = Span("  not now: " + ink.words(reason), .flagged)
      }
      guard words.match("\(label) \(binding.label) \(binding.help)\(remark?.text ?? "")") else { continue }
      if isFirst { heading(title) }
      isFirst = false
      add(
        [Span(label.padded(keyWidth - 1, gap: 1), .key), Span(ink.words(binding.help))] + (remark.map { [$0] } ?? []),
        indent: 2,
        hanging: min(2 + keyWidth, columns / 2))
    }
  }
}
