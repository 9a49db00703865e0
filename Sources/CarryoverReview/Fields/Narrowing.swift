import Carryover
import CarryoverTerminal

extension Screen {
  static let search = Screen("search", "Search")
}

extension ScreenContent<ReviewState> {
  static var search: ScreenContent {
    line(.search, prompt: "/").with {
      $0.words = { state in
        (state.matchWords, state.search.map { !$0.wanted.isEmpty && $0.count == 0 } ?? false)
      }
    }
  }
}

enum NarrowingKeys {
  static let all: [ReviewKey] = [
    ReviewKey(
      [.character("/")], "search",
      "Search keys, values, changes and findings; capitals count once you type one.", in: [.review],
      .searching, hint: 4, opens: [.search], unless: FieldKeys.noCursor
    ) { $0.beginSearch() },
    ReviewKey(
      [.character("f")], "filter",
      "List only the fields that match the words; f, then enter, refreshes the list.", in: [.review],
      .searching, hint: 3, opens: [.filter], unless: noFields
    ) { $0.beginFilter() },
    ReviewKey(
      [.character("F")], "filters", "Choose a filter from a menu that counts the fields of each.", in: [.review],
      .searching, hint: 4, opens: .filterMenu, unless: noFields),
    ReviewKey(
      [.escape], "clear", "Clear the range, otherwise the search, otherwise the filter.", in: [.review],
      .searching, hint: 1,
      footer: .init(label: {
        $0.range != nil ? "clear range" : $0.search != nil ? "clear search" : "clear filter"
      }),
      unless: { state in
        state.range != nil || state.search != nil || state.filter != nil
          ? nil : "No range, search or filter is on; \(state.key("quit", .review)) quits."
      }
    ) { $0.leaveNarrowing() },
    ReviewKey(
      [.enter], "done", "Keep the search; n and N go through its matches. An empty line repeats the last search.",
      in: [.search], .searching, hint: 1, name: "keep"
    ) { $0.keepSearch() },
    ReviewKey(
      [.escape], "cancel", "Cancel the search and go back to where it began.", in: [.search], .searching, hint: 1,
      duty: .wayOut
    ) { $0.endSearch() },
    ReviewKey(
      [.up], "earlier", "Recall an earlier search.", in: [.search], .searching, hint: 3,
      unless: { $0.searches.isEmpty ? "There is no earlier search." : nil }
    ) { $0.stepLine(by: 1) },
    ReviewKey([.down], "later", "Recall a later search.", in: [.search], .searching) { $0.stepLine(by: -1) },
    ReviewKey(
      [.control("n")], "next match", "Go to the next match.", in: [.search], .searching, hint: 3, name: "next",
      unless: noMatch
    ) { $0.goToMatch(step: 1) },
    ReviewKey(
      [.control("p")], "previous", "Go to the previous match.", in: [.search], .searching, unless: noMatch
    ) { $0.goToMatch(step: -1) },
  ]

  private static let noFields: @Sendable (ReviewState) -> String? = {
    $0.plan.fields.isEmpty ? FieldKeys.noField : nil
  }

  private static let noMatch: @Sendable (ReviewState) -> String? = {
    $0.search.map { $0.count > 0 } == true ? nil : "There is no match."
  }
}

extension ReviewState {
  /// The words for the fields that a key for many fields affects: those in the range or the filter; nil for all.
  var narrowing: String? { range != nil ? "in the range" : isFiltered ? "listed" : nil }
  var narrowedRows: Range<Int> { range.map { Range($0) } ?? 0..<rows.count }

  mutating func leaveNarrowing() {
    if range != nil {
      list.endRange()
    } else if search != nil {
      endSearch()
    } else if filter != nil {
      endFilter()
    } else {
      emit(.bell)
    }
  }
}
