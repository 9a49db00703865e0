import Carryover
import CarryoverTerminal

/// The search, the filter, the menus, and leaving them.
enum NarrowingKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let menus: [Binding] = [
    Binding(
      [.enter, .character(" ")], "decide", "Decides what stands at the cursor; nothing is written.", in: [.decideMany],
      .deciding, hint: 1, unless: noneConcerned
    ) { $0.pick() },
    picked(
      ManyChoice.allCases.map(\.key), "by-letter", "Decides what the menu has under the key.", .decideMany, .deciding),
  ]

  static let all: [Binding] = [
    Binding(
      [.character("/")], "search",
      "Searches keys, values, changes and findings as you type. Capitals count once you type one.", in: [.review],
      .searching, hint: 4, opens: [.search], unless: FieldKeys.noCursor
    ) { $0.beginSearch() },
    Binding(
      [.character("f")], "filter",
      "Lists only fields that meet every word you type. Decisions move no row: f and enter list anew.", in: [.review],
      .searching, hint: 3, opens: [.filter], unless: noFields
    ) { $0.beginFilter() },
    Binding(
      [.character("F")], "filters", "Shows the filters there are, with how many fields each lists.", in: [.review],
      .searching, hint: 4, opens: .filterMenu, unless: noFields),
    Binding(
      [.escape], "leave", "Leaves the range; without one the search; without one the filter.", in: [.review],
      .searching, hint: 1,
      // How to leave something is said only while it is on.
      footer: .init(
        rank: { $0.list.isNarrowed ? 1 : nil },
        label: { state in
          state.list.anchor != nil
            ? "leave range"
            : state.list.search != nil
              ? "leave search" : state.list.filter != nil ? "leave filter" : "leave"
        }),
      unless: { state in
        state.list.isNarrowed ? nil : "No range, search or filter is on; \(state.key("quit", .review)) quits."
      }
    ) { $0.leaveNarrowing() },
    Binding(
      [.enter], "keep", "Keeps the search; n and N go through its matches. An empty line repeats the last search.",
      in: [.search], .searching, hint: 1
    ) { $0.keepSearch() },
    Binding(
      [.escape], "cancel", "Gives up the search and goes back to where it began.", in: [.search], .searching, hint: 1,
      duty: .wayOut
    ) { $0.endSearch() },
    Binding(
      [.up], "earlier", "Puts an earlier search into the line.", in: [.search], .searching, hint: 3,
      unless: { $0.list.searches.isEmpty ? "Nothing has been searched for yet." : nil }
    ) { $0.stepLine(by: 1) },
    Binding([.down], "later", "Puts a later search into the line.", in: [.search], .searching) {
      $0.stepLine(by: -1)
    },
    Binding(
      [.control("n")], "next match", "Goes to the next match.", in: [.search], .searching, hint: 3, name: "next",
      unless: noMatch
    ) { $0.goToMatch(step: 1) },
    Binding(
      [.control("p")], "previous", "Goes to the previous match.", in: [.search], .searching, unless: noMatch
    ) { $0.goToMatch(step: -1) },
    Binding(
      [.enter], "keep", "Keeps the filter, and lists the fields as they stand now. An empty one ends.", in: [.filter],
      .searching, hint: 1
    ) { $0.keepFilter() },
    Binding(
      [.escape], "cancel", "Gives up what is typed; the list is as it was before.", in: [.filter], .searching, hint: 1,
      duty: .wayOut
    ) { $0.cancelFilter() },
    Binding(
      [.tab], "complete", "Completes a word about the state of fields: is:…, has:…, group:….", in: [.filter],
      .searching, hint: 1
    ) { $0.completeFilter() },
    Binding(
      [.enter, .character(" ")], "list", "Lists what stands at the cursor.", in: [.filterMenu], .searching, hint: 1,
      unless: noneConcerned
    ) { $0.pick() },
    listed(["a"], "all", "Lists every field."),
    listed(
      FilterWord.keys { $0.isDisjoint(with: FilterWord.decided) }, "undecided",
      "Lists fields that nobody decided, by state."),
    listed(
      FilterWord.keys { !$0.isDisjoint(with: FilterWord.decided) }, "decided",
      "Lists fields that are decided, by what was decided."),
    listed(FilterWord.findingKeys, "findings", "Lists fields with findings."),
    listed(FilterWord.groupKeys, "groups", "Lists the fields of a group."),
  ]

  private static func picked(
    _ keys: [Character], _ name: String, _ help: String, _ screen: Screen, _ group: BindingGroup
  ) -> Binding {
    Binding(
      keys.map { .character($0) }, "", help, in: [screen], group, name: name,
      byKey: { state, key in
        guard case .character(let character) = key else { return [.bell] }
        return state.pick(under: character)
      })
  }

  private static func listed(_ keys: [Character], _ name: String, _ help: String) -> Binding {
    picked(keys, name, help, .filterMenu, .searching)
  }

  private static let noneConcerned: @Sendable (ReviewState) -> String? = {
    ($0.menu?.selected?.count ?? 0) == 0 ? ReviewState.noneConcerned : nil
  }

  private static let noFields: @Sendable (ReviewState) -> String? = {
    $0.plan.fields.isEmpty ? FieldKeys.noField : nil
  }

  private static let noMatch: @Sendable (ReviewState) -> String? = {
    $0.list.search?.matches.isEmpty == false ? nil : "There is no match."
  }
}

extension ReviewState {
  /// Leaves one thing at a time, the one begun last on the way from the list to all fields.
  mutating func leaveNarrowing() -> [ReviewEffect] {
    if list.anchor != nil {
      list.anchor = nil
    } else if list.search != nil {
      return endSearch()
    } else if list.filter != nil {
      endFilter()
    } else {
      return [.bell]
    }
    return []
  }
}
