import CarryoverSystem
import PropertyLists

package struct RunCheck: Hashable, Sendable {
  package var runs = 0
  package var copies = 0
  package var problems: [RunProblem] = []
}

package enum RunProblem: Hashable, Sendable, CustomStringConvertible {
  case interrupted(run: String)
  case leftovers
  /// A run came with the container, or its record was changed by someone else.
  case foreign(run: String, ForeignReason)
  /// A journal, a record, a copy or a file cannot be read or differs from the record. `run` is nil if it is unknown.
  case failed(run: String?, RunError)
  case changed(run: String, KeyPlace)
  case unreadable(run: String, path: String, reason: String)

  package var description: String {
    switch self {
    case .interrupted(let run):
      "Run \(DisplayText.harmless(run)) was interrupted. Run carryover recover to finish it, to roll it back, or to "
        + "remove it if it changed nothing."
    case .leftovers: "A run was interrupted before it changed anything. Run carryover recover to remove what it left."
    case .foreign(let run, let reason):
      "Run \(DisplayText.harmless(run)) came with the container, \(reason.phrase). Decide with carryover recover --adopt "
        + "or --discard."
    case .failed(_, let error): error.description
    case .changed(let run, let place):
      "\(DisplayText.quoted(place.key)) in \(DisplayText.quoted(place.file)) changed after run "
        + "\(DisplayText.harmless(run)), the last that wrote it."
    case .unreadable(let run, let path, let reason):
      "\(DisplayText.quoted(path)) changed after run \(DisplayText.harmless(run)) and cannot be read. "
        + DisplayText.harmless(reason)
    }
  }

  /// The problem's code in JSON output, and its run.
  package var parts: (code: String, run: String?) {
    switch self {
    case .interrupted(let run): ("interrupted", run)
    case .leftovers: ("leftovers", nil)
    case .foreign(let run, _): ("came-along", run)
    case .failed(let run, _): ("damaged", run)
    case .changed(let run, _), .unreadable(let run, _, _): ("changed", run)
    }
  }

  package var place: KeyPlace? {
    if case .changed(_, let place) = self { place } else { nil }
  }
}

extension Migrator {
  /// Checks that the records and copies of all runs are unchanged, that no run was interrupted, and that every written
  /// key still contains the value of the last run that wrote it. Writes nothing.
  package func check(_ container: Container) throws(RunError) -> RunCheck {
    let store = try store(of: container)
    let (runs, problems) = try RunHistory(store: store, container: container).all()
    var checking = RunChecking(store: store, container: container, check: RunCheck(runs: runs.count))
    checking.lookForInterruption(among: runs)
    if let user = store.closedOwner { checking.add(.failed(run: nil, .stateClosed(path: store.path, user: user))) }
    for error in problems { checking.add(.failed(run: nil, error)) }
    for run in runs where run.record.isOwn { checking.compareCopies(of: run.record) }
    checking.compareFiles(with: runs.map(\.record))
    return checking.check
  }
}

private struct RunChecking {
  let store: RunStore
  let container: Container
  var check: RunCheck

  mutating func add(_ problem: RunProblem) { check.problems.append(problem) }

  mutating func lookForInterruption(among runs: [HistoricRun]) {
    let interrupted = InterruptedRuns(store: store, container: container)
    do throws(RunError) {
      let journal = try interrupted.journal()
      let ids =
        (journal.map { [$0.run.text] } ?? []) + runs.filter { $0.standing == .interrupted }.map(\.record.id.text)
      var seen: Set<String> = []
      for id in ids where seen.insert(id).inserted { add(.interrupted(run: id)) }
      if ids.isEmpty, try interrupted.exist() { add(.leftovers) }
    } catch {
      // The record of a run that came with the container says so below, if it came too.
      let isTold =
        if case .foreignJournal(let run) = error { runs.contains { $0.record.id.text == run.id } } else { false }
      if !isTold { add(.failed(run: nil, error)) }
    }
    for run in runs {
      if let reason = run.record.foreign { add(.foreign(run: run.record.id.text, reason)) }
    }
  }

  mutating func compareCopies(of record: RunRecord) {
    guard !record.isPruned else { return }
    for file in record.files {
      for (side, state) in [(RunStore.Side.before, file.before), (.after, file.after)] where state != .absent {
        do throws(RunError) {
          _ = try store.state(side, state, of: record.id)
          check.copies += 1
        } catch {
          add(.failed(run: record.id.text, error))
        }
      }
    }
  }

  /// The records contain the values, so pruned runs count too.
  mutating func compareFiles(with records: [RunRecord]) {
    var stores = ReadStores(files: DurableFiles(store.fileSystem), root: container.root)
    var seen: Set<KeyPlace> = []
    var unreadable: Set<StringByBytes> = []
    for record in records where record.isOwn && record.state == .done {
      let run = record.id.text
      let scope = RunScope(container, record.container)
      for field in record.fields where field.isWritten {
        let place = record.place(field)
        guard seen.insert(place).inserted, !unreadable.contains(place.file) else { continue }
        do throws(RunError) {
          try scope.check([place.file])
          let now = try stores.store(place.file).parsed
          if let problem = now.problem {
            unreadable.insert(place.file)
            add(.unreadable(run: run, path: place.file, reason: problem))
          } else if now[place.key].map({ SavedValue($0) }) != field.after {
            add(.changed(run: run, place))
          }
        } catch {
          unreadable.insert(place.file)
          add(.failed(run: run, error))
        }
      }
    }
  }
}
