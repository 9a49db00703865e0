import Carryover
import CarryoverPages
import CarryoverTerminal

extension ScreenContent<ReviewState> {
  static var search: ScreenContent {
    line(.search, prompt: "/").with {
      $0.words = { state in
        (state.matchWords, state.search.map { !$0.wanted.isEmpty && $0.count == 0 } ?? false)
      }
    }
  }

  static var filter: ScreenContent {
    line(.filter, prompt: "filter: ").with {
      $0.words = { state in
        (state.isFiltered ? "\(state.rows.count) of \(state.plan.fields.count)" : "", state.rows.count == 0)
      }
      $0.note = { $0.filterNote($0.filter?.text ?? "") }
    }
  }
}

enum NarrowingKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let menus: [Binding] = [
    Binding(
      [.enter], "decide", "Make the chosen decision; nothing is written.", in: [.decideMany],
      .deciding, hint: 1, unless: noneConcerned
    ) { $0.pick() },
    .picked(
      ManyChoice.allCases.map(\.key), "by-letter", "Make the decision listed under the key.", .decideMany, .deciding),
  ]

  static let all: [Binding] = [
    Binding(
      [.character("/")], "search",
      "Search keys, values, changes and findings; capitals count once you type one.", in: [.review],
      .searching, hint: 4, opens: [.search], unless: FieldKeys.noCursor
    ) { $0.beginSearch() },
    Binding(
      [.character("f")], "filter",
      "List only the fields that match the words; f, then enter, refreshes the list.", in: [.review],
      .searching, hint: 3, opens: [.filter], unless: noFields
    ) { $0.beginFilter() },
    Binding(
      [.character("F")], "filters", "Choose a filter from a menu that counts the fields of each.", in: [.review],
      .searching, hint: 4, opens: .filterMenu, unless: noFields),
    Binding(
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
    Binding(
      [.enter], "done", "Keep the search; n and N go through its matches. An empty line repeats the last search.",
      in: [.search], .searching, hint: 1, name: "keep"
    ) { $0.keepSearch() },
    Binding(
      [.escape], "cancel", "Cancel the search and go back to where it began.", in: [.search], .searching, hint: 1,
      duty: .wayOut
    ) { $0.endSearch() },
    Binding(
      [.up], "earlier", "Put an earlier search into the line.", in: [.search], .searching, hint: 3,
      unless: { $0.searches.isEmpty ? "Nothing has been searched for yet." : nil }
    ) { $0.stepLine(by: 1) },
    Binding([.down], "later", "Put a later search into the line.", in: [.search], .searching) {
      $0.stepLine(by: -1)
    },
    Binding(
      [.control("n")], "next match", "Go to the next match.", in: [.search], .searching, hint: 3, name: "next",
      unless: noMatch
    ) { $0.goToMatch(step: 1) },
    Binding(
      [.control("p")], "previous", "Go to the previous match.", in: [.search], .searching, unless: noMatch
    ) { $0.goToMatch(step: -1) },
    Binding(
      [.enter], "done", "Keep the filter and refresh the list; an empty filter lists every field.", in: [.filter],
      .searching, hint: 1, name: "keep"
    ) { $0.keepFilter() },
    Binding(
      [.escape], "cancel", "Discard what you typed and list the fields as before.", in: [.filter], .searching, hint: 1,
      duty: .wayOut
    ) { $0.cancelFilter() },
    Binding(
      [.tab], "complete", "Complete a filter word: is:…, has:…, group:….", in: [.filter], .searching, hint: 1
    ) { $0.completeFilter() },
    Binding(
      [.enter], "list", "List the fields of the chosen filter.", in: [.filterMenu], .searching, hint: 1,
      unless: noneConcerned
    ) { $0.pick() },
    listed(["a"], "all", "List every field."),
    listed(
      FilterWord.keys { $0.isDisjoint(with: FilterWord.decided) }, "undecided",
      "List fields without a decision, by state."),
    listed(
      FilterWord.keys { !$0.isDisjoint(with: FilterWord.decided) }, "decided",
      "List decided fields, by decision."),
    listed(FilterWord.findingKeys, "findings", "List fields with findings."),
    listed(FilterWord.groupKeys, "groups", "List the fields of a group."),
  ]

  private static func listed(_ keys: [Character], _ name: String, _ help: String) -> Binding {
    .picked(keys, name, help, .filterMenu, .searching)
  }

  private static let noneConcerned: @Sendable (ReviewState) -> String? = {
    $0.menu?.list.selected?.isOpen == true ? nil : ReviewState.noneConcerned
  }

  private static let noFields: @Sendable (ReviewState) -> String? = {
    $0.plan.fields.isEmpty ? FieldKeys.noField : nil
  }

  private static let noMatch: @Sendable (ReviewState) -> String? = {
    $0.search.map { $0.count > 0 } == true ? nil : "There is no match."
  }
}

extension KeyBinding<ReviewState> {
  static func picked(
    _ keys: [Character], _ name: String, _ help: String, _ screen: Screen, _ group: BindingGroup
  ) -> KeyBinding {
    KeyBinding(
      keys.map { .character($0) }, "", help, in: [screen], group, name: name,
      byKey: { state, key in
        guard case .character(let character) = key else { return [.bell] }
        return state.pick(under: character)
      })
  }
}

extension ReviewState {
  /// Leaves one thing at a time, the last one begun.
  mutating func leaveNarrowing() -> [ReviewEffect] {
    if range != nil {
      list.endRange()
    } else if search != nil {
      return endSearch()
    } else if filter != nil {
      endFilter()
    } else {
      return [.bell]
    }
    return []
  }
}
