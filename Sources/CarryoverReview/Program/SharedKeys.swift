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
      move([.up, .character("k")], "up", "Goes up by a row.", .up, .rows(-1)),
      move([.down, .character("j")], "down", "Goes down by a row.", .down, .rows(1)),
      move([.pageUp, .control("b")], "page up", "Goes up by a page.", .pageUp),
      move([.pageDown, .control("f")], "page down", "Goes down by a page.", .pageDown),
      move([.home, .character("g")], "first", "Goes to the first row.", .first, .row),
      move([.end, .character("G")], "last", "Goes to the last row.", .last, .row),
    ]
  }

  /// Going to a row by its number.
  static func goingTo(in screens: Set<Screen>, _ goTo: Screen) -> [KeyBinding] {
    [
      KeyBinding(
        [.character(":")], "go to", "Goes to the row, or the line, whose number you type.", in: screens, .moving,
        opens: [goTo]
      ) {
        $0.stack.typing = LineEditor(goTo)
        return []
      },
      KeyBinding([.enter], "go", "Goes to the row of that number.", in: [goTo], .typing, hint: 1) { state in
        let number = (state.stack.typing?.text).flatMap { Int($0) }
        state.stack.typing = nil
        guard let number else { return [.bell] }
        state.go(toRow: number - 1)
        return []
      },
      KeyBinding(
        [.escape], "cancel", "Stays where it is.", in: [goTo], .typing, hint: 1, duty: .wayOut
      ) {
        $0.stack.typing = nil
        return []
      },
      typed([.backspace], "delete-character", "Deletes the digit before the cursor.", in: [goTo]) { $0.delete(.left) },
      typed([.control("u")], "clear", "Deletes the digits.", in: [goTo]) { $0.delete(.start) },
    ]
  }

  /// Changing a line that is being typed.
  static func typing(in screens: Set<Screen>) -> [KeyBinding] {
    [
      typed(
        [.control("u")], "clear-to-start", "Deletes to the start of the line.", in: screens, label: "clear to start",
        hint: 2
      ) { $0.delete(.start) },
      typed(
        [.control("k")], "clear-to-end", "Deletes to the end of the line.", in: screens, label: "clear to end", hint: 3
      ) { $0.delete(.end) },
      typed(
        [.control("w")], "delete-word", "Deletes the word before the cursor.", in: screens, label: "delete word",
        hint: 3
      ) { $0.delete(.wordLeft) },
      typed([.backspace], "delete-before", "Deletes the character before the cursor.", in: screens) {
        $0.delete(.left)
      },
      typed([.delete, .control("d")], "delete-after", "Deletes the character after the cursor.", in: screens) {
        $0.delete(.right)
      },
      typed([.left], "left", "Goes left by a character.", in: screens) { $0.move(.left) },
      typed([.right], "right", "Goes right by a character.", in: screens) { $0.move(.right) },
      typed([.home, .control("a")], "start", "Goes to the start of the line.", in: screens) { $0.move(.start) },
      typed([.end, .control("e")], "end", "Goes to the end of the line.", in: screens) { $0.move(.end) },
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

  /// Looking something up in the help.
  static func helpKeys(_ help: Screen, _ helpSearch: Screen) -> [KeyBinding] {
    [
      KeyBinding(
        [.character("/")], "search", "Shows only the lines of the help that hold every word you type.", in: [help],
        .searching, hint: 1, opens: [helpSearch]
      ) {
        $0.stack.typing = LineEditor(helpSearch, text: $0.stack.helpWords)
        return []
      },
      KeyBinding(
        [.enter], "keep", "Keeps what is typed, so that you can move in what it found.", in: [helpSearch], .searching,
        hint: 1
      ) {
        $0.stack.typing = nil
        return []
      },
      KeyBinding(
        [.escape], "cancel", "Shows every key again.", in: [helpSearch], .searching, hint: 1, duty: .wayOut
      ) {
        $0.stack.typing = nil
        $0.narrowHelp(to: "")
        return []
      },
    ]
  }

  /// Leaving a screen; out of what the help is narrowed to first.
  static func back(_ content: ScreenContent<State>) -> KeyBinding? {
    guard let back = content.back else { return nil }
    return KeyBinding(back.keys, back.label, back.help, in: [content.screen], .leaving, hint: 0, duty: .wayOut) {
      state in
      if state.topScreen == State.table.help, !state.stack.helpWords.isEmpty {
        state.narrowHelp(to: "")
      } else {
        state.back()
      }
      return []
    }
  }

  /// Opening the help.
  static func help(in screens: Set<Screen>, _ help: Screen) -> KeyBinding {
    KeyBinding(
      [.character("?")], "help", "Shows every key.", in: screens, .leaving, hint: 0, duty: .help, opens: [help]
    ) {
      $0.open(help)
      return []
    }
  }

  /// Stopping the program.
  static func suspend(in screens: Set<Screen>) -> KeyBinding {
    KeyBinding(
      [.control("z")], "suspend", "Stops the program until the shell continues it.", in: screens, .leaving
    ) { _ in [.suspend] }
  }
}
