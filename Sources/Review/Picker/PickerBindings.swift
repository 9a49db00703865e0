public import Terminal

/// A key, or several that do the same, in the choice among containers.
public typealias PickerBinding = KeyBinding<PickerScreen, PickerCommand, PickerState>

/// The registry of every binding of the choice among containers.
public enum PickerBindings {
  /// All of them, in the order of the footer and the help.
  public static let all: [PickerBinding] =
    [
      PickerBinding(
        [.enter, .right, .character("l")], "open", "Opens the container.", in: [.list], .opening, hint: 1, .choose,
        unless: { $0.selected == nil ? "There is no container here." : nil }),
      PickerBinding(
        [.character("/")], "filter", "Shows only the containers that hold every word you type.", in: [.list],
        .searching, hint: 1, .filter),
      PickerBinding(
        [.enter], "keep", "Keeps the filter; enter again opens the container.", in: [.filter], .searching, hint: 1,
        .keepFilter),
      PickerBinding(
        [.escape], "cancel", "Shows every container again.", in: [.filter], .searching, hint: 1, .dropFilter),
      PickerBinding(
        [.character("/")], "search", "Shows only the lines of the help that hold every word you type.", in: [.help],
        .searching, hint: 1, .searchHelp),
      PickerBinding(
        [.escape, .enter, .character("q")], "back", "Goes back to the containers.", in: [.failure], .leaving, hint: 0,
        .back),
      PickerBinding(
        [.enter], "keep", "Keeps what is typed, to move in what it found.", in: [.helpSearch], .searching, hint: 1,
        .keepHelp),
      PickerBinding([.escape], "cancel", "Shows every key again.", in: [.helpSearch], .searching, hint: 1, .wholeHelp),
      typed([.control("u")], "clear-to-start", "Deletes to the start.", .textDelete(.start)),
      typed([.control("k")], "clear-to-end", "Deletes to the end.", .textDelete(.end)),
      typed([.control("w")], "delete-word", "Deletes the word before.", .textDelete(.wordLeft)),
      typed([.backspace], "delete-before", "Deletes the character before.", .textDelete(.left)),
      typed([.delete, .control("d")], "delete-behind", "Deletes the character behind.", .textDelete(.right)),
      typed([.left], "left", "Goes left by a character.", .textMove(.left)),
      typed([.right], "right", "Goes right by a character.", .textMove(.right)),
      typed([.home, .control("a")], "start", "Goes to the start.", .textMove(.start)),
      typed([.end, .control("e")], "end", "Goes to the end.", .textMove(.end)),
      moveList([.up, .character("k")], "up", "Goes up by a row.", .up),
      moveList([.down, .character("j")], "down", "Goes down by a row.", .down),
      moveList([.pageUp, .control("b")], "page-up", "Goes up by a page.", .pageUp),
      moveList([.pageDown, .control("f")], "page-down", "Goes down by a page.", .pageDown),
      moveList([.home, .character("g")], "first", "Goes to the first row.", .first),
      moveList([.end, .character("G")], "last", "Goes to the last row.", .last),
      PickerBinding(
        [.escape, .character("q"), .character("?")], "back", "Goes back.", in: [.help], .leaving, hint: 0, .back),
      PickerBinding([.character("?")], "help", "Shows every key.", in: [.list], .leaving, hint: 0, .help),
      PickerBinding(
        [.character("q"), .escape], "quit", "Leaves without opening any.", in: [.list, .tooSmall], .leaving, hint: 0,
        .leave),
      PickerBinding(
        [.control("z")], "suspend", "Stops the program until the shell continues it.",
        in: Set(PickerScreen.allCases), .leaving, .suspend),
    ]

  /// What a key means on a screen.
  public static func binding(for key: Key, in screen: PickerScreen, _ keymap: Keymap) -> PickerBinding? {
    registry.binding(for: key, in: screen, keymap)
  }

  /// The bindings of a screen, in order, with the keys they have there.
  public static func bindings(in screen: PickerScreen, _ keymap: Keymap) -> [PickerBinding] {
    registry.bindings(in: screen, keymap)
  }

  static let registry = Registry(all)

  private static func typed(_ keys: [Key], _ name: String, _ help: String, _ command: PickerCommand) -> PickerBinding {
    PickerBinding(keys, "", help, in: [.filter, .helpSearch], .typing, name: name, command)
  }

  private static func moveList(_ keys: [Key], _ name: String, _ help: String, _ move: Move) -> PickerBinding {
    PickerBinding(keys, "", help, in: [.list, .help, .failure], .moving, name: name, .move(move))
  }
}
