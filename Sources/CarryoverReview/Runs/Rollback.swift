import Carryover
import CarryoverPages
import CarryoverTerminal
import CarryoverVendors

extension ReviewState {
  /// The reason that the rollback in question cannot be carried out. A live container is not written to either way.
  var rollbackObstacle: String? {
    if let readOnly { return readOnly }
    if let live { return "Blocked by \(live.code.rawValue). \(remedy(of: live))" }
    return pages.draft?.obstacle
  }

  /// Whether the result of a rollback is shown. The last apply, which the key would roll back, is another run.
  var hasJustRolledBack: Bool { screen == .result && pages.report?.kind == .rollback }

  /// The finding that the container is live, unless that was allowed.
  var live: Finding? { blockers.first { $0.code == .liveRunningStore } }
  var runsLayout: Layout { Layout(size: size, rows: runs.count) }
  var keysLayout: Layout { Layout(size: size, rows: pages.draft?.choices.count ?? 0) }

  /// The offset of local time from UTC when a run began, in seconds.
  func zone(of run: RunSummary) -> Int { pages.runOffsets[run.id] ?? options.zoneOffset }

  mutating func showHistory() {
    waiting = .history
    emit(.loadHistory)
  }

  mutating func openRun() {
    guard screen == .history, let run = runs.selected, run.obstacle == nil else { return emit(.bell) }
    waiting = .rollbackPlan(asks: false)
    emit(.loadRollback(runID: run.id))
  }

  mutating func askToRollBack(_ run: RunSummary.ID?) {
    guard let run else { return emit(.bell) }
    waiting = .rollbackPlan(asks: true)
    emit(.loadRollback(runID: run))
  }

  mutating func chooseKey() {
    let row = keys.row
    guard screen == .run, pages.draft?.choose(row) == true else { return emit(.bell) }
    if let draft = pages.draft, let (entry, choice) = selectedKey {
      message =
        choice != .goesBack && choice != .stays
        ? choice.sentence(entry, key: key("choose", .run))
        : "\(draft.written) of \(draft.choices.count) chosen; \(key("roll-back", .run)) previews the rollback."
    }
  }

  mutating func chooseEveryKey() {
    if screen != .run || pages.draft?.chooseAll() != true { emit(.bell) }
  }

  var selectedKey: (entry: RollbackEntry, choice: RollbackChoice)? {
    guard let entry = keys.selected, let choice = pages.draft?.choices.element(keys.row) else { return nil }
    return (entry, choice)
  }

  /// Goes to the nearest undecided conflict in a direction, round at the end.
  mutating func goToConflict(step: Int) {
    if !selectConflict(step: step) { emit(.bell) }
  }

  private mutating func selectConflict(step: Int) -> Bool {
    guard let draft = pages.draft,
      let row = ListWindow.next(
        from: keys.row, step: step, of: keys.count, where: { draft.choices[$0] == .undecided })
    else { return false }
    keys.select(row)
    reveal(.run)
    return true
  }

  mutating func rollBack() {
    guard screen == .rollback, let draft = pages.draft, rollbackObstacle == nil else { return emit(.bell) }
    waiting = .run(.rollback)
    noteStart(.rollback)
    emit(.rollback(draft.plan, only: draft.only, draft.decisions))
  }

  /// Lists the runs, and shows them if they were asked for.
  mutating func list(_ new: [RunSummary], offsets: [Int], problems: [String]) {
    runs.replace(new) { $0.id == $1.id }
    pages.runOffsets = Dictionary(zip(new.map(\.id), offsets), uniquingKeysWith: { first, _ in first })
    reveal(.history)
    guard waiting == .history else { return }
    waiting = nil
    open(.history)
    if let first = problems.first {
      message = problems.count == 1 ? first : "\(problems.count) records cannot be read. The first: \(first)"
    }
  }

  /// Shows the preview of a rollback. Conflicts must be decided before the question.
  mutating func preview(_ plan: RollbackPlan, _ sdks: [RollbackSDK]) {
    guard case .rollbackPlan(let asks) = waiting else { return }
    waiting = nil
    let draft = RollbackDraft(plan, sdks: sdks, isWhole: asks)
    pages.draft = draft
    keys = RowList(plan.entries.map(\.withoutSecrets))
    if asks, draft[.undecided] == 0 { return open(.rollback) }
    open(.run)
    guard asks else {
      if draft.isNothingChosen {
        message = "No key is chosen yet: \(choosingKeys); \(key("roll-back", .run)) then previews the rollback."
      }
      return
    }
    message = "Some keys changed after this run; \(key("choose", .run)) decides each conflict."
    if draft.choices.first != .undecided { _ = selectConflict(step: 1) }
  }

  fileprivate var noRunToRollBack: String {
    guard let last = pastRuns.first(where: { $0.kind != .rollback && $0.standing != .cameAlong }),
      last.standing == .takenBack,
      let rollback = pastRuns.first(where: { $0.kind == .rollback && $0.rolledBack == last.id })
    else { return "There is no run to roll back." }
    let again = last.kind == .apply ? "\(key("apply", .review)) previews a new migration; " : ""
    return "The last run was rolled back at \(MomentText.both(rollback.moment, offset: options.zoneOffset)). "
      + "\(again)\(key("history", .review)) shows the runs."
  }

  var choosingKeys: String { "\(key("choose", Screen.run)) chooses one, \(key("all-none", Screen.run)) all of them" }
}

extension RunSummary {
  /// The reason that a rollback of the run cannot be previewed; nil if it can.
  var obstacle: String? {
    if standing == .cameAlong {
      return "This run came with the container: to roll it back, first adopt it with carryover recover --adopt."
    }
    if standing == .takenBack { return "This run is already rolled back." }
    if standing == .interrupted { return "This run was interrupted; recover it first." }
    if backup == nil { return "The backup of this run was pruned; it cannot be rolled back." }
    return nil
  }
}

enum RunKeys {
  static let all: [ReviewKey] = [
    ReviewKey(
      [.enter, .right, .character("l")], "open", "Show the run key by key, with what a rollback does to each.",
      in: [.history], .applying, hint: 1, opens: [.run], unless: noRun
    ) { $0.openRun() },
    ReviewKey(
      [.character(" ")], "choose", "Choose or skip the key; decide a conflict: roll back, keep, undecided.",
      in: [.run], .applying, hint: 1,
      footer: .init(label: { state in
        switch state.selectedKey?.choice {
        case .goesBack: "skip"
        case .undecided, .isOverwritten, .isKept: "decide"
        default: "choose"
        }
      }),
      unless: { state in
        switch state.selectedKey?.choice {
        case nil: "There is no key here."
        case .isBack: "It already has its value from before the run."
        case .cannot: "Its file can no longer be edited key by key."
        default: nil
        }
      }
    ) { $0.chooseKey() },
    ReviewKey(
      [.character("a")], "all, none", "Choose every key but conflicts (again: none).", in: [.run], .applying, hint: 1,
      footer: .init(label: { ($0.pages.draft?[.stays] ?? 0) > 0 ? "all" : "none" }),
      unless: { state in
        guard let draft = state.pages.draft, draft[.goesBack] + draft[.stays] > 0 else {
          return "No key can be chosen without a decision."
        }
        return nil
      }
    ) { $0.chooseEveryKey() },
    ReviewKey(
      [.character("n")], "next", "Go to the next undecided conflict.", in: [.run], .applying, hint: 2,
      counting: .times, unless: noConflict
    ) { $0.goToConflict(step: 1) },
    ReviewKey(
      [.character("N")], "previous", "Go to the previous undecided conflict.", in: [.run], .applying,
      counting: .times, unless: noConflict
    ) { $0.goToConflict(step: -1) },
    ReviewKey(
      [.character("R")], "roll back", "Preview the rollback of the chosen keys.", in: [.run], .applying,
      hint: 1, opens: .rollback,
      unless: { state in
        guard state.pages.draft?.isNothingChosen == true else { return nil }
        return "No key is chosen: \(state.choosingKeys)."
      }),
    ReviewKey(
      [.character("R")], "roll back", "Preview the rollback of the last apply or cleanup.", in: [.review, .result],
      .applying, hint: 4, opens: [.rollback, .run],
      unless: { state in
        if state.hasJustRolledBack {
          return "This was a rollback: \(state.key("history", .result)) shows the runs, to roll it back too."
        }
        return state.pages.lastRun == nil ? state.noRunToRollBack : nil
      }
    ) { $0.askToRollBack($0.pages.lastRun) },
    ReviewKey(
      [.character("R")], "roll back", "Preview the rollback of this run; enter chooses among its keys.",
      in: [.history], .applying, hint: 1, opens: [.rollback, .run], unless: noRun
    ) { $0.askToRollBack($0.runs.selected?.id) },
    ReviewKey(
      [.character("y")], "roll back", "Roll back what is shown.", in: [.rollback], .applying, hint: 1,
      duty: .confirmation, unless: { $0.rollbackObstacle }
    ) { $0.rollBack() },
    ReviewKey(
      [.character("H")], "history", "Show the container's runs, to open them or roll them back.",
      in: [.review, .result], .applying, hint: 4, opens: [.history],
      // After an apply, users may want to roll some of it back.
      footer: .init(rank: { $0.pages.lastRun == nil ? 4 : 2 })
    ) { $0.showHistory() },
  ]

  private static let noRun: @Sendable (ReviewState) -> String? = {
    guard let run = $0.runs.selected else { return "There is no run here." }
    return run.obstacle
  }

  private static let noConflict: @Sendable (ReviewState) -> String? = {
    ($0.pages.draft?[.undecided] ?? 0) == 0 ? "No conflict is undecided." : nil
  }
}

extension Screen {
  package static let rollback = Screen("rollback", "Roll back")
}

extension ScreenContent<ReviewState> {
  static var rollback: ScreenContent {
    text(.rollback, back: Back(help: "Go back; nothing is written.")) { $0.rollback($1) }.with {
      $0.closed = { if $0.topScreen != .run { $0.pages.draft = nil } }
    }
  }
}

extension PageWriter {
  /// The question before a rollback: what happens to which files and keys, and how conflicts were decided.
  mutating func rollback(_ state: ReviewState) {
    guard let draft = state.pages.draft else { return }
    let run = draft.plan.run
    let all = draft.plan.entries.count
    let what = draft.isWhole ? "Roll back run " : "Roll back \(draft.written) of \(counted(all, "key")) of run "
    add([Span(what), Span(ink.name(run.id), .value), Span("?")])
    let moment = MomentText.both(run.moment, offset: state.zone(of: run))
    words("\(run.kind.noun) started \(moment).", .muted)
    if let readOnly = state.readOnly {
      words(readOnly, .flagged)
    } else if let live = state.live {
      words("This cannot be rolled back yet.", .flagged)
      blank()
      add(.list([live.item(remedy: state.remedy(of: live))]))
    }
    if let obstacle = draft.obstacle {
      add([
        Span(ink.sign(.warning) + " ", .flagged),
        Span(ink.sentence(obstacle + " Nothing can be rolled back yet."), .flagged),
      ])
      undecided(draft, state)
    }
    var page = RollbackPage(draft.plan.files, zip(draft.plan.entries, draft.choices)) { file in
      file.state == .asLeft && draft.isWhole
    }
    page.effects = draft.effects(in: state)
    page.listsUndecided = false
    add(page.blocks)
    // The rollback of a cleanup cannot be rolled back.
    guard state.readOnly == nil, draft.plan.run.kind != .cleanup else { return }
    blank()
    words("A rollback is also a run: you can roll it back.", .muted)
  }

  private mutating func undecided(_ draft: RollbackDraft, _ state: ReviewState) {
    guard draft[.undecided] > 0 else { return }
    let undecided = zip(draft.plan.entries, draft.choices).filter { $1 == .undecided }
    let names = names(undecided.map(\.0.name), atMost: 100)
    add(
      [
        Span("Undecided: ", .conflict), Span(names, .label), Span(". ", .plain),
        Span("Press "), Span(state.key("back", .rollback), .key), Span(", then decide each with "),
        Span(state.key("choose", .run), .key), Span("."),
      ], indent: 2)
  }
}

extension RollbackEntry {
  /// With words in place of the values that are secrets or contain one.
  fileprivate var withoutSecrets: RollbackEntry {
    var entry = self
    entry.before = Secrets.shown(before)
    entry.after = Secrets.shown(after)
    entry.current = Secrets.shown(current)
    return entry
  }
}

extension RollbackDraft {
  /// What each SDK's user loses with the values that are rolled back.
  fileprivate func effects(in state: ReviewState) -> [RollbackEffect] {
    let written = zip(plan.entries, choices).filter { $1.writes }.map(\.0)
    return plan.effects(of: written) { id in
      if let known = sdks.first(where: { $0.recipe.reference.id == id }) { return known }
      // A recipe file is known to the review alone.
      if let plan = state.verdicts.first(where: { $0.recipe.id == id })?.plan {
        return RollbackSDK(plan.definition, plan)
      }
      return Recipe(id: id).map { RollbackSDK($0, state.plan) }
    }
  }
}
