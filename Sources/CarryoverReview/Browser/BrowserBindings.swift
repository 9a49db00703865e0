import Carryover
package import CarryoverTerminal

/// A key, or several that do the same, in the browser of stores.
package typealias BrowserBinding = KeyBinding<BrowserScreen, BrowserCommand, BrowserState>

/// The registry of every binding of the browser of stores.
package enum BrowserBindings {
  /// All of them, in the order of the footer and the help.
  package static let all: [BrowserBinding] = opening + searching + seeing + moving + keepingLines + typing + leaving

  /// What a key means on a screen.
  package static func binding(for key: Key, in screen: BrowserScreen, _ keymap: Keymap) -> BrowserBinding? {
    registry.binding(for: key, in: screen, keymap)
  }

  /// The bindings of a screen, in order, with the keys they have there.
  package static func bindings(in screen: BrowserScreen, _ keymap: Keymap) -> [BrowserBinding] {
    registry.bindings(in: screen, keymap)
  }

  static let registry = Registry(all)
  private static let outline: Set<BrowserScreen> = [.outline]
  private static let shown: Set<BrowserScreen> = [.outline, .details]
  private static let pages: Set<BrowserScreen> = [.outline, .details, .help]

  private static let opening: [BrowserBinding] = [
    BrowserBinding(
      [.enter], "open", "Opens the row or closes it; shows the details of a value that contains no others.",
      in: outline, .opening, hint: 1, name: "toggle", .activate, unless: noRow),
    BrowserBinding(
      [.right, .character("l")], "open", "Opens the row; goes into one that is open.", in: outline, .opening,
      .open, unless: { $0.openObstacle }),
    BrowserBinding(
      [.left, .character("h")], "close", "Closes the row; goes from one that is closed to what it is in.", in: outline,
      .opening, hint: 2, .close, unless: noRow),
  ]

  private static let searching: [BrowserBinding] = [
    BrowserBinding(
      [.character("/")], "search", "Searches every key and value of all stores, open or not, as you type.", in: outline,
      .searching, hint: 1, .search, unless: noRow),
    BrowserBinding(
      [.character("n")], "next", "Goes to the next match.", in: outline, .searching, hint: 1, .nextMatch,
      unless: noMatch),
    BrowserBinding(
      [.character("N")], "previous", "Goes to the previous match.", in: outline, .searching, .previousMatch,
      unless: noMatch),
  ]

  private static let seeing: [BrowserBinding] = [
    BrowserBinding(
      [.character(" ")], "details", "Shows all about the row: the whole value, its type and path, moments.",
      in: outline, .seeing, hint: 2, .showDetails, unless: noRow),
    BrowserBinding(
      [.character("]")], "next row", "Shows the details of the row below.", in: [.details], .seeing, hint: 3,
      .neighbour(.down)),
    BrowserBinding(
      [.character("[")], "previous row", "Shows the details of the row above.", in: [.details], .seeing,
      .neighbour(.up)),
    BrowserBinding(
      [.character("y")], "copy", "Sends the value to the clipboard.", in: shown, .seeing, hint: 2, .copyValue,
      unless: { $0.copyObstacle }),
    BrowserBinding(
      [.character("Y")], "copy path", "Sends the path of the value to the clipboard.", in: shown, .seeing, hint: 4,
      .copyPath, unless: noRow),
    BrowserBinding(
      [.character("x")], "secret", "Shows a secret; again: hides it. A search never looks into one.", in: shown,
      .seeing, .reveal,
      unless: { state in
        guard let row = state.selectedRow, case .value(let child) = state.outline.item(row), child.label.isSecret else {
          return "This is not a secret."
        }
        return nil
      }),
  ]

  private static let moving = BrowserBinding.moving(in: pages)

  private static let typing = BrowserBinding.typing(in: [.search, .helpSearch])

  private static let keepingLines: [BrowserBinding] = [
    BrowserBinding(
      [.enter], "keep", "Keeps the search; n and N go through its matches.", in: [.search], .searching, hint: 1,
      .keepSearch),
    BrowserBinding(
      [.escape], "cancel", "Gives up the search and goes back to where it began.", in: [.search], .searching, hint: 1,
      .endSearch),
    BrowserBinding(
      [.down], "next", "Goes to the next match.", in: [.search], .searching, hint: 1, .nextMatch, unless: noMatch),
    BrowserBinding(
      [.up], "previous", "Goes to the previous match.", in: [.search], .searching, .previousMatch, unless: noMatch),
    BrowserBinding(
      [.character("/")], "search", "Shows only the lines of the help that hold every word you type.", in: [.help],
      .searching, hint: 1, .searchHelp),
    BrowserBinding(
      [.enter], "keep", "Keeps what is typed, so that you can move in what it found.", in: [.helpSearch], .searching,
      hint: 1,
      .keepHelp),
    BrowserBinding([.escape], "cancel", "Shows every key again.", in: [.helpSearch], .searching, hint: 1, .wholeHelp),
  ]

  private static let leaving: [BrowserBinding] = [
    BrowserBinding(
      [.escape], "back", "Ends the search; without one, goes back to the review.", in: outline, .leaving, .endSearch,
      unless: {
        $0.search == nil && !$0.isEmbedded
          ? "There is no search to end; \($0.options.key("leave", BrowserScreen.outline)) leaves." : nil
      }),
    BrowserBinding(
      [.escape, .character("q"), .left, .character("h"), .enter], "back", "Goes back to the outline.", in: [.details],
      .leaving, hint: 0, .back),
    BrowserBinding(
      [.escape, .character("q"), .character("?")], "back", "Goes back.", in: [.help], .leaving, hint: 0, .back),
    BrowserBinding([.character("?")], "help", "Shows every key.", in: shown, .leaving, hint: 0, .help),
    BrowserBinding(
      [.character("q")], "leave", "Leaves the stores.", in: [.outline, .tooSmall], .leaving, hint: 0, .leave),
    BrowserBinding(
      [.control("z")], "suspend", "Stops the program until the shell continues it.", in: Set(BrowserScreen.allCases),
      .leaving, .suspend),
  ]

  private static let noRow: @Sendable (BrowserState) -> String? = {
    $0.selectedRow == nil ? "The container has no stores." : nil
  }

  private static let noMatch: @Sendable (BrowserState) -> String? = { state in
    guard let search = state.search else {
      return "Nothing has been searched for; \(state.options.key("search", BrowserScreen.outline)) searches."
    }
    return search.matches.isEmpty ? "There is no match." : nil
  }
}
