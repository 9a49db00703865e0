import Carryover
import Terminal

extension PageWriter {
  /// Every binding by group, what its marks mean, and why a key can do nothing now.
  mutating func help(_ state: ReviewState) {
    let origin = state.screens.dropLast().last ?? .review
    keys(Bindings.registry.shown(state.options.keymap), origin: origin, state)
    heading("Marks")
    for standing in FieldState.allCases {
      add([Span(standing.mark(ink.glyphs) + "  ", standing.role), Span(standing.word)], indent: 2)
    }
    heading("Marks of runs")
    for standing in RunStanding.allCases {
      add([Span(standing.mark(ink.glyphs) + "  ", standing.role), Span(standing.words)], indent: 2)
    }
    heading("Marks of a run's keys")
    for choice in RollbackDraft.Choice.allCases {
      add([Span(choice.mark(ink.glyphs) + "  ", choice.role), Span(choice.words(1))], indent: 2)
    }
  }

  /// Every binding by group, where it works if not on the screen the help was opened from, and why it can do nothing now.
  mutating func keys<Place, Meaning, State>(
    _ bindings: [KeyBinding<Place, Meaning, State>], origin: Place, _ state: State
  ) {
    let keyWidth = (bindings.map { DisplayWidth.columns(of: $0.allKeysLabel) }.max() ?? 0) + 2
    for group in BindingGroup.allCases {
      let members = bindings.filter { $0.group == group }
      guard !members.isEmpty else { continue }
      heading(group.rawValue)
      for binding in members {
        var spans = [Span(ink.words(binding.help))]
        if !binding.screens.contains(origin) {
          let places = Place.allCases.filter { binding.screens.contains($0) }.map { $0.title.lowercased() }
          spans.append(Span("  in: " + places.joined(separator: ", "), .muted))
        } else if let reason = binding.disabledReason(state) {
          spans.append(Span("  not now: " + ink.words(reason), .flagged))
        }
        let label = binding.allKeysLabel
        let gap = String(repeating: " ", count: max(1, keyWidth - DisplayWidth.columns(of: label)))
        add([Span(label + gap, .key)] + spans, indent: 2, hanging: min(2 + keyWidth, columns / 2))
      }
    }
  }
}
