import Carryover
import CarryoverTerminal

/// What the keys of the browser of stores do.
enum BrowserKeys {
  typealias Binding = KeyBinding<BrowserState>

  static let all = opening + searching + seeing + searchLine

  private static let outline: Set<Screen> = [.stores]
  private static let shown: Set<Screen> = [.stores, .storesDetails]

  private static let opening: [Binding] = [
    Binding(
      [.enter], "open", "Opens the row or closes it; shows the details of a value that contains no others.",
      in: outline, .opening, hint: 1, name: "toggle", opens: [.storesDetails], unless: noRow
    ) { $0.toggle() },
    Binding(
      [.right, .character("l")], "open", "Opens the row; goes into one that is open.", in: outline, .opening,
      unless: { $0.openObstacle }
    ) { $0.openOrEnter() },
    Binding(
      [.left, .character("h")], "close", "Closes the row; goes from one that is closed to what it is in.", in: outline,
      .opening, hint: 2, unless: noRow
    ) { $0.closeOrLeave() },
  ]

  private static let searching: [Binding] = [
    Binding(
      [.character("/")], "search", "Searches every key and value of all stores, open or not, as you type.", in: outline,
      .searching, hint: 1, opens: [.storesSearch], unless: noRow
    ) { $0.beginSearch() },
    Binding(
      [.character("n")], "next", "Goes to the next match.", in: outline, .searching, hint: 1, counting: .times,
      footer: .init(rank: { $0.search == nil ? nil : 1 }), unless: noMatch
    ) { $0.goToMatch(step: 1) },
    Binding(
      [.character("N")], "previous", "Goes to the previous match.", in: outline, .searching, counting: .times,
      unless: noMatch
    ) { $0.goToMatch(step: -1) },
  ]

  private static let seeing: [Binding] = [
    Binding(
      [.character(" ")], "details", "Shows all about the row: the whole value, its type and path, moments.",
      in: outline, .seeing, hint: 2, opens: .storesDetails, unless: noRow),
    Binding(
      [.character("]")], "next row", "Shows the details of the row below.", in: [.storesDetails], .seeing, hint: 3,
      counting: .times
    ) { $0.goToNeighbour(1) },
    Binding(
      [.character("[")], "previous row", "Shows the details of the row above.", in: [.storesDetails], .seeing,
      counting: .times
    ) { $0.goToNeighbour(-1) },
    Binding(
      [.character("y")], "copy", "Sends the value to the clipboard.", in: shown, .seeing, hint: 2,
      unless: { $0.copyObstacle }
    ) { $0.copyValue() },
    Binding(
      [.character("Y")], "copy path", "Sends the path of the value to the clipboard.", in: shown, .seeing, hint: 4,
      unless: noRow
    ) { $0.copyPath() },
    Binding(
      [.character("x")], "secret", "Shows a secret; again: hides it. A search never looks into one.", in: shown,
      .seeing,
      unless: { state in
        guard let row = state.selectedRow, case .value(let child) = state.outline.item(row), child.label.isSecret else {
          return "This is not a secret."
        }
        return nil
      }
    ) { $0.revealSecret() },
  ]

  private static let searchLine: [Binding] = [
    Binding(
      [.enter], "keep", "Keeps the search; n and N go through its matches.", in: [.storesSearch], .searching, hint: 1
    ) { $0.keepSearch() },
    Binding(
      [.escape], "cancel", "Gives up the search and goes back to where it began.", in: [.storesSearch], .searching,
      hint: 1, duty: .wayOut
    ) { $0.endSearch() },
    Binding(
      [.down], "next", "Goes to the next match.", in: [.storesSearch], .searching, hint: 1, unless: noMatch
    ) { $0.goToMatch(step: 1) },
    Binding(
      [.up], "previous", "Goes to the previous match.", in: [.storesSearch], .searching, unless: noMatch
    ) { $0.goToMatch(step: -1) },
  ]

  static let leaving: [Binding] = [
    Binding(
      [.escape], "back", "Ends the search; without one, goes back to the review.", in: outline, .leaving,
      unless: {
        $0.search == nil && !$0.isEmbedded ? "There is no search to end; \($0.key("leave", .stores)) leaves." : nil
      }
    ) { state in
      guard state.search != nil else { return [.leave] }
      return state.endSearch()
    },
    Binding(
      [.character("q")], "leave", "Leaves the stores.", in: outline, .leaving, hint: 0,
      duty: .wayOut
    ) { _ in [.leave] },
  ]

  private static let noRow: @Sendable (BrowserState) -> String? = {
    $0.selectedRow == nil ? "The container has no stores." : nil
  }

  private static let noMatch: @Sendable (BrowserState) -> String? = { state in
    guard let search = state.search else {
      return "Nothing has been searched for; \(state.key("search", .stores)) searches."
    }
    return search.matches.isEmpty ? "There is no match." : nil
  }
}
