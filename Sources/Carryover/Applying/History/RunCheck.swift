import CarryoverSystem
import PropertyLists

/// What was found when the runs of a container were checked. Pure data: checking writes nothing.
package struct RunCheck: Hashable, Sendable {
  /// How many runs were checked.
  package var runs = 0
  /// How many copies of files were read and compared with their checksums.
  package var copies = 0
  /// What is wrong: first what has to be recovered or decided, then damage, then changes.
  package var problems: [RunProblem] = []
}

/// One thing that is not as the runs of a container left it.
package enum RunProblem: Hashable, Sendable {
  /// A run was decided and did not finish.
  case interrupted(run: String)
  /// A run that was not decided left something behind.
  case leftovers
  /// A run that came with the container, or whose record somebody changed.
  case foreign(run: String, ForeignReason)
  /// A journal, a record, a copy or a file that cannot be read or is not what was recorded; the run where it is known.
  case failed(run: String?, RunError)
  /// A key no longer holds what this run, the last that wrote it, left there.
  case changed(run: String, KeyPlace)
  /// The same for a file that is no property list any more.
  case unreadable(run: String, path: String, reason: String)
}

extension Migrator {
  /// Checks that the records and copies of all runs are what was written, that no run was interrupted, and that every key
  /// which a run wrote holds what the last such run left there. Writes nothing.
  /// - Throws: ``RunError`` if the state folder cannot be read.
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

/// The work of a check.
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
      add(.failed(run: nil, error))
    }
    for run in runs {
      if let reason = run.record.foreign { add(.foreign(run: run.record.id.text, reason)) }
    }
  }

  /// Reads every copy of a run. Those of a pruned run are gone on purpose.
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

  /// Compares each key with what the last run that wrote it left. The records tell, so that pruned runs count too.
  /// - Parameter records: newest first.
  mutating func compareFiles(with records: [RunRecord]) {
    var stores = ReadStores(DurableFiles(store.fileSystem), root: container.root)
    var seen: Set<KeyPlace> = []
    var unreadable: Set<String> = []
    for record in records where record.isOwn && record.state == .done {
      let run = record.id.text
      let scope = RunScope(container, record.container)
      for field in record.fields where field.isWritten {
        let place = record.place(field)
        guard seen.insert(place).inserted, !unreadable.contains(place.file) else { continue }
        do throws(RunError) {
          try scope.check([place.file])
          let now = try stores.store(place.file)
          if now.image != nil, now.index == nil {
            unreadable.insert(place.file)
            add(.unreadable(run: run, path: place.file, reason: now.problem ?? RollbackWording.noDictionary))
          } else if now.index?[place.key].map({ RecordedValue($0) }) != field.after {
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
