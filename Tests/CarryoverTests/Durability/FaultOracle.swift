@testable import Carryover
@testable import CarryoverStorage
@testable import CarryoverSystem
@testable import CarryoverVendors

/// What must hold of a container whatever went wrong, in one place. Each answer is a list of what does not hold.
extension FaultScene {
  /// Right after the job ended, in whatever way: each file is wholly old or wholly new, and an error tells the truth.
  func problems(_ fileSystem: MemoryFileSystem, after error: RunError?) -> [String] {
    let tree = fileSystem.tree("/box", excluding: ".carryover")
    var problems = job.paths.filter { tree[$0] != before[$0] && tree[$0] != after[$0] }.map { "\($0) is neither" }
    if fileSystem.crashed { return problems }
    guard let error else { return tree == after ? problems : problems + ["it says it succeeded and did not"] }
    switch error.aftermath {
    case .nothingChanged, .takenBack, .partlyPruned, nil:
      let changed = job.paths.filter { tree[$0] != before[$0] }
      problems += changed.map { "\($0) was changed, and the error says that nothing was: \(error)" }
    case .complete:
      if tree != after { problems.append("it is not complete, and the error says so: \(error)") }
    case .unfinished(_, let backup):
      if fileSystem.tree(backup).isEmpty { problems.append("there is no backup where the error says: \(error)") }
    }
    return problems
  }

  /// Recovers, and tells what is wrong then; `side` is the only one that will do, where one is.
  /// - Parameter isEnded: whether the job was reported as done, so that there is nothing to recover.
  func problems(
    afterRecovering fileSystem: MemoryFileSystem, mustBe side: Side? = nil, isEnded: Bool = false
  ) -> [String] {
    fileSystem.arm()
    do {
      try job.recover(fileSystem)
    } catch {
      return ["recovery fails: \(error)"]
    }
    if isEnded, let write = fileSystem.log.first(where: \.operation.writes) {
      return ["it is not at its end: \(write)"]
    }
    let tree = fileSystem.tree("/box", excluding: ".carryover")
    guard let found: Side = tree == after ? .after : tree == before ? .before : nil else {
      let paths = Set(tree.keys).union(before.keys)
      return paths.filter { tree[$0] != before[$0] }.sorted().map {
        "\($0) is not as it was" + (tree[$0] == after[$0] ? ", others are" : ", nor as it was meant to be")
      }
    }
    var problems = stateProblems(fileSystem, found)
    if let side, side != found { problems.append("every file is as \(found) the job, not as \(side) it") }
    fileSystem.arm()
    do {
      try job.recover(fileSystem)
    } catch {
      problems.append("a second recovery fails: \(error)")
    }
    problems += fileSystem.log.filter(\.operation.writes).map { "a second recovery writes: \($0)" }
    return problems
  }

  private func stateProblems(_ fileSystem: MemoryFileSystem, _ side: Side) -> [String] {
    var problems: [String] = []
    for path in fileSystem.tree("/box/.carryover").keys where path.hasSuffix(".tmp") || path.hasPrefix("journal") {
      problems.append("\(path) is left in the state folder")
    }
    let found = Self.runs(fileSystem)
    problems += runs.subtracting(found).map { "run \($0) is gone" }
    let new = found.subtracting(runs)
    if new.count != (side == .after ? 1 : 0) { problems.append("the runs are \(found.sorted()), all files as \(side)") }
    let store: RunStore
    do {
      store = try SampleBox.migrator(fileSystem).store(of: FaultedJob.container)
    } catch {
      return problems + ["the state folder cannot be read: \(error)"]
    }
    for name in found.sorted() {
      do {
        guard let id = RunID(name), let record = try store.record(id) else {
          problems.append("run \(name) has no record")
          continue
        }
        if record.state != .done { problems.append("run \(name) is \(record.state)") }
        if let reason = record.foreign { problems.append("run \(name) is not sealed: \(reason)") }
        for file in record.files {
          let copies = [
            try store.state(.before, file.before, of: id), try store.state(.after, file.after, of: id),
          ]
          guard new.contains(name) else { continue }
          for (copy, tree) in zip(copies, [before, after]) where copy.bytes != tree[file.path]?.bytes {
            problems.append("run \(name) has other bytes for \(file.path)")
          }
        }
      } catch {
        problems.append("run \(name) cannot be read: \(error)")
      }
    }
    return problems
  }
}

extension TreeEntry {
  /// A file's bytes.
  var bytes: [UInt8]? {
    if case .file(_, _, let bytes) = self { bytes } else { nil }
  }
}
