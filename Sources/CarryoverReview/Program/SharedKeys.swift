import CarryoverTerminal

/// The bindings that are the same in every program.
extension KeyBinding {
  /// Moving among rows, or lines of text.
  static func moving(in screens: Set<Screen>) -> [KeyBinding] {
    func move(
      _ keys: [Key], _ label: String, _ help: String, _ move: Move, _ counting: Counting = .times
    ) -> KeyBinding {
      KeyBinding(keys, label, help, in: screens, .moving, counting: counting) { $0.move(move) }
    }
    return [
      move([.up, .character("k")], "up", "Go up by a row.", .up, .rows(-1)),
      move([.down, .character("j")], "down", "Go down by a row.", .down, .rows(1)),
      move([.pageUp, .control("b")], "page up", "Go up by a page.", .pageUp),
      move([.pageDown, .control("f")], "page down", "Go down by a page.", .pageDown),
      move([.home, .character("g")], "first", "Go to the first row.", .first, .row),
      move([.end, .character("G")], "last", "Go to the last row.", .last, .row),
    ]
  }

  /// Changing a line that is being typed.
  static func typing(in screens: Set<Screen>) -> [KeyBinding] {
    [
      typed([.control("u")], "clear", "Clear the line.", in: screens, label: "clear", hint: 1) { $0 = TypedLine() },
      typed(
        [.control("k")], "clear-to-end", "Delete to the end of the line.", in: screens, label: "clear to end", hint: 3
      ) { $0.delete(.end) },
      typed(
        [.control("w")], "delete-word", "Delete the word before the cursor.", in: screens, label: "delete word",
        hint: 3
      ) { $0.delete(.wordLeft) },
      typed([.backspace], "delete-before", "Delete the character before the cursor.", in: screens) {
        $0.delete(.left)
      },
      typed([.delete, .control("d")], "delete-after", "Delete the character after the cursor.", in: screens) {
        $0.delete(.right)
      },
      typed([.left], "left", "Go left by a character.", in: screens) { $0.move(.left) },
      typed([.right], "right", "Go right by a character.", in: screens) { $0.move(.right) },
      typed([.home, .control("a")], "start", "Go to the start of the line.", in: screens) { $0.move(.start) },
      typed([.end, .control("e")], "end", "Go to the end of the line.", in: screens) { $0.move(.end) },
    ]
  }

  private static func typed(
    _ keys: [Key], _ name: String, _ help: String, in screens: Set<Screen>, label: String = "", hint: Int? = nil,
    _ change: @escaping @Sendable (inout TypedLine) -> Void
  ) -> KeyBinding {
    KeyBinding(keys, label, help, in: screens, .typing, hint: hint, name: name) {
      $0.edit(change)
      return []
    }
  }

  /// Leaving a screen; with escape, out of a search first.
  static func back(_ content: ScreenContent<State>) -> KeyBinding? {
    guard let back = content.back else { return nil }
    return KeyBinding(
      back.keys, back.label, back.help, in: [content.screen], .leaving, hint: 0, duty: .wayOut, isFamily: false
    ) { state, key in
      if state.find != nil, key == .escape {
        state.endFind()
      } else {
        state.back()
      }
      return []
    }
  }

  /// Opening the help.
  static func help(in screens: Set<Screen>, _ help: Screen) -> KeyBinding {
    KeyBinding(
      [.character("?")], "help", "List every action of the screen, and run one.", in: screens, .leaving, hint: 0,
      duty: .help, opens: [help]
    ) {
      $0.open(help)
      return []
    }
  }

  /// Stopping the program.
  static func suspend(in screens: Set<Screen>) -> KeyBinding {
    KeyBinding(
      [.control("z")], "suspend", "Suspend Carryover until the shell continues it.", in: screens, .leaving
    ) { _ in [.suspend] }
  }
}
