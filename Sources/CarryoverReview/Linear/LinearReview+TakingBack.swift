import Carryover
import CarryoverTerminal

extension LinearReview {
  /// Carries an answer out that was given in the history or among the keys of a run.
  mutating func takeBack(_ command: LinearCommand) {
    switch command {
    case .openRun(let text): openRun(text)
    case .list: if place == .history { writer.runs(state) } else { listKeys() }
    case .more: readOnKeys()
    case .putBack(let text): choose(text, goesBack: true)
    case .leave(let text): choose(text, goesBack: false)
    case .allKeys:
      perform(.chooseAll)
      sayKeyCounts()
    case .noKey:
      chooseNone()
      sayKeyCounts()
    case .only(let text): chooseOnly(text)
    case .nextConflict: if perform(.nextConflict) { announceKey() }
    case .go(let text):
      guard let row = rows(text)?.first else { return }
      select(key: row)
      announceKey()
    case .ask: askToRollBack()
    case .help(let word):
      writer.help(place == .history ? LinearVocabulary.history : LinearVocabulary.run, self, about: word)
    case .back:
      let wasRun = place == .run
      perform(.back, isSilent: true)
      guard wasRun, state.screens.last == .history else {
        toFields()
        return writer.say("Back at the fields.")
      }
      place = .history
      writer.say("Back at the history.")
    default: break
    }
  }

  /// How a run ended: says it, and goes back to the fields.
  mutating func ended(_ result: Result<RunReport, ReviewFailure>) {
    switch result {
    case .success(let report): writer.result(report, backup: state.backupLocation)
    case .failure(let failure): writer.failure(failure)
    }
    toFields()
  }

  private mutating func openRun(_ text: String) {
    guard let row = number(text, of: state.runs.runs.count, "run") else {
      if Int(text) == nil { writer.say("The number of a run is needed.") }
      return
    }
    let run = state.runs.runs[row]
    if let obstacle = run.obstacle { return writer.quote(obstacle) }
    perform(.move(.first), isSilent: true)
    for _ in 0..<row { state.runs.move(.down, visible: Self.page) }
    perform(.openRun)
  }

  /// What taking a run back would do is there: conflicts are decided first, one by one; else the question follows, or
  /// the keys are to be chosen.
  mutating func beginRollback() {
    guard let draft = state.draft else { return toFields() }
    rest = []
    writer.run(draft, state)
    place = .run
    if draft[.undecided] > 0 {
      sayKeyCounts()
      writer.say("Changed since the run, by somebody else: each of these is decided by take back or leave.")
      if draft.selected?.choice != .undecided { perform(.nextConflict, isSilent: true) }
      return announceKey()
    }
    if state.screens.last == .rollback {
      askToRollBack()
    } else {
      listKeys()
      writer.say(
        draft.isNothingChosen
          ? "No key is chosen yet: take back chooses keys, all chooses every one; roll back then asks. help lists all."
          : "roll back takes back what goes back; take back, leave and only choose keys; help lists all.")
    }
  }

  /// Reads what would be taken back, and asks for the word.
  private mutating func askToRollBack() {
    guard let draft = state.draft else { return toFields() }
    writer.rollback(draft, state)
    guard state.rollbackObstacle == nil else { return }
    perform(.open(.rollback), isSilent: true)
    asked = stamp
    place = .rollback
  }

  /// Goes from the question to the keys it is about.
  mutating func chooseKeys() {
    perform(.open(.run), isSilent: true)
    place = .run
    listKeys()
  }

  // MARK: Keys

  private mutating func announceKey() {
    guard let draft = state.draft, draft.selected != nil else { return writer.say("There is no key here.") }
    writer.key(draft, draft.row)
  }

  private mutating func sayKeyCounts() {
    if let draft = state.draft { writer.keyCounts(draft) }
  }

  private mutating func listKeys() {
    guard let draft = state.draft else { return }
    rest = Array(draft.choices.indices)[...]
    writer.keyCounts(draft)
    readOnKeys()
  }

  private mutating func readOnKeys() {
    guard let draft = state.draft else { return }
    for row in rest.prefix(Self.page) { writer.keyRow(draft, row) }
    rest = rest.dropFirst(Self.page)
    if !rest.isEmpty { writer.say("And \(rest.count) more: more reads on.") }
  }

  /// The keys that are meant: by numbers, or one by its name; without either the one it stands at. Nil, with a sentence,
  /// where there is none.
  private mutating func rows(_ text: String) -> [Int]? {
    guard let draft = state.draft, !draft.plan.entries.isEmpty else {
      writer.say("There is no key here.")
      return nil
    }
    if text.isEmpty { return [draft.row] }
    let parts = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    var rows: [Int] = []
    let names = draft.plan.entries.map(\.id.key)
    if let exact = names.firstIndex(of: text) { return [exact] }
    for part in parts {
      guard let row = number(part, of: names.count, "key") ?? named(part, names) else { return nil }
      rows.append(row)
    }
    return rows
  }

  private mutating func select(key row: Int) {
    state.draft?.move(.first, visible: Self.page)
    for _ in 0..<row { state.draft?.move(.down, visible: Self.page) }
  }

  /// Has keys go back or stay, one by one, and goes on to the next conflict where one of them was.
  private mutating func choose(_ text: String, goesBack: Bool) {
    guard let rows = rows(text) else { return }
    var wasConflict = false
    for row in rows {
      select(key: row)
      guard let (entry, choice) = state.draft?.selected else { continue }
      wasConflict = wasConflict || choice == .undecided
      setSelected(goesBack: goesBack)
      guard let now = state.draft?.selected?.choice else { continue }
      if now == choice, now == .isBack || now == .cannot {
        writer.add("\(writer.name(entry.id.key)): there is nothing to choose.")
      }
      if let draft = state.draft { writer.keyRow(draft, row) }
    }
    sayKeyCounts()
    guard wasConflict else { return }
    if (state.draft?[.undecided] ?? 0) > 0 {
      perform(.nextConflict, isSilent: true)
      announceKey()
    } else {
      writer.say("No conflict is left to decide. roll back reads what would be taken back, and asks.")
    }
  }

  /// Has the key it stands at go back or stay, by the key that changes its choice: at most once round.
  private mutating func setSelected(goesBack: Bool) {
    let wanted: Set<RollbackDraft.Choice> = goesBack ? [.goesBack, .isOverwritten] : [.stays, .isKept]
    for _ in 0..<3 {
      guard let choice = state.draft?.selected?.choice, !wanted.contains(choice) else { return }
      guard choice != .isBack, choice != .cannot else { return }
      perform(.choose, isSilent: true)
    }
  }

  /// The key for all chooses none where all are chosen.
  private mutating func chooseNone() {
    if (state.draft?[.stays] ?? 0) > 0 { perform(.chooseAll, isSilent: true) }
    perform(.chooseAll, isSilent: true)
  }

  private mutating func chooseOnly(_ text: String) {
    guard let rows = rows(text) else { return }
    if (state.draft?[.goesBack] ?? 0) > 0 { chooseNone() }
    for row in rows {
      select(key: row)
      setSelected(goesBack: true)
      if let draft = state.draft { writer.keyRow(draft, row) }
    }
    sayKeyCounts()
  }
}
