import Carryover
import CarryoverTerminal

/// The history, and the way from there to a rollback.
enum RunKeys {
  typealias Binding = KeyBinding<ReviewState>

  static let all: [Binding] = [
    Binding(
      [.enter, .right, .character("l")], "open",
      "Show the run key by key, with what a rollback does to each.",
      in: [.history], .applying, hint: 1, opens: [.run],
      unless: noRun
    ) { $0.openRun() },
    Binding(
      [.character(" ")], "choose", "Choose or skip the key; decide a conflict: roll back, keep, undecided.",
      in: [.run], .applying, hint: 1,
      footer: .init(label: { state in
        switch state.draft?.selected?.choice {
        case .goesBack: "skip"
        case .undecided, .isOverwritten, .isKept: "decide"
        default: "choose"
        }
      }),
      unless: { state in
        switch state.draft?.selected?.choice {
        case nil: "There is no key here."
        case .isBack: "It has its value from before the run already."
        case .cannot: "Its file can no longer be edited key by key."
        default: nil
        }
      }
    ) { $0.chooseKey() },
    Binding(
      [.character("a")], "all, none",
      "Choose every key but conflicts (again: none).",
      in: [.run], .applying, hint: 1,
      footer: .init(label: { ($0.draft?[.stays] ?? 0) > 0 ? "all" : "none" }),
      unless: { state in
        guard let draft = state.draft, draft[.goesBack] + draft[.stays] > 0 else {
          return "No key can be chosen without a decision."
        }
        return nil
      }
    ) { $0.chooseEveryKey() },
    Binding(
      [.character("n")], "next", "Go to the next undecided conflict.", in: [.run], .applying, hint: 2,
      counting: .times, unless: noConflict
    ) { $0.goToConflict(step: 1) },
    Binding(
      [.character("N")], "previous", "Go to the previous undecided conflict.", in: [.run], .applying,
      counting: .times, unless: noConflict
    ) { $0.goToConflict(step: -1) },
    Binding(
      [.character("R")], "roll back", "Preview the rollback of the chosen keys.", in: [.run], .applying,
      hint: 1, opens: .rollback,
      unless: { state in
        guard state.draft?.isNothingChosen == true else { return nil }
        return "No key is chosen: \(state.choosingKeys)."
      }),
    Binding(
      [.character("R")], "roll back", "Preview the rollback of the last apply or cleanup.", in: [.review, .result],
      .applying,
      hint: 4, opens: [.rollback, .run],
      unless: { state in
        if state.hasJustRolledBack {
          return "This was a rollback: \(state.key("history", .result)) shows the runs, to roll it back too."
        }
        return state.lastRun == nil ? "There is no run to roll back." : nil
      }
    ) { $0.askToRollBack($0.lastRun?.id) },
    Binding(
      [.character("R")], "roll back", "Preview the rollback of this run; enter chooses among its keys.",
      in: [.history], .applying, hint: 1, opens: [.rollback, .run], unless: noRun
    ) { $0.askToRollBack($0.runs.selected?.id) },
    Binding(
      [.character("y")], "roll back", "Roll back what is shown.", in: [.rollback], .applying, hint: 1,
      duty: .confirmation, unless: { $0.rollbackObstacle }
    ) { $0.rollBack() },
    Binding(
      [.character("H")], "history", "Show the container's runs, to open them or roll them back.",
      in: [.review, .result], .applying, hint: 4, opens: [.history],
      // Whoever has just applied, or comes back to what was applied, may want to take some of it back.
      footer: .init(rank: { $0.lastRun == nil ? 4 : 2 })
    ) { $0.showHistory() },
  ]

  private static let noRun: @Sendable (ReviewState) -> String? = {
    guard let run = $0.runs.selected else { return "There is no run here." }
    return run.obstacle
  }

  private static let noConflict: @Sendable (ReviewState) -> String? = {
    ($0.draft?[.undecided] ?? 0) == 0 ? "No conflict is undecided." : nil
  }
}
