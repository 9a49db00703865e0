import CarryoverTerminal

/// The panes: which one receives the keys, and how large each is. And the number of a row to go to.
extension Bindings {
  static let panes: [Binding] = [
    pane([.tab], "next pane", "Lets the next pane receive the keys: fields, warnings, details.", .nextPane, hint: 5),
    pane([.backTab], "previous pane", "Lets the previous pane receive the keys.", .previousPane),
    pane(
      [.character("1")], "fields", "Lets the list of fields receive the keys.", .focus(.fields), name: "focus-fields"),
    pane(
      [.character("2")], "warnings", "Lets the warnings receive the keys: they scroll.", .focus(.warnings),
      name: "focus-warnings"),
    Binding(
      [.character("3")], "details",
      "Lets the details beside the list receive the keys; shows them where the window is too narrow for both.",
      in: [.review], .panes, name: "focus-details", .focus(.details),
      unless: { $0.cursorPosition == nil ? noField : nil }),
    pane(
      [.character("+")], "taller", "Gives the pane with the keys a row more: the list, or the warnings.",
      .resize(.taller)),
    pane([.character("-")], "shorter", "Gives it one row less.", .resize(.shorter)),
    pane(
      [.character("<")], "divider left",
      "Moves the line between legacy and proposed to the left; with the keys in the details, that beside them.",
      .resize(.left)),
    pane([.character(">")], "divider right", "Moves the same line to the right.", .resize(.right)),
    pane([.character("=")], "restore sizes", "Makes every pane as large as it was at the start.", .resize(.restore)),
    Binding([.enter], "go", "Goes to the row of that number.", in: [.goTo], .typing, hint: 1, .accept),
    Binding([.escape], "cancel", "Stays where it is.", in: [.goTo], .typing, hint: 1, .cancel),
    Binding(
      [.backspace], "", "Deletes the digit before the cursor.", in: [.goTo], .typing, name: "delete-character",
      .textDelete(.left)),
    Binding([.control("u")], "", "Deletes the digits.", in: [.goTo], .typing, name: "clear", .textDelete(.start)),
  ]

  /// The screens on which a number may stand in front of a key: those of lists and texts where digits mean nothing else.
  static let counting: Set<Screen> = Set(
    Screen.allCases.filter { screen in
      let down = Key.character("j")
      guard screen != .recovery, case .move? = binding(for: down, in: screen, Keymap())?.command(down) else {
        return false
      }
      return !"123456789".contains { binding(for: .character($0), in: screen, Keymap()) != nil }
    })

  private static func pane(
    _ keys: [Key], _ label: String, _ help: String, _ command: Command, hint: Int? = nil, name: String? = nil
  ) -> Binding {
    Binding(keys, label, help, in: [.review], .panes, hint: hint, name: name, command)
  }
}
