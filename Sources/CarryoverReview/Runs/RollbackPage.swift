import Carryover
import CarryoverPages
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

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
      add(.list([live.item()]))
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
    page.losses = draft.losses(in: state.plan)
    page.listsUndecided = false
    add(page.blocks)
    // The rollback of a cleanup cannot be rolled back.
    guard state.readOnly == nil, draft.plan.run.kind != .cleanup else { return }
    blank()
    words("A rollback is a run, too: you can roll it back.", .muted)
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

extension RollbackDraft {
  /// What the user loses with the values that are removed.
  fileprivate func losses(in present: Plan) -> [String] {
    let removed = zip(plan.entries, choices).filter { $1.writes && $0.before == nil }.map(\.0)
    func recipe(_ entry: RollbackEntry) -> String { entry.recipe ?? plan.run.recipe.id }
    var missed: [String: [StringByBytes: Loss]] = [:]
    for (id, entries) in Dictionary(grouping: removed, by: recipe) {
      let part = present.recipePlans.first { $0.recipe.id == id } ?? present
      let recipe = part.recipe.id == id ? part.definition : Recipe(id: id)
      missed[id] = recipe?.missed(entries.map(\.id.key), in: part)
    }
    // The parts of a loss are one loss.
    var seen: Set<String> = []
    return removed.compactMap { entry in missed[recipe(entry)]?[entry.id.key].map { $0.whole ?? $0.what } }
      .filter { seen.insert($0).inserted }
  }
}
