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
      typed([.control("u")], "Deletes to the start.", .textDelete(.start)),
      typed([.control("k")], "Deletes to the end.", .textDelete(.end)),
      typed([.control("w")], "Deletes the word before.", .textDelete(.wordLeft)),
      typed([.backspace], "Deletes the character before.", .textDelete(.left)),
      typed([.delete, .control("d")], "Deletes the character behind.", .textDelete(.right)),
      typed([.left], "Goes left by a character.", .textMove(.left)),
      typed([.right], "Goes right by a character.", .textMove(.right)),
      typed([.home, .control("a")], "Goes to the start.", .textMove(.start)),
      typed([.end, .control("e")], "Goes to the end.", .textMove(.end)),
      moveList([.up, .character("k")], "Goes up by a row.", .up),
      moveList([.down, .character("j")], "Goes down by a row.", .down),
      moveList([.pageUp, .control("b")], "Goes up by a page.", .pageUp),
      moveList([.pageDown, .control("f")], "Goes down by a page.", .pageDown),
      moveList([.home, .character("g")], "Goes to the first row.", .first),
      moveList([.end, .character("G")], "Goes to the last row.", .last),
      PickerBinding(
        [.escape, .character("q"), .character("?")], "back", "Goes back.", in: [.help], .leaving, hint: 1, .back),
      PickerBinding(
        [.escape, .enter, .character("q")], "back", "Goes back to the containers.", in: [.failure], .leaving, hint: 1,
        .back),
      PickerBinding([.character("?")], "help", "Shows every key.", in: [.list], .leaving, hint: 1, .help),
      PickerBinding(
        [.character("q"), .escape], "quit", "Leaves without opening any.", in: [.list, .tooSmall], .leaving, hint: 1,
        .leave),
      PickerBinding(
        [.control("z")], "suspend", "Stops the program until the shell continues it.",
        in: Set(PickerScreen.allCases), .leaving, .suspend),
    ]

  /// What a key means on a screen.
  public static func binding(for key: Key, in screen: PickerScreen) -> PickerBinding? { table[screen]?[key] }

  /// The bindings of a screen, in order.
  public static func bindings(in screen: PickerScreen) -> [PickerBinding] { all.filter { $0.screens.contains(screen) } }

  private static let table = KeyTable(all)

  private static func typed(_ keys: [Key], _ help: String, _ command: PickerCommand) -> PickerBinding {
    PickerBinding(keys, "", help, in: [.filter], .typing, command)
  }

  private static func moveList(_ keys: [Key], _ help: String, _ move: Move) -> PickerBinding {
    PickerBinding(keys, "", help, in: [.list, .help, .failure], .moving, .move(move))
  }
}
