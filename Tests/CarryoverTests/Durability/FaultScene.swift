@testable import Carryover

struct FaultScene: Sendable {
  enum Side { case before, after }

  let job: FaultedJob
  let start: MemoryFileSystem
  let plan: Plan
  let operations: [LoggedOperation]
  let before, after: [String: TreeEntry]
  let runs: Set<String>

  init(_ job: FaultedJob) throws {
    self.job = job
    start = try job.start()
    plan = SampleBox(root: "/box") { _, _, _ in }.plan(target: start.target)
    let whole = MemoryFileSystem(copying: start)
    whole.arm()
    try job.run(whole, plan)
    operations = whole.log
    before = start.tree("/box", excluding: ".carryover")
    after = whole.tree("/box", excluding: ".carryover")
    runs = Self.runs(start)
    try #require(before != after)
  }

  func attempt(
    _ faults: FaultPlan, through wrap: (MemoryFileSystem) -> any FileSystem = { $0 }
  ) throws -> (MemoryFileSystem, RunError?) {
    let fileSystem = MemoryFileSystem(copying: start)
    fileSystem.arm(faults)
    do {
      try job.run(wrap(fileSystem), plan)
    } catch let error as RunError {
      return (fileSystem, error)
    }
    return (fileSystem, nil)
  }

  /// What a crash leaves after each operation that writes, without what one before it has left already.
  func crashes() throws -> [(operation: Int, fileSystem: MemoryFileSystem)] {
    var disks = NewDisks()
    return try attempt(FaultPlan(keepsDisks: true)).0.disks.filter { disks.isNew($0.disk) }
      .map { ($0.operation, MemoryFileSystem(copying: start, disk: $0.disk)) }
  }

  var writes: [Int] { operations.indices.filter { operations[$0].operation.writes }.map { $0 + 1 } }

  static func runs(_ fileSystem: MemoryFileSystem) -> Set<String> {
    Set(fileSystem.tree("/box/.carryover/runs").keys.filter { !$0.isEmpty && !$0.contains("/") })
  }

  // What must hold of a container whatever went wrong, in one place. Each answer is a list of what does not hold.

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
    if let error = thrown({ () throws(any Error) in try job.recover(fileSystem) }) {
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
    if let error = thrown({ () throws(any Error) in try job.recover(fileSystem) }) {
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
      store = try fileSystem.migrator.store(of: FaultedJob.container)
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
          let copies = [try store.state(.before, file.before, of: id), try store.state(.after, file.after, of: id)]
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

/// How many faults of each kind the tests of a suite have injected, and how many containers came out wrong: printed
/// when the suite has ended. A kind that injected nothing has shown nothing, and fails.
final class FaultTable: Sendable {
  @TaskLocal static var current: FaultTable?

  private let rows = Locked<[String: (injected: Int, stopped: Int, wrong: Int)]>([:])
  private let found = Locked<Set<String>>([])

  static func note(_ kind: String, _ job: FaultedJob, _ results: FaultResults) {
    current?.rows.withLock {
      $0[kind, default: (0, 0, 0)].injected += results.injected
      $0[kind, default: (0, 0, 0)].stopped += results.stopped
      $0[kind, default: (0, 0, 0)].wrong += results.wrong.count
    }
    current?.found.withLock { $0.formUnion(results.findings) }
    #expect(results.injected > 0, "\(kind), \(job.testDescription): nothing was injected")
    // The first few tell; thousands would hide them.
    for wrong in results.wrong.prefix(5) { Issue.record("\(kind), \(job.testDescription): \(wrong)") }
    if results.wrong.count > 5 { Issue.record("\(kind), \(job.testDescription): \(results.wrong.count) in all") }
  }

  fileprivate var text: String {
    let rows = rows.withLock { $0 }
    let width = rows.keys.map(\.count).max() ?? 0
    func right(_ text: String) -> String { String(repeating: " ", count: max(0, 10 - text.count)) + text }
    func line(_ kind: String, _ columns: [String]) -> String {
      kind + String(repeating: " ", count: max(0, width - kind.count)) + columns.map(right).joined() + "\n"
    }
    return line("", ["injected", "stopped", "wrong"])
      + rows.sorted { $0.key < $1.key }.map { kind, row in
        line(kind, [row.injected, row.stopped, row.wrong].map { "\($0)" })
      }.joined()
  }

  /// What is documented and did not happen, where the whole suite ran.
  fileprivate var outdated: [String] {
    let kinds = rows.withLock { $0.count }
    let found = found.withLock { $0 }
    return kinds < Self.kinds ? [] : DocumentedStops.all.filter { !found.contains($0) }
  }

  private static let kinds = 14
}

struct FaultResults {
  var injected = 0
  var wrong: [String] = []
  var stopped = 0
  var findings: Set<String> = []

  /// Counts one fault; `problems` is empty where the container came out right.
  mutating func add(_ place: @autoclosure () -> String, _ problems: [String]) {
    injected += 1
    let entries = problems.map(DocumentedStops.entry)
    findings.formUnion(entries.compactMap(\.self))
    if problems.isEmpty { return }
    if entries.contains(nil) { wrong.append(place() + ": " + problems.joined(separator: "; ")) } else { stopped += 1 }
  }
}

struct PrintsFaultTable: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let table = FaultTable()
    try await FaultTable.$current.withValue(table) { try await function() }
    print(table.text, terminator: "")
    for entry in table.outdated { Issue.record("no longer found: \(entry)") }
  }
}

enum FaultNumbers {
  static func errors(_ operation: FileSystemError.Operation) -> [Int32] {
    switch operation {
    case .read: [EIO, EINTR, EACCES, EMFILE, ELOOP]
    case .inspect, .list: [EIO, EACCES, EMFILE, ELOOP]
    case .create: [EIO, EACCES, ENOSPC, EMFILE, EROFS, ELOOP, EEXIST, EINTR, EDQUOT]
    case .write, .synchronize, .close: [EIO, ENOSPC, EINTR, EDQUOT]
    // A new file may stay ours where it cannot be given away, so that is no fault.
    case .setOwner: [EIO, EROFS]
    case .setMode: [EIO, EPERM, EROFS]
    case .makeDirectory: [EIO, EEXIST, ENOSPC, EACCES, EROFS, EDQUOT]
    case .rename: [EIO, EXDEV, EACCES, ENOSPC, EROFS, EINVAL, EBUSY, EEXIST, EDQUOT]
    case .remove: [EIO, EACCES, EBUSY, EROFS]
    // A folder in which somebody has put something stays, so that is no fault; the concurrent writer does it for real.
    case .removeDirectory: [EIO, EACCES, EBUSY, EROFS]
    case .lock: [EIO, EACCES, ENOSPC, EMFILE, EROFS, ELOOP]
    }
  }

  /// The faults that strike an operation without ending the process. All of them, or those whose handling can differ:
  /// most error numbers are passed on as they are.
  static func faults(_ logged: LoggedOperation, all: Bool) -> [FaultPlan.Fault] {
    let numbers = errors(logged.operation)
    let special = [EIO, EEXIST, EPERM, EINTR]
    var faults = numbers.filter { all || special.contains($0) }.map { FaultPlan.Fault.error($0) }
    switch logged.operation {
    case .write:
      let counts = Set([0, 1, max(0, logged.payload.count - 1)]).sorted()
      let ends = all ? counts : counts.filter { $0 != 1 }
      faults += (all ? counts : [1]).map { .partialWrite(count: $0, ENOSPC) }
      faults += ends.filter { $0 < logged.payload.count }.map { .lostBytes(count: $0) }
    case .rename: faults += [.unsupported, .errorAfter(EIO)]
    case .remove, .makeDirectory, .removeDirectory, .synchronize: faults.append(.errorAfter(EIO))
    default: break
    }
    return faults
  }
}

extension TreeEntry {
  var bytes: [UInt8]? { if case .file(_, _, let bytes) = self { bytes } else { nil } }
}

/// What is to go wrong, and when. Operations are counted from 1.
struct FaultPlan: Sendable {
  enum Fault: Equatable, Sendable {
    /// It changes nothing and reports this error number; a handle is closed all the same.
    case error(Int32)
    /// It has its effect and reports this error number, as on a disk behind a network.
    case errorAfter(Int32)
    /// It changes nothing, and its file system says that it has no such operation.
    case unsupported
    /// A write takes only this many bytes and then reports the error; another operation only reports it.
    case partialWrite(count: Int, Int32)
    /// A write takes only this many bytes and reports success.
    case lostBytes(count: Int)
    /// It changes nothing and reports success. Only for operations that give nothing back.
    case ignored
    case crashBefore
    case crashAfter
  }

  var faults: [Int: Fault] = [:]
  /// From this operation on, everything that writes fails with the error number.
  var deadFrom: (operation: Int, error: Int32)?
  var intrusions: [Int: @Sendable (inout MemoryState) -> Void] = [:]
  /// Faults strike only these operations, and only these are counted; all where nil.
  var only: Set<FileSystemError.Operation>?
  var keepsDisks = false
  var counted = 0
}

struct LoggedOperation: Equatable, CustomStringConvertible {
  var operation: FileSystemError.Operation
  var path: String
  var destination: String?
  var payload: [UInt8] = []

  var description: String { "\(operation) \(path)" + (destination.map { " to \($0)" } ?? "") }
}

extension FileSystemError.Operation {
  /// Those that can change a disk; asking for a durable write counts.
  static let writing: Set<Self> = [
    .create, .write, .synchronize, .rename, .remove, .lock, .setOwner, .setMode, .makeDirectory, .removeDirectory,
  ]
  var writes: Bool { Self.writing.contains(self) }
}
