import CarryoverTerminal

/// The history, and the way from there to a rollback.
extension Bindings {
  static let takingBack: [Binding] = [
    Binding(
      [.enter, .right, .character("l")], "open",
      "Shows the run key by key, and what becomes of each if it is taken back.",
      in: [.history], .takingBack, hint: 1, .openRun,
      unless: { state in
        guard let run = state.runs.selected else { return "There is no run here." }
        return run.obstacle
      }),
    Binding(
      [.character(" ")], "choose", "Chooses the key, or leaves it out; decides a conflict: put back, keep, undecided.",
      in: [.run], .takingBack, hint: 1, .choose,
      unless: { state in
        switch state.draft?.selected?.choice {
        case nil: "There is no key here."
        case .isBack: "It holds what it held before the run already."
        case .cannot: "Its file can no longer be edited key by key."
        default: nil
        }
      }),
    Binding(
      [.character("a")], "all, none",
      "Chooses every key that needs no decision; again: none. Conflicts stay as they are.",
      in: [.run], .takingBack, hint: 1, .chooseAll,
      unless: { state in
        guard let draft = state.draft, draft[.goesBack] + draft[.stays] > 0 else {
          return "No key can be chosen without a decision."
        }
        return nil
      }),
    Binding(
      [.character("n")], "next", "Goes to the next conflict to decide.", in: [.run], .takingBack, hint: 2,
      .nextConflict, unless: noConflict),
    Binding(
      [.character("N")], "previous", "Goes to the previous conflict to decide.", in: [.run], .takingBack,
      .previousConflict, unless: noConflict),
    Binding(
      [.character("R")], "roll back", "Shows exactly what would be taken back, and asks.", in: [.run], .takingBack,
      hint: 1, .open(.rollback),
      unless: { state in
        guard state.draft?.isNothingChosen == true else { return nil }
        return "No key is chosen: \(state.options.choosingKeys)."
      }),
    Binding(
      [.character("R")], "roll back", "Asks whether to take the last run back.", in: [.review, .result], .takingBack,
      hint: 4, .askForLastRun,
      unless: { $0.lastRun == nil ? "No run was applied here that could be taken back." : nil }),
    Binding(
      [.character("y")], "roll back", "Takes back what is shown.", in: [.rollback], .takingBack, hint: 1, .rollBack,
      unless: { $0.rollbackObstacle }),
    Binding(
      [.character("H")], "history", "Shows the runs of the container, each to be opened and taken back.",
      in: [.review, .result], .takingBack, hint: 4, .showHistory),
  ]

  private static let noConflict: @Sendable (ReviewState) -> String? = {
    ($0.draft?[.undecided] ?? 0) == 0 ? "No conflict is undecided." : nil
  }
}
