import Carryover

extension LinearVocabulary {
  /// What can be answered in the history.
  static let history = LinearAnswers<LinearCommand, LinearReview>([
    LinearAnswer(
      "open", "o", argument: "N", needed: true,
      "Looks at a run key by key, and at what becomes of each if it is taken back. A number alone does too.",
      meaning: { .openRun($0) }),
    LinearAnswer("list", "l", does: "Reads the runs again.", .list("")),
    help, back,
  ])

  /// What can be answered while keys of a run are chosen.
  static let run = LinearAnswers<LinearCommand, LinearReview>([
    LinearAnswer(
      "take back", "t", argument: "[N or NAME …]",
      "Has a key go back to what it was before the run; several by their numbers; without one, the key just read.",
      meaning: { .putBack($0) }),
    LinearAnswer(
      "leave", "l", argument: "[N or NAME …]", "Leaves a key as it is now, in the same way.", meaning: { .leave($0) }),
    LinearAnswer(
      "all", does: "Has every key go back that needs no decision.", .allKeys,
      unless: { ($0.state.draft?[.stays] ?? 0) == 0 ? "Every key that needs no decision goes back already." : nil }),
    LinearAnswer(
      "none", does: "Leaves every key that needs no decision as it is.", .noKey,
      unless: { ($0.state.draft?[.goesBack] ?? 0) == 0 ? "No key goes back but by a decision." : nil }),
    LinearAnswer(
      "only", "o", argument: "N or NAME …", needed: true,
      "Has these keys go back and no other. Conflicts stay as they are.", meaning: { .only($0) }),
    LinearAnswer(
      "next", "n", does: "Goes to the next conflict to decide.", .nextConflict,
      unless: { ($0.state.draft?[.undecided] ?? 0) == 0 ? "No conflict is undecided." : nil }),
    LinearAnswer(
      "go", "g", argument: "N or NAME", needed: true, "Reads all about a key. A number alone does too.",
      meaning: { .go($0) }),
    LinearAnswer("list", "keys", does: "Reads the keys a line each, twenty at a time.", .list("")),
    LinearAnswer(
      "more", "m", does: "Reads on where the list ended.", .more,
      unless: { $0.hasMore ? nil : "No list has more to read." }),
    LinearAnswer(
      "roll back", "r", does: "Reads exactly what would be taken back, and asks for yes in full.", .ask,
      unless: {
        $0.state.draft?.isNothingChosen == true
          ? "No key is chosen: take back chooses keys, all chooses every one." : $0.state.rollbackObstacle
      }),
    help, back,
  ])

  private static let help = LinearAnswer<LinearCommand, LinearReview>(
    "help", "h", "?", argument: "[WORD]", "Reads the answers, or those that have to do with a word.",
    meaning: { .help($0) })

  private static let back = LinearAnswer<LinearCommand, LinearReview>(
    "back", "b", "quit", "q", does: "Goes back; nothing is written.", .back)
}
