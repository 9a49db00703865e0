import Carryover
import CarryoverTerminal

/// What explains: findings, the log, the recipes, and looking something up in the help.
extension Bindings {
  private static let anywhere: Set<Screen> = [
    .review, .details, .warnings, .preview, .history, .run, .rollback, .recipes, .finding,
  ]

  /// What the screen of warnings is for, so it stands first in its footer.
  static let explaining: [Binding] = [
    Binding(
      [.enter, .character("x")], "explain", "Explains the finding: why it arises, and what to do.",
      in: [.warnings], .seeing, hint: 1, .explain,
      unless: { $0.findingList.selected == nil ? "There is nothing to explain here." : nil })
  ]

  static let understanding: [Binding] = [
    Binding(
      [.character("x")], "explain", "Explains the field's findings: why they arise, and what to do.", in: fields,
      .seeing, hint: 4, .explain,
      unless: { $0.canExplain ? nil : "There is nothing to explain here." }),
    Binding(
      [.enter], "go to field", "Goes to the finding's field in the review.", in: [.finding], .moving, hint: 1,
      .goToField,
      unless: { state in
        guard let id = state.findingList.selected?.field else {
          return "This finding is about the container, not about one field."
        }
        return state.positions[id] == nil ? "The plan has no such field." : nil
      }),
    Binding(
      [.character("]")], "next finding", "Goes to the next finding.", in: [.finding], .moving, hint: 2, .nextFinding,
      unless: { $0.findingList.index + 1 < $0.findingList.findings.count ? nil : "This is the last finding." }),
    Binding(
      [.character("[")], "previous finding", "Goes to the previous finding.", in: [.finding], .moving, hint: 2,
      .previousFinding, unless: { $0.findingList.index > 0 ? nil : "This is the first finding." }),
    Binding(
      [.character("L")], "log", "Shows what was done so far, with every file operation.", in: [.result, .failure],
      .seeing, hint: 2, .open(.log)),
    Binding([.character("L")], "log", "Shows what was done so far.", in: anywhere, .seeing, .open(.log)),
    Binding(
      [.character("r")], "recipes", "Shows which recipe is followed and why, and every recipe rule by rule.",
      in: [.review, .details, .warnings, .finding], .seeing, .open(.recipes)),
    Binding(
      [.character("/")], "search", "Shows only the lines of the help that hold every word you type.", in: [.help],
      .searching, hint: 1, .searchHelp),
    Binding(
      [.enter], "keep", "Keeps what is typed, so that you can move in what it found.", in: [.helpSearch], .searching,
      hint: 1,
      .accept),
    Binding([.escape], "cancel", "Shows every key again.", in: [.helpSearch], .searching, hint: 1, .cancel),
  ]
}
