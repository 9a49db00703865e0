import CarryoverTerminal

/// A meaning of keys that every program on the screen has: moving about, and typing a line.
protocol SharedMeaning {
  static func move(_ move: Move) -> Self
  static func textMove(_ motion: TypedLine.Motion) -> Self
  static func textDelete(_ motion: TypedLine.Motion) -> Self
}

extension Command: SharedMeaning {}
extension BrowserCommand: SharedMeaning {}
extension PickerCommand: SharedMeaning {}

/// The bindings that are the same wherever there are rows, or a line is typed.
extension KeyBinding where Meaning: SharedMeaning {
  /// Moving among rows, or lines of text.
  static func moving(in screens: Set<Place>) -> [KeyBinding] {
    func move(_ keys: [Key], _ label: String, _ help: String, _ move: Move) -> KeyBinding {
      KeyBinding(keys, label, help, in: screens, .moving, .move(move))
    }
    return [
      move([.up, .character("k")], "up", "Goes up by a row.", .up),
      move([.down, .character("j")], "down", "Goes down by a row.", .down),
      move([.pageUp, .control("b")], "page up", "Goes up by a page.", .pageUp),
      move([.pageDown, .control("f")], "page down", "Goes down by a page.", .pageDown),
      move([.home, .character("g")], "first", "Goes to the first row.", .first),
      move([.end, .character("G")], "last", "Goes to the last row.", .last),
    ]
  }

  /// Changing a line that is being typed.
  /// - Parameter isHinted: whether the footer names the keys; where the line stands in it, there is no room for them.
  static func typing(in screens: Set<Place>, isHinted: Bool = false) -> [KeyBinding] {
    func typed(
      _ keys: [Key], _ name: String, _ help: String, label: String = "", hint: Int? = nil, _ meaning: Meaning
    ) -> KeyBinding {
      KeyBinding(keys, label, help, in: screens, .typing, hint: isHinted ? hint : nil, name: name, meaning)
    }
    return [
      typed(
        [.control("u")], "clear-to-start", "Deletes to the start of the line.", label: "clear to start", hint: 2,
        .textDelete(.start)),
      typed(
        [.control("k")], "clear-to-end", "Deletes to the end of the line.", label: "clear to end", hint: 3,
        .textDelete(.end)),
      typed(
        [.control("w")], "delete-word", "Deletes the word before the cursor.", label: "delete word", hint: 3,
        .textDelete(.wordLeft)),
      typed([.backspace], "delete-before", "Deletes the character before the cursor.", .textDelete(.left)),
      typed(
        [.delete, .control("d")], "delete-after", "Deletes the character after the cursor.", .textDelete(.right)),
      typed([.left], "left", "Goes left by a character.", .textMove(.left)),
      typed([.right], "right", "Goes right by a character.", .textMove(.right)),
      typed([.home, .control("a")], "start", "Goes to the start of the line.", .textMove(.start)),
      typed([.end, .control("e")], "end", "Goes to the end of the line.", .textMove(.end)),
    ]
  }
}
