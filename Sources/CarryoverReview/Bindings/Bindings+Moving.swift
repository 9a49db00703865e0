import Carryover
import CarryoverTerminal
import PropertyLists

/// Moving about, the other screens, typing, and leaving.
extension Bindings {
  private static let texts: Set<Screen> = [
    .details, .warnings, .finding, .preview, .result, .rollback, .log, .recipes, .help, .failure,
  ]
  private static let lists: Set<Screen> = [.review, .history, .run, .decideMany, .filterMenu]

  /// Where a line is typed.
  private static let lines: Set<Screen> = [.editor, .helpSearch, .search, .filter]

  static let moving =
    toDecide + Binding.moving(in: texts.union(lists).union([.recovery, .kept])) + toRows

  private static let toDecide: [Binding] = [
    Binding(
      [.character("n")], "next",
      "Goes to the next match of the search that is on; without one, to the next field to decide.",
      in: fields, .moving, hint: 2, .next, unless: noNext),
    Binding(
      [.character("N")], "previous", "Goes to the previous match, or to the previous field to decide.", in: fields,
      .moving, .previous, unless: noNext),
    Binding(
      [.character("n")], "next", "Goes to the next field to decide; leaves a filter that hides them all.",
      in: [.preview], .moving, hint: 3, .nextToDecide, unless: { $0.tally.waiting == 0 ? allDecided : nil }),
    Binding(
      [.character("N")], "previous", "Goes to the previous field to decide.", in: [.preview], .moving,
      .previousToDecide, unless: { $0.tally.waiting == 0 ? allDecided : nil }),
  ]

  private static let toRows: [Binding] = [
    Binding(
      [.character(":")], "go to", "Goes to the row, or the line, whose number you type.", in: texts.union(lists),
      .moving, .goTo),
    Binding([.character("]")], "next field", "Goes to the next field.", in: [.details], .moving, hint: 4, .nextField),
    Binding(
      [.character("[")], "previous field", "Goes to the previous field.", in: [.details], .moving, .previousField),
  ]

  static let seeing: [Binding] = [
    Binding(
      [.character("w")], "warnings", "Shows every warning, and what is left behind.",
      in: [.review, .details, .preview], .seeing, hint: 4, .open(.warnings)),
    Binding(
      [.character("b")], "stores", "Shows every store with every key and value, from the field's own on.",
      in: [.review, .details, .warnings], .seeing, hint: 3, .browse,
      unless: { $0.browser == nil ? "The stores were not given." : nil }),
    Binding(
      [.character("c")], "copy", "Sends the field's value to the clipboard.", in: fields, .seeing, .copy,
      unless: { state in
        guard let field = state.selected else { return noField }
        let value = state.valueUnderDecision(field) ?? field.legacy
        return value?.editableText == nil ? "There is no text here to copy." : nil
      }),
  ]

  static let typing = editing + Binding.typing(in: lines, isHinted: true)

  private static let editing: [Binding] = [
    Binding(
      [.enter], "accept", "Decides for what is typed.", in: [.editor], .typing, hint: 1, .accept,
      unless: { $0.editorMismatch?.description }),
    Binding([.escape], "cancel", "Forgets what is typed.", in: [.editor], .typing, hint: 1, .cancel),
    Binding(
      [.up], "other values",
      "Puts another value into the line: typed before, legacy, proposed, the target's, or known.",
      in: [.editor], .typing, hint: 2, .textOlder,
      unless: { $0.editor?.choices.isEmpty == false ? nil : "There is no other value to put in." }),
    Binding(
      [.down], "value before", "Puts the previous value into the line; in the end, what you began to type.",
      in: [.editor],
      .typing, .textNewer),
  ]

  static let leaving: [Binding] = [
    back([.escape, .character("q"), .left, .character("h")], "Goes back to the review.", [.details]),
    back([.escape, .character("q")], "Goes back; nothing is written.", [.preview, .rollback]),
    back([.escape, .character("q"), .left, .character("h")], "Goes back; nothing is written.", [.history, .run]),
    back([.escape, .character("q"), .enter], "Goes back.", [.result, .log, .recipes, .failure]),
    back([.escape, .character("q"), .left, .character("h")], "Goes back.", [.warnings, .finding]),
    Binding(
      [.enter, .escape], "go on", "Goes on to the review, as any key does.", in: [.recovery], .leaving, hint: 1, .back),
    back([.escape, .character("q"), .character("?")], "Goes back.", [.help]),
    Binding(
      [.character("?")], "help", "Shows every key.",
      in: texts.union(lists).union([.kept]).subtracting([.help, .decideMany, .filterMenu]), .leaving, hint: 0,
      .open(.help)),
    Binding(
      [.character("q")], "quit", "Quits; asks first where decisions are not applied.", in: [.review, .tooSmall],
      .leaving, hint: 0, .quit),
    Binding(
      [.control("z")], "suspend", "Stops the program until the shell continues it.", in: Set(Screen.allCases), .leaving,
      .suspend),
  ]

  private static func back(_ keys: [Key], _ help: String, _ screens: Set<Screen>) -> Binding {
    Binding(keys, "back", help, in: screens, .leaving, hint: 0, .back)
  }

  private static let allDecided = "Every field is decided."

  private static let noNext: @Sendable (ReviewState) -> String? = { state in
    guard let search = state.search else { return state.tally.waiting == 0 ? allDecided : nil }
    return search.matches.isEmpty && search.revision == state.revision ? "There is no match; esc ends the search." : nil
  }
}
