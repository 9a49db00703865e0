import Carryover
import CarryoverTerminal
import PropertyLists

extension LinearWriter {
  /// The runs of the container, newest first.
  mutating func runs(_ state: ReviewState) {
    let runs = state.runs.runs
    guard !runs.isEmpty else { return say("No run was made here.") }
    say("\(counted(runs.count, "run")), newest first.")
    each(Array(runs.enumerated())) { writer, item in
      let run = item.element
      let moment = MomentText.both(run.moment, offset: state.zone(of: run))
      let pruned = run.backup == nil ? ", its copies are pruned" : ""
      writer.add(
        "\(item.offset + 1) of \(runs.count). \(writer.ink.words("\(run.kind.word), \(moment), \(run.standing.words)"))"
          + "\(pruned): \(counted(run.fields.count, "field")) in \(counted(run.files.count, "file")). "
          + "Run \(writer.name(run.id)).")
    }
  }

  /// A run that is being taken back: which, and how its files stand.
  mutating func run(_ draft: RollbackDraft, _ state: ReviewState) {
    let run = draft.plan.run
    let moment = MomentText.both(run.moment, offset: state.zone(of: run))
    add("Run \(name(run.id)), \(ink.words("\(run.kind.word), began \(moment)")).")
    each(draft.plan.files) { writer, file in
      writer.add("File \(writer.path(file.id)) \(writer.ink.sentence(Self.words(file.state))).")
    }
  }

  /// `8 keys: 6 go back, 2 undecided.`
  mutating func keyCounts(_ draft: RollbackDraft) {
    let counts = RollbackDraft.Choice.allCases.filter { draft[$0] > 0 }.map { "\(draft[$0]) \($0.words(draft[$0]))" }
    let keys = counted(draft.plan.entries.count, "key")
    say(counts.isEmpty ? "\(keys)." : "\(keys): \(counts.joined(separator: ", ")).")
  }

  private static func words(_ state: RollbackFileState) -> String {
    switch state {
    case .asLeft: "is as the run left it"
    case .asBefore: "is already what it was before the run"
    case .changed: "was changed since the run"
    case .unreadable(let reason): "was changed since the run and cannot be edited key by key. \(reason)"
    }
  }

  /// A key of a run in a line.
  mutating func keyRow(_ draft: RollbackDraft, _ row: Int) {
    guard draft.plan.entries.indices.contains(row) else { return }
    add("\(row + 1). \(name(draft.plan.entries[row].id.key)): \(Self.words(draft.choices[row])).")
  }

  /// All about a key of a run.
  mutating func key(_ draft: RollbackDraft, _ row: Int) {
    guard draft.plan.entries.indices.contains(row) else { return }
    let entry = draft.plan.entries[row]
    let key = entry.id.key
    add("\(row + 1) of \(draft.plan.entries.count). \(name(key)): \(Self.words(draft.choices[row])).")
    add("Holds now: \(value(entry.current, of: key)).")
    add("The run left: \(value(entry.after, of: key)).")
    add("Before the run: \(value(entry.before, of: key)).")
  }

  /// What becomes of a key.
  private static func words(_ choice: RollbackDraft.Choice) -> String {
    switch choice {
    case .goesBack: "goes back to what it was before the run"
    case .stays: "stays as the run left it"
    case .undecided: "in conflict, for it was changed since the run; undecided"
    case .isOverwritten: "goes back although it was changed since the run, by decision"
    case .isKept: "stays as it is now, by decision"
    case .isBack: "holds what it held before the run already"
    case .cannot: "stays, for its file cannot be edited key by key"
    }
  }

  /// The question before a run is taken back: which keys become what.
  mutating func rollback(_ draft: RollbackDraft, _ state: ReviewState) {
    let run = draft.plan.run
    let all = draft.plan.entries.count
    add(
      draft.isWhole
        ? "To be taken back: all of run \(name(run.id))."
        : "To be taken back: \(draft.written) of \(counted(all, "key")) of run \(name(run.id)).")
    if draft.isWhole {
      each(draft.plan.files.filter { $0.state == .asLeft }) { writer, file in
        writer.add("File \(writer.path(file.id)) becomes byte for byte what it was before the run.")
      }
    }
    let written = draft.choices.indices.filter { draft.choices[$0] == .goesBack || draft.choices[$0] == .isOverwritten }
    each(Array(written.enumerated())) { writer, item in
      let entry = draft.plan.entries[item.element]
      let key = entry.id.key
      let isOverwritten = draft.choices[item.element] == .isOverwritten
      let decided = isOverwritten ? ", which somebody else has written since the run" : ""
      writer.add(
        "\(item.offset + 1) of \(written.count). \(writer.name(key)) becomes \(writer.value(entry.before, of: key)); "
          + "it holds \(writer.value(entry.current, of: key)) now\(decided).")
    }
    keyCounts(draft)
    if let obstacle = state.rollbackObstacle { add("Nothing can be taken back like this: " + ink.sentence(obstacle)) }
  }
}
