import Carryover
import CarryoverAudit
import CarryoverContainers
import CarryoverSystem
import CarryoverTerminal
import CarryoverVendors
import PropertyLists

/// An audit on this machine: finds the inputs, has workers audit them, and adds up the rows.
struct AuditRun {
  /// The result: what the rows add up to, and why there are not all of them.
  struct Result {
    var totals = AuditTotals()
    /// What differs from the baseline; nil if there is none.
    var diff: AuditDiff?
    var failure: CommandFailure?
    /// Whether every input was audited.
    var isComplete = true
  }

  private let command: AuditRunSubcommand
  private let now: Moment

  init(_ command: AuditRunSubcommand, now: Moment) { (self.command, self.now) = (command, now) }

  func audited() throws -> Result {
    // What is wrong with the options is said once, not by every worker.
    _ = try command.unit(now: now)
    try checkParameters()
    let absent = command.path.lazy.compactMap { ContainerOpener(fileSystem: POSIXFileSystem()).absence(of: $0) }
    if let error = absent.first { throw error }
    // A baseline that is not there is said before the audit, not after it.
    let baseline = try command.baseline.map(AuditSource.init)
    guard let folder = command.output else {
      let temporary = try PrivateFolder()
      defer { temporary.remove() }
      return try audited(in: FilePath.join(temporary.path, "audit"), baseline)
    }
    return try audited(in: folder, baseline)
  }

  /// - Throws: a usage error for a parameter of no recipe, or a value that is not valid.
  private func checkParameters() throws {
    let recipes = try command.recipe.map { [try command.trust.named($0)] } ?? Recipe.builtIn
    let known = recipes.flatMap(\.parameters)
    for (name, value) in command.parameters.values.values.sorted(by: { $0.key < $1.key }) {
      let fitting = known.filter { $0.name == name }
      guard let title = fitting.first?.title else {
        throw CommandFailure.usage("-P \(DisplayText.visible(name, limit: 60)): no recipe here has such a parameter.")
      }
      guard fitting.contains(where: { $0.accepts(value) }) else {
        throw CommandFailure.usage("-P \(name): this is not a valid \(title).")
      }
    }
    if let key = command.target.writeKey, !Container.isValidParameter(key) {
      throw CommandFailure.usage(
        "“\(DisplayText.visible(key, limit: 60))” cannot be a write key: it is part of a file name.")
    }
  }

  private func audited(in folder: String, _ baseline: AuditSource?) throws -> Result {
    try ThisProcess.uninterrupted {
      var parts = AuditParts(folder)
      try parts.begin(document, resumes: command.resume)
      var inputs = AuditInputs(command.path)
      var skipped: [String] = []
      while skipped.count < parts.inputs, let input = inputs.next() { skipped.append(input.path) }
      guard skipped.count == parts.inputs, parts.isSame(skipped) else {
        throw CommandFailure(
          "Inputs were added, removed or renamed since the audit began. Start a new audit in another folder.",
          .stalePlan)
      }
      var result = try work(&parts, &inputs)
      if result.isComplete, let baseline {
        var join = try AuditJoin(old: baseline.rows)
        try parts.forEachUnit { try join.add($0) }
        result.diff = try join.finish()
      }
      if result.isComplete, command.output != nil { try parts.complete() }
      return result
    }
  }

  private func work(_ parts: inout AuditParts, _ inputs: inout AuditInputs) throws -> Result {
    var number = parts.inputs
    var pool = WorkerPool(
      arguments: command.workerArguments(now: now), count: command.jobs, limit: .seconds(command.timeout),
      first: number + 1)
    let line = AuditProgress(isShown: Console.mayRepaint && !command.json)
    defer { line.remove() }
    // The paths of what is being worked on, which an answer does not repeat.
    var paths: [Int: String] = [:]
    var result = Result()
    var isInterrupted = false
    do {
      try pool.run(
        {
          guard let input = inputs.next() else { return nil }
          number += 1
          paths[number] = input.path
          return WorkerMessage.Input(number: number, path: input.path, shown: command.redact ? nil : input.shown)
        },
        { answered, rows in
          try parts.add(rows, of: paths.removeValue(forKey: answered) ?? "")
          line.show(parts.inputs)
        },
        goesOn: {
          isInterrupted = ThisProcess.isAskedToEnd
          return !isInterrupted
        })
      try parts.finishPart()
    } catch {
      // What was audited stays for --resume; a full disk has no room for it.
      try? parts.finishPart()
      throw error
    }
    try parts.forEachUnit { try result.totals.add($0) }
    guard result.totals.inputs == parts.inputs else { throw AuditParts.damaged("rows are missing") }
    if isInterrupted {
      result.isComplete = false
      let next = command.output == nil ? "" : " Add --resume to continue."
      result.failure = CommandFailure(
        "The audit was interrupted after \(ValueWording.counted(parts.inputs, "input")).\(next)", .recoveryNeeded)
    } else if let changed = result.totals.outcomes[.changed] {
      result.failure = CommandFailure(
        "\(ValueWording.counted(changed, "container")) changed while being read. Audit again when no program writes to the inputs.",
        .stalePlan)
    } else if result.totals.planned == 0 {
      result.failure = CommandFailure("No container has a plan.", .error)
    }
    return result
  }

  /// What is asked. An audit is only resumed with the same.
  private var document: JSONValue {
    .object([
      JSONMember("schema", "carryover.audit-options/1"), JSONMember("version", .string(Version.text)),
      JSONMember("now", .string(now.text)),
      JSONMember("paths", JSONValue(command.path.map { digest(AuditInputs.real($0)) })),
      JSONMember("recipe", JSONValue(command.recipe)),
      JSONMember("recipeDigest", JSONValue(recipeDigest)),
      JSONMember("policyDigest", JSONValue(policyDigest)),
      JSONMember("parameters", JSONValue(command.parameters.words.map(digest))),
      JSONMember("writeKey", JSONValue(command.target.writeKey.map(digest))),
      JSONMember("allowsOptedOut", .boolean(command.allowOptedOut)), JSONMember("redacted", .boolean(command.redact)),
    ])
  }

  /// What is only compared, so that the folder has no key and no path that is not needed.
  private func digest(_ text: String) -> String { SHA256.hexDigest(Array(text.utf8)) }

  /// A digest of the recipe file; the version stands for the built-in ones.
  private var recipeDigest: String? {
    command.recipe.flatMap { try? command.trust.named($0) }?.reference.digest
  }

  private var policyDigest: String? { try? command.policy.digest() }
}

/// The inputs of an audit in the order in which they are found. One that is found twice is given once.
struct AuditInputs {
  private let roots: [(given: String, real: String)]
  private var place = -1
  private var walk: ContainerWalk?
  /// What was found, if there are several roots, which can overlap.
  private var seen: Set<String> = []

  init(_ roots: [String]) { self.roots = roots.map { ($0, Self.real($0)) } }

  /// The path of an input on this machine.
  static func real(_ path: String) -> String { (try? POSIXFileSystem().resolve(path)) ?? path }

  /// The next input: its path, and the one that rows name.
  mutating func next() -> (path: String, shown: String)? {
    while true {
      if let found = walk?.next() {
        let root = roots[place]
        let path = found.path.isEmpty ? root.real : FilePath.join(root.real, found.path)
        guard roots.count == 1 || seen.insert(path).inserted else { continue }
        if roots.count > 1 { return (path, found.path.isEmpty ? root.given : FilePath.join(root.given, found.path)) }
        return (path, found.path.isEmpty ? FilePath.name(of: root.given) : found.path)
      }
      place += 1
      guard place < roots.count else { return nil }
      walk = ContainerWalk(POSIXFileSystem(), at: roots[place].real)
    }
  }
}

/// How far an audit has come, on standard error where that is a terminal.
final class AuditProgress {
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?
  private var width = 0

  init(isShown: Bool) { self.isShown = isShown }

  func show(_ inputs: Int) {
    let now = ContinuousClock.now
    guard isShown, last.map({ $0.duration(to: now) >= .milliseconds(100) }) ?? true else { return }
    last = now
    let seconds = max(0.001, Double(start.duration(to: now).components.seconds) + 0.1)
    let text = "Audited: \(inputs) inputs, \(Int(Double(inputs) / seconds)) per second"
    Console.errorText("\r" + text + String(repeating: " ", count: max(0, width - text.utf8.count)))
    width = text.utf8.count
  }

  func remove() {
    if width > 0 { Console.errorText("\r" + String(repeating: " ", count: width) + "\r") }
    width = 0
  }
}
