import Carryover
import CarryoverTerminal

/// The hints in the last line: the bindings of the screen that fit.
enum Footer {
  struct Hint: Hashable {
    var key: String
    var label: String
    var isEnabled: Bool
    /// The key a click on it stands for; nil where it names several.
    var press: Key?
    /// How wide it is.
    var columns: Int { DisplayWidth.columns(of: key) + 1 + DisplayWidth.columns(of: label) }
  }

  /// The hints that fit into a width: the lower the rank, the longer a hint is kept. They stand in the registry's order,
  /// wherever the ranks put them, so that nothing changes place.
  static func hints(_ state: ReviewState, columns: Int) -> [Hint] {
    // What is on asks for its own keys first; how to leave it is said only then.
    let isOn = state.anchor != nil || state.search != nil || state.filter != nil
    return hints(
      Bindings.registry.bindings(in: state.screen, state.options.keymap), state, columns: columns,
      label: { label($0, state) }
    ) { meaning, rank in
      switch meaning {
      case .leaveFinding: isOn ? 1 : nil
      case .next where state.screen == .review && state.search != nil: 1
      // While something waits, the way there is worth more than the way back.
      case .next where state.screen == .review: state.tally.waiting > 0 ? 2 : 5
      case .undo where state.screen == .review:
        state.history.done.isEmpty ? 5 : state.tally.waiting > 0 ? 3 : 2
      // A conflict is decided between the two values, so both keys are said while there is one: in the review wherever the
      // cursor is, so that the footer stays as it is while the cursor moves.
      case .keep where state.screen == .review && state.tally[.conflict] > 0: 1
      case .keep where state.cursorPosition.map { state.standings[$0] } == .conflict: 1
      case .toggleRange where state.tally[.conflict] > 0: 4
      // Most fields have no other values: the digits are said where they take one.
      case .take where state.cursorPosition.map { state.plan.fields[$0].alternatives.isEmpty } ?? true: nil
      // Whoever has just applied, or comes back to what was applied, may want to take some of it back.
      case .showHistory where state.lastRun != nil: 2
      default: rank
      }
    }
  }

  /// What a key does, said more closely where that depends on what is on.
  static func label(_ binding: Binding, _ state: ReviewState) -> String {
    switch binding.meaning {
    case .next where state.search != nil: "next match"
    case .choose:
      switch state.draft?.selected?.choice {
      case .goesBack: "leave out"
      case .stays: "take back"
      case .undecided, .isOverwritten, .isKept: "decide"
      default: binding.label
      }
    case .chooseAll: (state.draft?[.stays] ?? 0) > 0 ? "all" : "none"
    case .leaveFinding where state.anchor != nil: "leave range"
    case .leaveFinding where state.search != nil: "leave search"
    case .leaveFinding where state.filter != nil: "leave filter"
    default: binding.label
    }
  }

  /// The same for the bindings of any screen. One without a rank of its own never gets a place.
  static func hints<Place, Meaning, State>(
    _ bindings: [KeyBinding<Place, Meaning, State>], _ state: State, columns: Int,
    label: (KeyBinding<Place, Meaning, State>) -> String = { $0.label },
    rank: (_ meaning: Meaning, _ rank: Int) -> Int? = { $1 }
  ) -> [Hint] {
    var ranked: [(rank: Int, index: Int)] = []
    ranked.reserveCapacity(bindings.count)
    for index in bindings.indices {
      if let own = bindings[index].hintRank, let rank = rank(bindings[index].meaning, own) {
        ranked.append((rank, index))
      }
    }
    ranked.sort { ($0.rank, $0.index) < ($1.rank, $1.index) }
    var room = columns - 1
    var kept: [(index: Int, hint: Hint)] = []
    kept.reserveCapacity(ranked.count)
    for entry in ranked {
      let binding = bindings[entry.index]
      var hint = binding.hint
      hint.label = label(binding)
      guard hint.columns + 2 <= room else { break }
      hint.isEnabled = binding.disabledReason(state) == nil
      room -= hint.columns + 2
      kept.append((entry.index, hint))
    }
    return kept.sorted { $0.index < $1.index }.map(\.hint)
  }

  /// Where each hint stands in the last line, from a column on.
  static func places(of hints: [Hint], from start: Int) -> [(hint: Hint, columns: Range<Int>)] {
    var next = start
    return hints.map { hint in
      defer { next += hint.columns + 2 }
      return (hint, next..<(next + hint.columns))
    }
  }
}

/// What the last line offers to be clicked: hints, and the column they begin at.
struct FooterHints: Hashable {
  var hints: [Footer.Hint] = []
  var start = 1

  /// The key of the hint at a column that can be used now.
  func key(at column: Int) -> Key? {
    Footer.places(of: hints, from: start).first { $0.columns.contains(column) && $0.hint.isEnabled }?.hint.press
  }
}
