import Carryover
import CarryoverPages
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

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
    heading("Files \(draft.plan.files.count)")
    let keys = Dictionary(grouping: draft.plan.entries.indices) { StringByBytes(draft.plan.entries[$0].id.file) }
    for file in draft.plan.files { self.file(file, draft, keys[file.id] ?? []) }
    lacking(draft, state.plan)
    staying(draft)
    // The rollback of a cleanup cannot be rolled back.
    guard state.readOnly == nil, draft.plan.run.kind != .cleanup else { return }
    blank()
    words("A rollback is a run, too: you can roll it back.", .muted)
  }

  private mutating func undecided(_ draft: RollbackDraft, _ state: ReviewState) {
    guard draft[.undecided] > 0 else { return }
    let names = names(draft, .undecided, atMost: 100)
    add(
      [
        Span("Undecided: ", .conflict), Span(names, .label), Span(". ", .plain),
        Span("Press "), Span(state.key("back", .rollback), .key), Span(", then decide each with "),
        Span(state.key("choose", .run), .key), Span("."),
      ], indent: 2)
  }

  private mutating func file(_ file: RollbackFile, _ draft: RollbackDraft, _ rows: [Int]) {
    let written = rows.filter { draft.choices[$0].writes }
    add([Span(ink.text(file.id), .value)], indent: 2)
    words(Self.becomes(file, all: rows.count, written: written.count, draft), .muted, indent: 4)
    let names = nameColumns(written.lazy.map { draft.plan.entries[$0].name })
    for row in written {
      let entry = draft.plan.entries[row]
      side("-", entry, entry.current, names, .removed)
      side("+", entry, entry.before, names, .added)
      if draft.choices[row] == .isOverwritten {
        words("decided: roll back, though it has changed since the run", .conflict, indent: 6)
      }
    }
  }

  private static func becomes(_ file: RollbackFile, all: Int, written: Int, _ draft: RollbackDraft) -> String {
    switch file.state {
    case .asBefore: return "unchanged: same as before the run"
    case .unreadable(let reason): return "unchanged: the file changed after the run. \(reason)"
    case .asLeft where draft.isWhole: return file.isNew ? "removed: the run created it" : "restored byte for byte"
    case .asLeft, .changed:
      if written == 0 { return "unchanged" }
      let rest = file.isNew && all == written ? "removed if nothing else is in it" : "the rest of the file unchanged"
      return "\(counted(written, "key")) to roll back, \(rest)"
    }
  }

  private mutating func side(
    _ sign: String, _ entry: RollbackEntry, _ value: PropertyListValue?, _ names: Int, _ role: Role
  ) {
    guard let value else { return }
    let name = ink.name(entry.name, columns: names)
    add(
      [Span(sign + " " + name.padded(names), role), Span(ink.whole(value, of: entry.id.key), role)], indent: 4,
      hanging: min(columns / 2, 8 + names), exact: true)
  }

  /// What the user loses with the values that are removed.
  private mutating func lacking(_ draft: RollbackDraft, _ plan: Plan) {
    let removed = zip(draft.plan.entries, draft.choices).filter { $1.writes && $0.before == nil }.map(\.0)
    func recipe(_ entry: RollbackEntry) -> String { entry.recipe ?? draft.plan.run.recipe.id }
    var missed: [String: [StringByBytes: Loss]] = [:]
    for (id, entries) in Dictionary(grouping: removed, by: recipe) {
      let present = plan.recipePlans.first { $0.recipe.id == id } ?? plan
      let recipe = present.recipe.id == id ? present.definition : Recipe(id: id)
      missed[id] = recipe?.missed(entries.map(\.id.key), in: present)
    }
    // The parts of a loss are one loss.
    var seen: Set<String> = []
    let whats = removed.compactMap { entry in missed[recipe(entry)]?[entry.id.key].map { $0.whole ?? $0.what } }.filter
    { seen.insert($0).inserted }
    guard !whats.isEmpty else { return }
    blank()
    add(
      [
        Span(ink.sign(.warning) + " ", .flagged),
        Span(ink.words("After the rollback, the new SDK lacks \(Self.list(whats)).")),
      ], hanging: 2)
  }

  private static func list(_ words: [String]) -> String {
    words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
  }

  /// The keys that are not rolled back.
  private mutating func staying(_ draft: RollbackDraft) {
    if draft[.isKept] > 0 {
      heading("Kept \(draft[.isKept])")
      for row in draft.choices.indices where draft.choices[row] == .isKept {
        let entry = draft.plan.entries[row]
        add(
          [
            Span(ink.name(entry.name, columns: 40) + "  ", .label),
            Span(ink.value(entry.current, of: entry.id.key, columns: max(12, columns - 46)), .value),
          ], indent: 2, hanging: 4)
      }
    }
    list(draft, .stays, "Not chosen")
    list(draft, .isBack, "Unchanged")
    list(draft, .cannot, "Cannot be rolled back")
  }

  private mutating func list(_ draft: RollbackDraft, _ choice: RollbackDraft.Choice, _ title: String) {
    guard draft[choice] > 0 else { return }
    heading("\(title) \(draft[choice])")
    add([Span(names(draft, choice, atMost: 1000), .label)], indent: 2)
  }

  private func names(_ draft: RollbackDraft, _ choice: RollbackDraft.Choice, atMost limit: Int) -> String {
    names(zip(draft.plan.entries, draft.choices).filter { $1 == choice }.map(\.0.name), atMost: limit)
  }
}
