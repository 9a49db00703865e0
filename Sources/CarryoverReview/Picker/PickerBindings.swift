package import CarryoverTerminal

/// A key, or several that do the same, in the choice among containers.
package typealias PickerBinding = KeyBinding<PickerScreen, PickerCommand, PickerState>

/// The registry of every binding of the choice among containers.
package enum PickerBindings {
  /// All of them, in the order of the footer and the help.
  package static let all: [PickerBinding] =
    choosing + PickerBinding.typing(in: [.filter, .helpSearch])
    + PickerBinding.moving(in: [.list, .help, .failure]) + leaving

  /// What a key means on a screen.
  package static func binding(for key: Key, in screen: PickerScreen, _ keymap: Keymap) -> PickerBinding? {
    registry.binding(for: key, in: screen, keymap)
  }

  /// The bindings of a screen, in order, with the keys they have there.
  package static func bindings(in screen: PickerScreen, _ keymap: Keymap) -> [PickerBinding] {
    registry.bindings(in: screen, keymap)
  }

  static let registry = Registry(all)

  private static let choosing: [PickerBinding] = [
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
      [.enter], "keep", "Keeps what is typed, so that you can move in what it found.", in: [.helpSearch], .searching,
      hint: 1,
      .keepHelp),
    PickerBinding([.escape], "cancel", "Shows every key again.", in: [.helpSearch], .searching, hint: 1, .wholeHelp),
  ]

  private static let leaving: [PickerBinding] = [
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
}
