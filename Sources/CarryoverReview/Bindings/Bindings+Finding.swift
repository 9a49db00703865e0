import Carryover
import CarryoverTerminal

/// Ranges, deciding many fields at once, the search and the filter.
extension Bindings {
  static let many: [Binding] = [
    Binding(
      [.character("v")], "range",
      "Begins a range at the cursor: space, s and t decide for all of it. Again: leaves it.",
      in: [.review], .deciding, hint: 3, .toggleRange, unless: { $0.cursorPosition == nil ? noField : nil }),
    Binding(
      [.character("A")], "many", "Shows ways to decide many fields at once; with a filter on, those listed.",
      in: [.review], .deciding, hint: 3, name: "decide-many", .decideMany,
      unless: { $0.cursorPosition == nil ? noField : nil }),
    Binding(
      [.enter, .character(" ")], "decide", "Decides what stands at the cursor; nothing is written.", in: [.decideMany],
      .deciding, hint: 1, .pick, unless: noneConcerned),
    picked(
      ManyChoice.allCases.map(\.key), "by-letter", "Decides what the menu has under the key.", .decideMany, .deciding),
  ]

  static let finding: [Binding] = [
    Binding(
      [.character("/")], "search",
      "Searches keys, values, changes and findings as you type. Capitals count once you type one.", in: [.review],
      .searching, hint: 4, .search, unless: { $0.cursorPosition == nil ? noField : nil }),
    Binding(
      [.character("f")], "filter",
      "Lists only fields that meet every word you type. Decisions move no row: f and enter list anew.", in: [.review],
      .searching, hint: 3, .filter, unless: noFields),
    Binding(
      [.character("F")], "filters", "Shows the filters there are, with how many fields each lists.", in: [.review],
      .searching, hint: 4, .filterMenu, unless: noFields),
    Binding(
      [.escape], "leave", "Leaves the range; without one the search; without one the filter.", in: [.review],
      .searching, hint: 1, .leaveFinding,
      unless: { state in
        let isOn = state.anchor != nil || state.search != nil || state.filter != nil
        return isOn ? nil : "No range, search or filter is on; \(state.options.key("quit", Screen.review)) quits."
      }),
    Binding(
      [.enter], "keep", "Keeps the search; n and N go through its matches. An empty line repeats the last search.",
      in: [.search], .searching, hint: 1, .accept),
    Binding(
      [.escape], "cancel", "Gives up the search and goes back to where it began.", in: [.search], .searching, hint: 1,
      .cancel),
    Binding(
      [.up], "earlier", "Puts an earlier search into the line.", in: [.search], .searching, hint: 3,
      .recall(older: true), unless: { $0.searches.isEmpty ? "Nothing has been searched for yet." : nil }),
    Binding([.down], "later", "Puts a later search into the line.", in: [.search], .searching, .recall(older: false)),
    Binding(
      [.control("n")], "next", "Goes to the next match.", in: [.search], .searching, hint: 3, .next, unless: noMatch),
    Binding(
      [.control("p")], "previous", "Goes to the previous match.", in: [.search], .searching, .previous, unless: noMatch),
    Binding(
      [.enter], "keep", "Keeps the filter, and lists the fields as they stand now. An empty one ends.", in: [.filter],
      .searching, hint: 1, .accept),
    Binding(
      [.escape], "cancel", "Gives up what is typed; the list is as it was before.", in: [.filter], .searching, hint: 1,
      .cancel),
    Binding(
      [.tab], "complete", "Completes a word about the state of fields: is:…, has:…, group:….", in: [.filter],
      .searching,
      hint: 1, .complete),
    Binding(
      [.enter, .character(" ")], "list", "Lists what stands at the cursor.", in: [.filterMenu], .searching, hint: 1,
      .pick, unless: noneConcerned),
    listed(["a"], "all", "Lists every field."),
    listed(
      FilterWord.keys { $0.isDisjoint(with: FilterWord.decided) }, "undecided",
      "Lists fields that nobody decided, by state."),
    listed(
      FilterWord.keys { !$0.isDisjoint(with: FilterWord.decided) }, "decided",
      "Lists fields that are decided, by what was decided."),
    listed(FilterWord.findingKeys, "findings", "Lists fields with findings."),
    listed(FilterWord.groupKeys, "groups", "Lists the fields of a group."),
    Binding(
      [.escape, .character("q")], "back", "Goes back; nothing is decided or filtered.", in: [.decideMany, .filterMenu],
      .leaving, hint: 1, .back),
  ]

  private static func picked(
    _ keys: [Character], _ name: String, _ help: String, _ screen: Screen, _ group: BindingGroup
  ) -> Binding {
    Binding(
      keys.map { .character($0) }, "", help, in: [screen], group, name: name,
      command: { key in
        guard case .character(let character) = key else { return .pick }
        return .pickKey(character)
      })
  }

  private static func listed(_ keys: [Character], _ name: String, _ help: String) -> Binding {
    picked(keys, name, help, .filterMenu, .searching)
  }

  private static let noneConcerned: @Sendable (ReviewState) -> String? = {
    ($0.menu?.selected?.count ?? 0) == 0 ? ReviewState.noneConcerned : nil
  }

  private static let noFields: @Sendable (ReviewState) -> String? = { $0.plan.fields.isEmpty ? noField : nil }

  private static let noMatch: @Sendable (ReviewState) -> String? = {
    $0.search?.matches.isEmpty == false ? nil : "There is no match."
  }
}
