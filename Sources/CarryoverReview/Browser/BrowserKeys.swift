import Carryover
import CarryoverTerminal

/// What the keys of the browser of stores do.
enum BrowserKeys {
  typealias Binding = KeyBinding<BrowserState>

  static let all = opening + searching + arranging + seeing + searchLine

  private static let outline: Set<Screen> = [.stores]
  private static let shown: Set<Screen> = [.stores, .storesDetails]

  private static let opening: [Binding] = [
    Binding(
      [.enter], "open", "Open or close the row; show the details of a single value.",
      in: outline, .seeing, hint: 1, name: "toggle", opens: [.storesDetails], unless: noRow
    ) { $0.toggle() },
    Binding(
      [.right, .character("l")], "open", "Open the row, or go into it.", in: outline, .seeing,
      unless: { $0.openObstacle }
    ) { $0.openOrEnter() },
    Binding(
      [.left, .character("h")], "close", "Close the row, or go to the one it is in.", in: outline,
      .seeing, hint: 2, unless: noRow
    ) { $0.closeOrLeave() },
  ]

  private static let searching: [Binding] = [
    Binding(
      [.character("/")], "search", "Search every key and value of all stores, open or not.",
      in: outline.union([.storesMatches]), .searching, hint: 1, opens: [.storesSearch], unless: noRow
    ) { $0.beginSearch() },
    Binding(
      [.character("n")], "next", "Go to the next match.", in: outline.union([.storesMatches]), .searching, hint: 1,
      counting: .times, unless: noMatch
    ) { $0.goToMatch(step: 1) },
    Binding(
      [.character("N")], "previous", "Go to the previous match.", in: outline.union([.storesMatches]), .searching,
      counting: .times, unless: noMatch
    ) { $0.goToMatch(step: -1) },
  ]

  private static let arranging: [Binding] = [
    Binding(
      [.character("m")], "matches", "List every match of the search with its store, its key and its text.",
      in: outline, .searching, hint: 1, opens: [.storesMatches], unless: noMatch
    ) {
      $0.open(.storesMatches)
      return []
    },
    Binding(
      [.enter, .right, .character("l")], "go to", "Go to the match in the stores.", in: [.storesMatches], .moving,
      hint: 1, name: "go-to-match", unless: noMatch
    ) { $0.goToMatch() },
    Binding(
      [.character("f")], "filter", "List only stores and keys whose names contain what you type.", in: outline,
      .searching, hint: 2, opens: [.storesFilter], unless: { $0.outline.roots.isEmpty ? BrowserState.noStores : nil }
    ) { $0.beginFilter() },
    Binding(
      [.character("s")], "sort",
      "Sort the stores in the next order: name, size, last write, number of keys, original.",
      in: outline, .seeing, hint: 3, unless: noRow
    ) { $0.sortNext() },
  ]

  private static let seeing: [Binding] = [
    Binding(
      [.character("i")], "details", "Show the whole value with its type, path and the time that it stands for.",
      in: outline, .seeing, hint: 2, opens: .storesDetails, unless: noRow),
    Binding(
      [.character("]")], "next row", "Show the details of the row below.", in: [.storesDetails], .seeing, hint: 3,
      counting: .times
    ) { $0.goToNeighbour(1) },
    Binding(
      [.character("[")], "previous row", "Show the details of the row above.", in: [.storesDetails], .seeing,
      counting: .times
    ) { $0.goToNeighbour(-1) },
    Binding(
      [.character("c")], "copy", "Copy the value to the clipboard.", in: shown, .seeing, hint: 2,
      unless: { $0.copyObstacle }
    ) { $0.copyValue() },
    Binding(
      [.character("Y")], "copy path", "Copy the path of the value to the clipboard.", in: shown, .seeing, hint: 4,
      unless: noRow
    ) { $0.copyPath() },
    Binding(
      [.character("S")], "secret", "Show a secret (again: hide it); searches skip secrets.", in: shown,
      .seeing,
      unless: { state in
        guard let row = state.selectedRow, case .value(let child) = state.outline.item(row), Secrets.holds(child) else {
          return "This is not a secret."
        }
        return nil
      }
    ) { $0.revealSecret() },
  ]

  private static let searchLine: [Binding] = [
    Binding(
      [.enter], "go", "Go to the selected match; n and N go to the others.", in: [.storesSearch],
      .searching, hint: 1, name: "keep"
    ) { $0.keepSearch() },
    Binding(
      [.escape], "cancel", "Cancel the search and go back to where it began.", in: [.storesSearch], .searching,
      hint: 1, duty: .wayOut
    ) { $0.endSearch() },
    Binding(
      [.down], "next", "Go to the next match.", in: [.storesSearch], .searching, hint: 1, unless: noMatch
    ) { $0.goToMatch(step: 1) },
    Binding(
      [.up], "previous", "Go to the previous match.", in: [.storesSearch], .searching, unless: noMatch
    ) { $0.goToMatch(step: -1) },
    Binding(
      [.enter], "done", "Keep the filter; an empty one clears it.", in: [.storesFilter], .searching, hint: 1,
      name: "keep"
    ) { $0.keepFilter() },
    Binding(
      [.escape], "cancel", "List everything again.", in: [.storesFilter], .searching, hint: 1, duty: .wayOut
    ) { $0.endFilter() },
  ]

  static let leaving: [Binding] = [
    Binding(
      [.escape], "back", "Clear the search, otherwise the filter; without either, go back to the review.", in: outline,
      .leaving,
      unless: {
        $0.search == nil && $0.filter == nil && !$0.isEmbedded
          ? "There is no search to end; \($0.key("leave", .stores)) leaves." : nil
      }
    ) { state in
      if state.search != nil { return state.endSearch() }
      return state.filter == nil ? [.leave] : state.endFilter()
    },
    Binding(
      [.character("q")], "leave", "Leave the stores.", in: outline, .leaving, hint: 0,
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
